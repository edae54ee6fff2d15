"""The same text in other tokens: other perplexities, the same bits per byte."""

import math

import pytest

from explorer.across import Reading, reading
from explorer.tokens import encode
from tests.fakes import LetterTokenizer


def test_half_as_many_tokens_square_the_perplexity_and_leave_bits_per_byte() -> None:
    fine, coarse = Reading("fine", 8, 8, 8 * math.log(2)), Reading("coarse", 4, 8, 8 * math.log(2))
    assert (fine.perplexity, coarse.perplexity) == (pytest.approx(2), pytest.approx(4))
    assert fine.bits_per_byte == coarse.bits_per_byte == pytest.approx(1)
    assert (fine.perplexity_at(1.0), coarse.perplexity_at(1.0)) == (2, 4)


def test_the_first_token_is_read_and_its_bytes_do_not_count() -> None:
    found = reading("letters", encode("ab 한", LetterTokenizer(), add_special=False))
    assert (found.targets, found.bytes) == (2, len("b 한".encode()))


def test_what_was_not_measured_or_has_no_target_has_no_number() -> None:
    assert (Reading("", 3, 3).mean, Reading("", 3, 3).perplexity, Reading("", 3, 3).bits_per_byte) == (None,) * 3
    assert reading("", encode("a", LetterTokenizer(), add_special=False), 0.0).mean is None
    assert Reading("", 1, 5000).perplexity_at(1.0) == math.inf
