"""The masks of an Example are those that models of every family really used, caught during the forward pass."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from explorer import masks
from explorer.models import runtime, tokenizer
from explorer.objectives import Texts
from explorer.types import Example, Masks, ModelId, Role, Stream
from tests.examples import examples, make

STACKS = {
    "gpt2": "decoder",
    "llama": "decoder",
    "bert": "encoder",
    "distilbert": "encoder",
    "bart": "encoder-decoder",
    "t5": "encoder-decoder",
    "marian": "encoder-decoder",
}


def caught(family: str, example: Example) -> dict[str, np.ndarray]:
    return runtime().captured_masks(ModelId(f"tiny/{family}"), example)


@pytest.mark.parametrize("family", STACKS)
def test_every_layer_used_the_mask_of_the_example(family: str, tiny_models: Path) -> None:
    padded = 0
    for case, example in examples(STACKS[family], tokenizer(f"tiny/{family}")):
        used = caught(family, example)
        assert set(used) == {
            kind for kind in ("encoder", "decoder", "cross") if getattr(example.masks, kind) is not None
        }
        for kind, layers in used.items():
            assert layers.shape[0] == 2
            assert (layers == getattr(example.masks, kind)).all(), f"{case}: {kind}"
        padded += Role.PAD in example.output.roles or (
            example.encoder is not None and Role.PAD in example.encoder.roles
        )
    assert padded


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_five_tokens_with_a_prefix_of_three(family: str, tiny_models: Path) -> None:
    example = make("prefix_lm", tokenizer(f"tiny/{family}"), Texts("abcde"), {"prefix": "3"})
    rows = ["".join(map(str, row)) for row in caught(family, example)["decoder"][0].astype(int).tolist()]
    assert rows == ["11100", "11100", "11100", "11110", "11111"]


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_packed_documents_kept_apart(family: str, tiny_models: Path) -> None:
    texts = Texts("ab\n\nc")
    apart = make("packed_lm", tokenizer(f"tiny/{family}"), texts, {"block": "5", "isolate": "true"})
    mixed = make("packed_lm", tokenizer(f"tiny/{family}"), texts, {"block": "5", "isolate": "false"})
    assert caught(family, apart)["decoder"].sum(axis=(1, 2)).tolist() == [9, 9]
    assert caught(family, mixed)["decoder"].sum(axis=(1, 2)).tolist() == [15, 15]


def left_padded(example: Example, pads: int) -> Example:
    """The same decoder example behind pads that nobody may look at."""
    stream = example.output
    keep = np.r_[np.zeros(pads, int), np.ones(len(stream), int)]
    longer = Stream(
        np.r_[np.zeros(pads, int), stream.ids],
        ("<pad>",) * pads + stream.pieces,
        ("<pad>",) * pads + stream.visible,
        (Role.PAD,) * pads + stream.roles,
        keep,
        masks.positions(keep),
    )
    mask = masks.with_padding(masks.causal(len(keep)), keep)
    return replace(
        example,
        decoder=longer,
        # The first label stays out too: the output before it is a pad.
        labels=np.r_[np.full(pads + 1, -100), example.labels[1:]],
        label_visible=("",) * pads + example.label_visible,
        masks=Masks(decoder=mask),
    )


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_left_padding_changes_nothing_at_real_positions(family: str, tiny_models: Path) -> None:
    model = ModelId(f"tiny/{family}")
    plain = make("causal_lm", tokenizer(model.name), Texts("abc"))
    padded = left_padded(plain, 2)
    assert padded.output.position_ids.tolist() == [0, 0, 0, 1, 2]
    used = caught(family, padded)["decoder"][0]
    assert used.sum() == 6
    assert not used[:2].any()
    assert runtime().score(model, padded).losses == pytest.approx(runtime().score(model, plain).losses, abs=1e-4)
    weights = runtime().attention(model, padded)["decoder"].weights
    assert np.isfinite(weights).all()
    assert weights[:, :, 2:, :2].max() == 0


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_the_prefix_never_feels_the_target(family: str, tiny_models: Path) -> None:
    model, words = ModelId(f"tiny/{family}"), tokenizer(f"tiny/{family}")
    seen = [make("prefix_lm", words, Texts(text), {"prefix": "4"}) for text in ("abcdefg", "abcdxyz")]
    first, second = (runtime().attention(model, each)["decoder"].weights for each in seen)
    assert np.abs(first[:, :, :4] - second[:, :, :4]).max() == 0
    assert first[:, :, 0, 3].min() > 0
    # The first target is predicted from the prefix alone: what the model says there does not change by a single bit.
    ours, other = (runtime().score(model, each).top_probabilities[0] for each in seen)
    assert np.abs(ours - other).max() == 0
