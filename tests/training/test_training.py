"""Training: every recipe learns, its loss is transformers' own, a stopped one goes on, what it leaves loads."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
import transformers

from explorer.collation import collate, row_of
from explorer.models.tokenizer import load_tokenizer
from explorer.objectives import objective
from explorer.training.batches import Maker
from explorer.training.corpus import read_corpus
from explorer.training.facts import read_facts
from explorer.training.loop import FINAL, held_out_loss, speed, train
from explorer.training.machine import Machine
from explorer.training.networks import losses, set_dropout
from explorer.types import InputProblem
from tests.training.conftest import EVERY, plan_for


@pytest.mark.parametrize("name", EVERY)
def test_thirty_steps_lower_the_loss(learned, name: str) -> None:
    """The first loss is that of guessing evenly, or a little above it: T5 starts so, BERT adds that of sentences."""
    done = learned(name)
    even = np.log(done.model.config.vocab_size)
    assert even - 0.3 < done.reports[0].loss < even + 1.3
    assert done.progress.step == 30
    assert np.mean([report.loss for report in done.reports[-6:-1]]) < done.reports[0].loss - 0.7
    assert done.progress.held_out[-1][1] < even - 0.7


@pytest.mark.parametrize("name", EVERY)
def test_the_loss_is_the_one_transformers_computes_from_the_example(learned, name: str) -> None:
    done = learned(name)
    corpus, model = read_corpus(done.plan.corpus), done.model.eval()
    tokenizer, rng = load_tokenizer(done.plan.out / FINAL, name), np.random.default_rng(0)
    for part in done.plan.recipe.parts:
        task = part.draw(corpus.training, rng)
        example = objective(part.objective).build(task.texts, tokenizer, task.settings, rng)
        given = {key: torch.from_numpy(np.array(array)) for key, array in example.model_inputs().items()}
        with torch.no_grad():
            theirs = _their_loss(model(**given), given).item()
            ours = losses(model, collate([row_of(example)], tokenizer)).mean.item()
        assert ours == pytest.approx(theirs, rel=1e-4)


def _their_loss(output, given) -> torch.Tensor:
    """BERT with both heads gives no loss where only one of them has labels."""
    if output.loss is not None:
        return output.loss
    return torch.nn.functional.cross_entropy(output.prediction_logits[0], given["labels"][0])


@pytest.mark.parametrize("name", EVERY)
def test_a_batch_has_the_loss_of_its_rows_alone(learned, name: str) -> None:
    """Padding, and the masks that it needs, change nothing."""
    done = learned(name)
    maker = Maker(done.plan.source, read_corpus(done.plan.corpus).training)
    tokenizer, rng = load_tokenizer(done.plan.out / FINAL, name), np.random.default_rng(1)
    for part in done.plan.recipe.parts:
        rows = [maker.row(part, rng) for _ in range(3)]
        with torch.no_grad():
            together = losses(done.model.eval(), collate(rows, tokenizer))
            alone = [losses(done.model, collate([each], tokenizer)) for each in rows]
        assert together.count == sum(each.count for each in alone)
        assert together.tokens.item() == pytest.approx(sum(each.tokens.item() for each in alone), rel=1e-4)


@pytest.mark.parametrize("name", EVERY)
def test_half_precision_gives_nearly_the_same_loss(learned, name: str) -> None:
    """Its range is smaller than that of the lowest float, which closes a cell of a mask."""
    done = learned(name)
    batches = Maker(done.plan.source, read_corpus(done.plan.corpus).training).pool(3)[:4]
    whole, half = (held_out_loss(done.model, batches, Machine("cpu", bf16, 0)) for bf16 in (False, True))
    assert half == pytest.approx(whole, rel=0.02)


def test_a_model_that_is_lost_stops_the_training_and_spares_the_checkpoint(learned, corpus, tmp_path) -> None:
    asked = replace(plan_for("gpt", corpus, tmp_path / "lost"), steps=2)
    train(asked, lambda report: None)
    good = (asked.out / "checkpoint" / "weights.safetensors").read_bytes()
    endless = replace(asked.recipe, cpu=replace(asked.recipe.cpu, rate=float("inf")))
    with pytest.raises(InputProblem, match="no number any more at step 3"):
        train(replace(asked, recipe=endless, steps=3, resume=True), lambda report: None)
    assert (asked.out / "checkpoint" / "weights.safetensors").read_bytes() == good


@pytest.mark.parametrize("name", EVERY)
def test_what_is_shipped_loads_whole_and_in_half_precision(learned, name: str) -> None:
    done = learned(name)
    folder = done.plan.out / FINAL
    loaded, report = getattr(transformers, done.plan.recipe.model).from_pretrained(
        folder, dtype=torch.float32, local_files_only=True, output_loading_info=True
    )
    assert set(report["missing_keys"]) == set()
    for ours, theirs in zip(done.model.parameters(), loaded.parameters(), strict=True):
        # Sinusoidal positions are not stored: they come back exact.
        assert torch.equal(ours.half(), theirs.half())
    facts = read_facts(folder)
    assert (facts.recipe, facts.steps, facts.tokens) == (name, 30, done.progress.tokens)
    assert f"{facts.tokens:,}" in (folder / "README.md").read_text(encoding="utf-8")


def test_a_training_that_was_stopped_goes_on_as_if_it_had_not_been(learned, corpus, tmp_path) -> None:
    straight = learned("gpt")
    asked, stop = plan_for("gpt", corpus, tmp_path / "stopped"), _Stop(after=4)
    with pytest.raises(KeyboardInterrupt):
        train(replace(asked, save_every=0.0), stop)
    assert not (asked.out / "checkpoint-new").exists()
    model, progress = train(replace(asked, resume=True), lambda report: None)
    assert (progress.step, progress.tokens) == (straight.progress.step, straight.progress.tokens)
    for ours, theirs in zip(model.parameters(), straight.model.parameters(), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-5)


class _Stop:
    """Interrupts a training as a person does."""

    def __init__(self, after: int) -> None:
        self._after = after

    def __call__(self, report) -> None:
        if report.progress.step >= self._after:
            raise KeyboardInterrupt


def test_a_relative_step_is_large_for_embeddings_and_small_for_queries() -> None:
    config = transformers.T5Config(vocab_size=500, d_model=256, d_kv=64, d_ff=512, num_layers=1, num_heads=4)
    weights = dict(transformers.T5ForConditionalGeneration(config).named_parameters())
    attention = "decoder.block.0.layer.1.EncDecAttention"
    sizes = {"shared": 16, f"{attention}.q": 1 / 8, f"{attention}.k": 1, "encoder.block.0.layer.1.DenseReluDense.wo": 1}
    for name, size in sizes.items():
        assert speed(name, weights[f"{name}.weight"]) == pytest.approx(size, rel=0.05)
    assert speed("encoder.final_layer_norm", weights["encoder.final_layer_norm.weight"]) == 1
    positions = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias"
    assert speed(positions, weights[f"{positions}.weight"]) == 5


def test_dropout_is_everywhere_or_nowhere(learned) -> None:
    model = learned("bart").model.train()
    ids = torch.arange(8)[None]
    with torch.no_grad():
        set_dropout(model, 0.5)
        assert not torch.equal(model(input_ids=ids).logits, model(input_ids=ids).logits)
        set_dropout(model, 0.0)
        assert torch.equal(model(input_ids=ids).logits, model(input_ids=ids).logits)
