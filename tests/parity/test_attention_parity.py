"""The weights on the page are those of plain transformers code, and the heads we point at do what we say."""

from __future__ import annotations

import io
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from explorer.known_heads import MINILM, PATTERNS, SMOLLM2
from explorer.looking import KINDS, attention_code, example_for
from explorer.models import runtime, tokenizer
from explorer.models.catalog import card
from explorer.models.sources import locate, weights_folder
from explorer.objectives import Texts
from explorer.sights import Choice
from explorer.types import Attention, Example, ModelId

FAMILIES = ("gpt2", "llama", "bert", "bert-body", "distilbert", "bart", "t5", "marian")


def read(name: str, texts: Texts) -> tuple[Example, dict[str, Attention]]:
    """What the page feeds the model, and what the model looks at."""
    made = example_for(card(name).stack, texts, tokenizer(name))
    return made, runtime().attention(ModelId(name), made)


def run(code: str) -> np.ndarray:
    """The weights that the code prints."""
    there: dict[str, object] = {}
    with redirect_stdout(io.StringIO()):
        exec(compile(code, "code", "exec"), there)  # what a person would paste
    return there["weights"].numpy()


@pytest.fixture
def from_folders(monkeypatch: pytest.MonkeyPatch) -> None:
    """AutoModel finds by name what we find by name, without the Hub."""
    load = transformers.AutoModel.from_pretrained
    monkeypatch.setattr(
        transformers.AutoModel,
        "from_pretrained",
        lambda name, **how: load(name if isinstance(name, Path) else weights_folder(name), **how),
    )


@pytest.mark.parametrize("family", FAMILIES)
def test_the_code_on_the_page_gives_the_weights_on_the_page(family: str, tiny_models: Path, from_folders: None):
    name = f"tiny/{family}"
    texts = Texts("abc a-b", text_b="ba c" if family.startswith("bert") else None, target="cab")
    made, found = read(name, texts)
    assert tuple(found) == KINDS[card(name).stack]
    for kind, attention in found.items():
        layers, heads, *_ = attention.weights.shape
        ours = attention.weights[layers - 1, heads - 1]
        theirs = run(attention_code(made, ModelId(name), kind, Choice(layer=layers - 1, head=heads - 1)))
        assert ours.shape == getattr(made.masks, kind).shape
        np.testing.assert_allclose(ours, theirs, atol=1e-6)


@pytest.mark.parametrize("family", FAMILIES)
def test_rows_add_up_to_one_closed_cells_are_zero_and_two_runs_are_equal(family: str, tiny_models: Path):
    name, texts = f"tiny/{family}", Texts("the cat saw the dog", target="the dog")
    made, found = read(name, texts)
    _, again = read(name, texts)
    for kind, attention in found.items():
        np.testing.assert_allclose(attention.weights.sum(axis=-1), 1, atol=1e-4)
        assert not attention.weights[..., ~getattr(made.masks, kind)].any()
        assert np.array_equal(attention.weights, again[kind].weights)


@pytest.mark.parametrize("family", ["bart", "t5", "marian"])
def test_cross_attention_stepped_is_that_of_teacher_forcing(family: str, tiny_models: Path):
    """transformers itself reads the target token by token with its cache; each step's row is ours."""
    name = f"tiny/{family}"
    made, found = read(name, Texts("the cat saw", target="the dog"))
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(tiny_models / name, attn_implementation="eager").eval()
    source = {key: torch.from_numpy(np.array(made.model_inputs()[key])) for key in ("input_ids", "attention_mask")}
    cache = None
    with torch.inference_mode():
        encoded = model.get_encoder()(**source)
        for t, id in enumerate(made.decoder.ids.tolist()):
            output = model(
                encoder_outputs=encoded,
                attention_mask=source["attention_mask"],
                decoder_input_ids=torch.tensor([[id]]),
                cache=cache,
                use_cache=True,
                output_attentions=True,
            )
            cache = output.cache
            stepped = np.stack([layer[0, :, -1].numpy() for layer in output.cross_attentions])
            np.testing.assert_allclose(stepped, found["cross"].weights[:, :, t], atol=1e-4)


def known(model: str) -> list[tuple[str, Texts, tuple[int, int]]]:
    """Title, texts and head of each pattern that a model is known for."""
    return [(str(each.title), each.texts, each.heads[model]) for item in PATTERNS.values() for each in item
            if model in each.heads]  # fmt: skip


@pytest.mark.wheels
class TestKnownHeads:
    """Patterns on real weights, each measured as its sentence says it."""

    def head(self, model: str, title: str) -> tuple[list[str], np.ndarray]:
        """Pieces without their mark of a space, and the weights of the head that is pointed at."""
        if locate(model).weights is None:
            pytest.skip(f"the wheel with {model} is not installed")
        [(_, texts, (layer, head))] = [each for each in known(model) if each[0] == title]
        _, found = read(model, texts)
        [attention] = found.values()
        return [piece.lstrip("·") for piece in attention.queries], attention.weights[layer, head]

    @pytest.mark.parametrize(
        ("model", "title", "share"),
        [
            (MINILM, "Words that come twice", 0.65),
            (MINILM, "Korean, letter by letter", 0.8),
            (SMOLLM2, "Korean in bytes", 0.6),
        ],
    )
    def test_a_token_looks_at_the_same_token_elsewhere(self, model: str, title: str, share: float):
        pieces, weights = self.head(model, title)
        earlier = model == SMOLLM2
        same = [[j for j, other in enumerate(pieces) if other == piece and (j < i if earlier else j != i)]
                for i, piece in enumerate(pieces)]  # fmt: skip
        assert np.mean([weights[i, at].sum() for i, at in enumerate(same) if at]) > share

    @pytest.mark.parametrize("model", [MINILM, SMOLLM2])
    def test_it_looks_at_animal(self, model: str):
        pieces, weights = self.head(model, "What “it” stands for")
        row = weights[pieces.index("it")]
        assert pieces[int(row.argmax())] == "animal"
        assert row.max() > 0.6

    def test_old_and_age_look_at_each_other(self):
        pieces, weights = self.head(MINILM, "Two sentences")
        old, age = pieces.index("old"), pieces.index("age")
        assert weights[old].argmax() == age
        assert weights[age].argmax() == old

    @pytest.mark.parametrize(("model", "share"), [(MINILM, 0.95), (SMOLLM2, 0.7)])
    def test_each_token_looks_at_the_one_before(self, model: str, share: float):
        _, weights = self.head(model, "The token before")
        assert np.diagonal(weights, -1).mean() > share

    def test_the_second_time_it_looks_at_what_came_after(self):
        pieces, weights = self.head(SMOLLM2, "A sentence twice")
        assert pieces == ["Seven", "blue", "birds", "sang", "."] * 2
        assert np.mean([weights[5 + step, 1 + step] for step in range(4)]) > 0.6
        assert [int(weights[row].argmax()) for row in (6, 7, 8)] == [2, 3, 4]

    def test_every_row_rests_on_the_first_token(self):
        _, weights = self.head(SMOLLM2, "At rest on the first token")
        assert weights[:, 0].min() > 0.9
