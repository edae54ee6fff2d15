"""Loops and running figures by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.types import Candidate, Step
from explorer.whole_text import Loop, loops, rank, running


def step(p: float, *candidates: Candidate) -> Step:
    return Step(5, "a", "a", 1.0, p, p, 0.3, candidates)


def test_a_sentence_three_times_is_a_loop() -> None:
    sentence = [10, 11, 12, 13]
    assert loops([1, 2, *sentence * 3]) == (Loop(2, 4, 3),)
    assert loops([1, 2, *sentence * 2]) == ()
    assert loops([*sentence * 3, 10, 11, 7]) == (Loop(0, 4, 3),)
    assert Loop(2, 4, 3).end == 14


def test_the_shortest_passage_counts() -> None:
    assert loops([1, 2, 3] * 6) == (Loop(0, 3, 6),)


def test_short_passages_must_come_more_often() -> None:
    assert loops([4] * 8) == ()
    assert loops([4] * 9) == (Loop(0, 1, 9),)
    assert loops([4, 5] * 4) == ()
    assert loops([4, 5] * 5) == (Loop(0, 2, 5),)


def test_two_loops_stand_side_by_side() -> None:
    assert loops([1, 2, 3] * 3 + [4, 5, 6] * 4) == (Loop(0, 3, 3), Loop(9, 3, 4))


def test_no_text_has_no_loop() -> None:
    assert loops([]) == loops([1]) == loops([1, 2]) == ()


def test_running_figures() -> None:
    # .5, then .5 * .125 = 1/16: the perplexity is 16 to the power 1/2
    found = running([step(0.5), step(0.125)])
    assert found.log_probability == pytest.approx([np.log(0.5), np.log(0.0625)])
    assert found.perplexity == pytest.approx([2.0, 4.0])
    assert running([]).perplexity.shape == (0,)
    assert running([step(0.0)]).perplexity.tolist() == [np.inf]


def test_the_rank_of_the_chosen_token() -> None:
    assert rank(step(0.1, Candidate(4, "b", 0.5, 0.5, rank=1), Candidate(5, "a", 0.1, 0.1, rank=7))) == 7
    assert rank(step(0.1)) == 0
