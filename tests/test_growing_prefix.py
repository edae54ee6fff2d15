"""A prefix that grows moves its own keys; a causal text that grows moves none."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer.growing_prefix import changes
from explorer.models import runtime, tokenizer
from explorer.objectives import Texts, objective
from explorer.types import Example, InputProblem, ModelId

FAMILIES = ("gpt2", "llama")


@pytest.mark.parametrize("family", FAMILIES)
def test_every_layer_but_the_first_moves(family: str, tiny_models: Path) -> None:
    first, last = changes(ModelId(f"tiny/{family}"), "The cat sat", (0, 1))
    assert (first.layer, first.share) == (0, 0.0)
    assert last.layer == 1
    assert last.share > 0.01


@pytest.mark.parametrize("family", FAMILIES)
def test_under_a_causal_mask_no_key_moves(family: str, tiny_models: Path) -> None:
    model, kind = ModelId(f"tiny/{family}"), objective("prefix_lm")

    def causal(text: str) -> Example:
        """A prefix of one token: everything behind it is read causally."""
        return kind.build(Texts(text), tokenizer(model.name), kind.Settings(prefix=1), np.random.default_rng(0))

    for layer in (0, 1):
        shorter, longer = (runtime().vectors(model, causal(text), "decoder", layer)[1] for text in ("abcd", "abcde"))
        np.testing.assert_allclose(longer[:, :4], shorter, rtol=0, atol=1e-5)


def test_one_token_is_no_prefix_that_grows(tiny_models: Path) -> None:
    with pytest.raises(InputProblem, match="The text has 1 tokens"):
        changes(ModelId("tiny/gpt2"), "a", (0,))
