"""The line of each filter by hand: how probable a token had to be, and what fell short."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.cuts import Cut, cuts
from explorer.sampling import apply
from explorer.types import SamplingSettings

LOGITS = np.log([0.4, 0.3, 0.2, 0.1])


def of(**settings: float) -> tuple[Cut, ...]:
    given = SamplingSettings(**settings)
    return cuts(apply(LOGITS, given), given)


def test_the_line_of_top_k_and_of_top_p_is_the_last_that_passed() -> None:
    [cut] = of(top_k=2)
    assert (cut.name, cut.left, cut.high) == ("top_k", 2, None)
    assert (cut.mass, cut.low) == pytest.approx((0.3, 0.3))
    [cut] = of(top_p=0.8)
    assert (cut.left, cut.mass, cut.low) == (3, pytest.approx(0.1), pytest.approx(0.2))


def test_the_line_of_min_p_is_its_share_of_the_first() -> None:
    [cut] = of(min_p=0.6)
    assert (cut.left, cut.mass, cut.low) == (2, pytest.approx(0.3), pytest.approx(0.24))


def test_typical_p_has_two_lines_around_the_entropy() -> None:
    # Entropy 1.2799: the surprise of .3 is 1.204, so it alone stays, and as far above the entropy a token might stay.
    [cut] = of(typical_p=0.2)
    assert (cut.left, cut.mass) == (1, pytest.approx(0.7))
    middle = -sum(p * math.log(p) for p in (0.4, 0.3, 0.2, 0.1))
    assert cut.high == pytest.approx(0.3)
    assert cut.low == pytest.approx(math.exp(-2 * middle) / 0.3)


def test_temperature_and_penalty_have_no_line_and_greedy_has_the_first() -> None:
    [cut] = of(temperature=0.5)
    assert (cut.name, cut.left, cut.mass, cut.low) == ("temperature", 4, pytest.approx(0), None)
    [cut] = of(temperature=0)
    assert (cut.name, cut.left, cut.low) == ("greedy", 1, pytest.approx(0.4))


def test_the_order_is_that_in_which_they_are_applied() -> None:
    given = SamplingSettings(0.5, 3, 0.8, order=("top_p", "top_k", "temperature"))
    assert [cut.name for cut in cuts(apply(LOGITS, given), given)] == ["top_p", "top_k", "temperature"]


@given(
    st.lists(st.floats(-9, 9), min_size=2, max_size=12),
    st.sampled_from([{"top_k": 3}, {"top_p": 0.7}, {"min_p": 0.2}, {"typical_p": 0.6}]),
)
def test_what_stays_lies_between_the_lines(logits: list[float], settings: dict[str, float]) -> None:
    chosen = SamplingSettings(**settings)
    sampled = apply(logits, chosen)
    [cut] = cuts(sampled, chosen)
    for id, p in enumerate(sampled.model):
        inside = cut.low - 1e-9 <= p <= (cut.high or 1) + 1e-9
        if sampled.removed_by(id) is None:
            assert inside
        elif "top_p" not in settings:
            assert not inside or min(abs(p - cut.low), abs(p - (cut.high or 1))) < 1e-9
