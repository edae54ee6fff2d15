"""Objectives with an encoder and a decoder: the shift is that of transformers, and a long text takes little time."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np
import pytest

from explorer.objectives import Texts, objective
from explorer.tokens import Tokenizer
from explorer.types import Example

T5, BART = "google-t5/t5-small", "facebook/bart-base"
TEXT = "Hello there. 나는 밥을 먹었다. \U0001f355 for e\u0301veryone."
CASES = [("denoising", BART), ("span_corruption", T5), ("seq2seq", T5), ("seq2seq", BART)]


def example(key: str, text: str, tokenizer: Tokenizer, seed: int = 3) -> Example:
    item = objective(key)
    texts = Texts(text, target=text if key == "seq2seq" else None)
    return item.build(texts, tokenizer, item.Settings(), np.random.default_rng(seed))


@pytest.mark.models
@pytest.mark.parametrize(("key", "name"), CASES)
def test_decoder_input_is_that_of_transformers(key: str, name: str, tokenizer: Callable[[str], Tokenizer]) -> None:
    torch = pytest.importorskip("torch")
    from transformers.models.bart.modeling_bart import shift_tokens_right

    special = tokenizer(name).special
    made = example(key, TEXT, tokenizer(name))
    expected = shift_tokens_right(torch.tensor(made.labels)[None], special.pad, special.decoder_start)
    assert made.decoder.ids.tolist() == expected[0].tolist()
    assert special.decoder_start == {T5: 0, BART: 2}[name]


@pytest.mark.models
@pytest.mark.parametrize(("key", "name"), CASES)
def test_512_tokens_take_a_few_milliseconds(key: str, name: str, tokenizer: Callable[[str], Tokenizer]) -> None:
    text = "one two three. " * 127
    took = []
    for seed in range(6):
        start = time.process_time()
        made = example(key, text, tokenizer(name), seed)
        took.append(time.process_time() - start)
    assert 400 <= len(made.encoder) <= 512
    assert min(took) < 0.05
