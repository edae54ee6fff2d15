"""The runtime: heads that are there or not, attention, and what a model cannot read."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from explorer.models import Runtime, tokenizer
from explorer.objectives import Texts
from explorer.types import InputProblem, ModelId
from tests.examples import make

GPT2, LLAMA, BERT, BART, T5 = (ModelId(f"tiny/{family}") for family in ("gpt2", "llama", "bert", "bart", "t5"))


def causal(model: ModelId, text: str = "The cat sat"):
    return make("causal_lm", tokenizer(model.name), Texts(text))


# -- what a model says ------------------------------------------------------------------------------------------------


def test_scores_are_those_of_the_targets(fresh: Runtime, tiny_models: Path) -> None:
    example = causal(GPT2)
    scores = fresh.score(GPT2, example, top=3)
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_models / GPT2.name).eval()
    with torch.inference_mode():
        rows = model(torch.tensor(example.output.ids[None])).logits[0, :-1].log_softmax(-1)
    expected = [-float(rows[t, id]) for t, id in enumerate(example.output.ids[1:])]
    assert scores.losses == pytest.approx(expected, abs=1e-5)
    assert scores.top_ids.tolist() == rows.topk(3).indices.tolist()
    assert scores.top_probabilities == pytest.approx(rows.topk(3).values.exp().numpy(), abs=1e-6)
    assert [len(pieces) for pieces in scores.top_pieces] == [3] * example.n_targets
    assert scores.mean == pytest.approx(scores.losses.sum() / example.n_targets)


def test_no_targets_is_a_result_without_a_mean(fresh: Runtime) -> None:
    example = make("masked_lm", tokenizer(BERT.name), Texts("dog"), {"rate": "0"})
    scores = fresh.score(BERT, example)
    assert (scores.mean, scores.perplexity, len(scores.losses)) == (None, None, 0)


@pytest.mark.parametrize("name", ["tiny/bert-body", "tiny/bert-tagger"])
def test_a_head_that_is_not_in_the_checkpoint_is_refused(name: str, fresh: Runtime) -> None:
    example = make("masked_lm", tokenizer(name), Texts("dog"), {"select": "1"})
    assert fresh.attention(ModelId(name), example)["encoder"].weights.shape == (2, 4, 5, 5)
    with pytest.raises(InputProblem, match=f"{name} has no language-model head in its checkpoint"):
        fresh.score(ModelId(name), example)


def test_missing_weights_are_never_random(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "tiny" / "holes"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    weights = load_file(folder / "model.safetensors")
    del weights["transformer.h.1.mlp.c_fc.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match=r"tiny/holes lacks weights \(transformer\.h\.1\.mlp\.c_fc\.weight\)"):
        fresh.load(ModelId("tiny/holes"))


def test_a_checkpoint_of_another_shape_is_refused_in_one_sentence(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny" / "wrong"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    config = (folder / "config.json").read_text(encoding="utf-8")
    (folder / "config.json").write_text(config.replace('"n_embd": 32', '"n_embd": 16'), encoding="utf-8")
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match="tiny/wrong cannot be loaded: ") as told:
        fresh.load(ModelId("tiny/wrong"))
    assert "\n" not in str(told.value)


def test_code_that_comes_with_a_model_is_not_run(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny" / "coded"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    config = (folder / "config.json").read_text(encoding="utf-8")
    coded = config.replace('"model_type": "gpt2"', '"model_type": "own", "auto_map": {"AutoConfig": "code.Own"}')
    (folder / "config.json").write_text(coded, encoding="utf-8")
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match="tiny/coded cannot be loaded"):
        fresh.load(ModelId("tiny/coded"))
    assert not (tmp_path / "ran").exists()


# -- attention --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [GPT2, LLAMA, BERT, ModelId("tiny/distilbert")])
def test_rows_sum_to_one_and_two_runs_agree(model: ModelId, fresh: Runtime) -> None:
    key = "causal_lm" if model in {GPT2, LLAMA} else "masked_lm"
    example = make(key, tokenizer(model.name), Texts("the cat saw the dog"))
    first, second = fresh.attention(model, example), fresh.attention(model, example)
    for kind, found in first.items():
        assert found.weights.shape == (2, 4, len(found.queries), len(found.keys))
        assert np.abs(found.weights.sum(-1) - 1).max() < 1e-4
        assert np.array_equal(found.weights, second[kind].weights)
        assert len(found.queries) == len(example.output)


@pytest.mark.parametrize("model", [BART, T5, ModelId("tiny/marian")])
def test_an_encoder_decoder_has_three_kinds(model: ModelId, fresh: Runtime) -> None:
    example = make("seq2seq", tokenizer(model.name), Texts("the cat", target="die Katze"))
    found = fresh.attention(model, example)
    source, target = len(example.encoder), len(example.decoder)
    shapes = {kind: each.weights.shape[2:] for kind, each in found.items()}
    assert shapes == {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    assert all(np.abs(each.weights.sum(-1) - 1).max() < 1e-4 for each in found.values())
    assert found["cross"].keys == example.encoder.visible
    assert found["cross"].queries == example.decoder.visible


def test_scores_do_not_depend_on_how_attention_was_worked_out_before(fresh: Runtime) -> None:
    example = causal(LLAMA)
    before = fresh.score(LLAMA, example).losses
    fresh.attention(LLAMA, example)
    fresh.captured_masks(LLAMA, example)
    assert np.array_equal(fresh.score(LLAMA, example).losses, before)


# -- what a model cannot read -----------------------------------------------------------------------------------------


def test_too_long_is_told_before_the_model_runs(fresh: Runtime) -> None:
    words = unlimited(tokenizer(GPT2.name))
    example = make("causal_lm", words, Texts("a" * 600))
    with pytest.raises(InputProblem, match="The text has 600 tokens, but tiny/gpt2 takes at most 512"):
        fresh.score(GPT2, example)
    with pytest.raises(InputProblem, match="The text has 513 tokens, but tiny/gpt2 takes at most 512"):
        fresh.prefill(GPT2, [69] * 513)


def unlimited(words):
    """The same tokenizer without a longest text."""

    class Unlimited(type(words)):
        max_length = None

    return Unlimited(words._tokenizer, words.name, words._config)


def test_a_token_without_a_row_of_weights(fresh: Runtime, tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = make("seq2seq", tokenizer(BART.name), Texts("a<extra_id_19>", target="b"))
    last = int(example.encoder.ids.max())
    loaded = fresh._pool.get(BART)
    loaded.facts = replace(loaded.facts, vocabulary=last)
    words = f"The token <extra_id_19> has the id {last}, but tiny/bart has weights for the ids 0 to {last - 1} only"
    with pytest.raises(InputProblem, match=words):
        fresh.score(BART, example)


def test_an_example_of_another_tokenizer_is_refused(fresh: Runtime) -> None:
    with pytest.raises(InputProblem, match="The example was made with another tokenizer: its id"):
        fresh.score(BERT, make("masked_lm", tokenizer(GPT2.name), Texts("dog"), {"select": "1"}))
