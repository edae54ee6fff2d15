"""Any text has consistent, visible tokens: what random texts must keep for each kind of vocabulary."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from explorer.pieces import piece_bytes
from explorer.tokens import encode

GPT2 = "openai-community/gpt2"
BART = "facebook/bart-large"
NAMES = [GPT2, BART, "google-bert/bert-base-uncased", "google-bert/bert-base-cased", "google-t5/t5-small"]
HEX = re.compile("⟨[0-9A-F]{2}( [0-9A-F]{2})*⟩")

TEXT = st.text(max_size=60) | st.text(
    st.sampled_from(
        "ab Z\n\t\r\0\x1f\u200b\u200d\u202e\u0301\u0939\u093f한국어ᄒ가😊🍕👩é日本\ud83d\udc00\ufffd[]<>$*_▁·Ġ#"
    ),
    max_size=60,
)
SPELLED = st.lists(st.sampled_from(["[MASK]", "<mask>", "<|endoftext|>", "</s>", "<extra_id_3>", "a", " ", "한"])).map(
    "".join
)


@pytest.mark.models
@pytest.mark.parametrize("name", NAMES)
@given(text=TEXT | SPELLED, pair=st.none() | TEXT)
@example(text="", pair=None)
@example(text="\ud83d", pair="\0")
@example(text="word " * 600, pair=None)
@settings(deadline=None, max_examples=200)
def test_any_text_has_consistent_tokens(tokenizer, name, text, pair):
    real = tokenizer(name)
    encoding = encode(text, real, pair)
    n = len(encoding)
    assert n == len(encoding.pieces) == len(encoding.visible) == len(encoding.words) == len(encoding.spans)
    assert all(encoding.visible)
    drawn = HEX.sub("", "".join(encoding.visible))
    assert not re.search(r"[\s\0\u200b-\u200f\u202a-\u202e]", drawn)
    assert "\ufffd" not in drawn or "\ufffd" in encoding.text + (encoding.pair or "")
    assert not encoding.special[(encoding.sequences >= 0) & ~encoding.typed].any()
    lengths = (len(text), len(pair or ""))
    for (start, end), sequence in zip(encoding.spans.tolist(), encoding.sequences.tolist(), strict=True):
        assert 0 <= start <= end <= (lengths[sequence] if sequence >= 0 else 0)
    "".join([*encoding.visible, *map(str, encoding.notes)]).encode()


@pytest.mark.models
@pytest.mark.parametrize("name", [GPT2, BART])
@given(text=TEXT)
@settings(deadline=None, max_examples=300)
def test_byte_pieces_give_the_text_back(tokenizer, name, text):
    encoding = encode(text, tokenizer(name), add_special=False)
    assert b"".join(piece_bytes(piece, "byte") for piece in encoding.pieces).decode() == encoding.text
