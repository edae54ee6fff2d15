"""Noise alone: lengths, places and statistics, spans chosen by hand, and covering them."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from explorer.objectives.assemble import made, row
from explorer.objectives.noise import (
    Spans,
    body,
    cover,
    covered,
    independent,
    parse_spans,
    poisson_spans,
    random_spans,
    spread,
)
from explorer.tokens import encode
from explorer.types import InputProblem, Role
from tests.fakes import LetterTokenizer

PLAIN, TEMPLATE = LetterTokenizer(), LetterTokenizer(template=True)


def generator(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def lengths(spans: Spans) -> np.ndarray:
    return np.array([end - start for start, end in spans])


def test_a_higher_rate_only_adds_tokens() -> None:
    low, high = (independent(500, rate, generator()) for rate in (0.15, 0.4))
    assert low.any()
    assert not (low & ~high).any()
    assert independent(200_000, 0.3, generator()).mean() == pytest.approx(0.3, abs=0.005)


def test_random_spans_cover_fifteen_percent_with_mean_length_three() -> None:
    spans = random_spans(200_000, 0.15, 3.0, generator())
    assert covered(200_000, spans).sum() == 30_000
    assert len(spans) == 10_000
    over_seeds = [random_spans(512, 0.15, 3.0, generator(seed)) for seed in range(400)]
    assert sum(lengths(spans).sum() for spans in over_seeds) / (512 * 400) == pytest.approx(0.15, abs=0.005)
    assert np.concatenate([lengths(spans) for spans in over_seeds]).mean() == pytest.approx(3.0, abs=0.1)


def test_random_spans_lie_anywhere_with_a_token_between() -> None:
    drawn = [random_spans(12, 0.25, 1.5, generator(seed)) for seed in range(300)]
    assert all(lengths(spans).sum() == 3 and len(spans) == 2 for spans in drawn)
    assert all(end < start for spans in drawn for (_, end), (start, _) in pairwise(spans))
    assert np.all(np.sum([covered(12, spans) for spans in drawn], axis=0) > 30)


@pytest.mark.parametrize(
    ("n", "rate", "noise", "count"),
    [
        (0, 0.15, 0, 0),  # no tokens
        (1, 0.9, 0, 0),  # one token must stay to be read
        (2, 0.01, 1, 1),  # at least one is taken
        (5, 1.0, 4, 1),  # at least one stays
        (9, 0.0, 0, 0),  # no noise asked for
        (11, 0.15, 2, 1),
    ],
)
def test_random_spans_of_degenerate_lengths(n: int, rate: float, noise: int, count: int) -> None:
    spans = random_spans(n, rate, 3.0, generator())
    assert (lengths(spans).sum(), len(spans)) == (noise, count)


def test_many_short_spans_still_have_gaps() -> None:
    spans = random_spans(10, 0.8, 1.0, generator())
    assert lengths(spans).sum() == 8
    assert len(spans) == 3  # two tokens stay, so there are three gaps


def test_poisson_lengths_have_mean_three_and_cover_thirty_percent() -> None:
    spans = poisson_spans(200_000, 0.3, 3.0, generator())
    found = lengths(spans)
    assert found.sum() == 60_000
    assert found.mean() == pytest.approx(3.0, abs=0.1)
    assert found.var() == pytest.approx(3.0, abs=0.1)
    assert (found == 0).mean() == pytest.approx(np.exp(-3), abs=0.01)
    assert covered(200_000, spans).sum() == 60_000  # so no two overlap


def test_poisson_spans_lie_anywhere() -> None:
    drawn = [poisson_spans(12, 0.25, 3.0, generator(seed)) for seed in range(2000)]
    assert all(lengths(spans).sum() == 3 for spans in drawn)
    assert np.all(np.sum([covered(12, spans) for spans in drawn], axis=0) > 200)
    inserted = {start for spans in drawn for start, end in spans if start == end}
    assert inserted == set(range(13))


@pytest.mark.parametrize(("n", "rate", "noise"), [(0, 0.3, 0), (1, 0.3, 1), (4, 0.0, 0), (4, 1.0, 4), (3, 0.01, 1)])
def test_poisson_spans_of_degenerate_lengths(n: int, rate: float, noise: int) -> None:
    assert lengths(poisson_spans(n, rate, 3.0, generator())).sum() == noise


def test_spans_of_ordinary_tokens_go_round_special_ones() -> None:
    ordinary = np.array([False, True, True, False, True, True, False])
    assert spread(((0, 1), (1, 3)), ordinary) == ((1, 2), (2, 3), (4, 5))
    assert spread(((2, 2), (4, 4)), ordinary) == ((4, 4), (6, 6))
    assert spread((), np.zeros(2, dtype=bool)) == ()


def test_spans_are_covered_one_for_one() -> None:
    tokens = row(encode("a b c d e f g h i j", PLAIN))
    mask = made([3], PLAIN, Role.MASKED)
    damaged = cover(tokens, ((3, 6), (8, 8)), [mask, mask])
    assert damaged.ids.tolist() == [11, 12, 13, 3, 17, 18, 3, 19, 20]
    assert cover(tokens, (), []).ids.tolist() == tokens.ids.tolist()


def test_body_is_what_the_template_stands_around() -> None:
    assert body(encode("a b", TEMPLATE)) == slice(1, 3)
    assert body(encode("[MASK] b [SEP]", TEMPLATE)) == slice(1, 4)
    assert body(encode("", TEMPLATE)) == slice(0, 0)


def parsed(text: str, words: str = "a b c [MASK] e f g h", *, empty: bool = True) -> Spans:
    """Positions: [CLS] 0, a 1, b 2, c 3, [MASK] 4, e 5, f 6, g 7, h 8, [SEP] 9."""
    encoding = encode(words, TEMPLATE)
    return parse_spans(text, row(encoding), body(encoding), empty=empty)


def test_spans_by_hand() -> None:
    assert parsed("1:4,8:8") == ((1, 4), (8, 8))
    assert parsed(" 1 : 2 , 2:2,2:3, ") == ((1, 2), (2, 2), (2, 3))
    assert parsed("1:1,9:9") == ((1, 1), (9, 9))  # inserted at both ends of the text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("3-6", "spans is 3-6, but must be pairs start:end separated by commas, such as 3:6,8:9."),
        ("1:2:3", "spans is 1:2:3, but must be"),
        ("-1:2", "spans is -1:2, but must be"),
        ("1:99999999999", "spans is 1:99999999999, but must be"),
        ("٣:٤", "spans is ٣:٤, but must be"),
        ("3:2", "spans names 3:2, which ends before it starts."),
        ("8:12", "spans names 8:12, but the text has positions 1 to 8; an end is excluded."),
        ("0:2", "spans names 0:2, which covers [CLS] at position 0, a special token."),
        ("8:10", "spans names 8:10, which covers [SEP] at position 9, a special token."),
        ("3:6", "spans names 3:6, which covers [MASK] at position 4, a special token."),
        ("0:0", "spans names 0:0, which lies outside the text at positions 1 to 8."),
        ("10:10", "spans names 10:10, which lies outside the text at positions 1 to 8."),
        ("5:7,6:8", "spans names 6:8, which overlaps the span before it."),
        ("5:7,6:6", "spans names 6:6, which overlaps the span before it."),
        ("5:7,1:2", "spans names 1:2 after a span further right. List the spans from left to right."),
    ],
)
def test_spans_that_cannot_be_used(text: str, words: str) -> None:
    with pytest.raises(InputProblem) as problem:
        parsed(text)
    assert str(problem.value).startswith(words)


def test_empty_spans_only_where_something_is_inserted() -> None:
    with pytest.raises(InputProblem, match="spans names 8:8, which is empty"):
        parsed("8:8", empty=False)
    with pytest.raises(InputProblem, match="but the text has no tokens"):
        parsed("0:0", words="")
