"""The best span under the rules beside two separate maxima; answers compared; an answer marked by clicks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.answers import Answer, best_answers, broken, marked, overlap, plain, separate

INSIDE = np.array([False, False, False, True, True, True, True, False])


def scores(**at: float) -> np.ndarray:
    found = np.zeros(8)
    for name, value in at.items():
        found[int(name[1:])] = value
    return found


def test_the_end_may_not_stand_before_the_start() -> None:
    start, end = scores(t5=4.0, t3=3.0), scores(t4=5.0, t6=1.0)
    assert separate(start, end) == Answer(5, 4, 9.0)
    assert str(broken(separate(start, end), INSIDE, 15)) == "the end, 4, stands before the start, 5"
    assert best_answers(start, end, INSIDE, 15, 3) == (Answer(3, 4, 8.0), Answer(4, 4, 5.0), Answer(5, 6, 5.0))


def test_question_and_separators_are_no_answer() -> None:
    start, end = scores(t1=9.0, t4=1.0), scores(t2=9.0, t4=1.0)
    assert str(broken(separate(start, end), INSIDE, 15)) == "tokens 1 to 2 are not all in the context"
    assert best_answers(start, end, INSIDE, 15) == (Answer(4, 4, 2.0),)


def test_no_more_tokens_than_allowed() -> None:
    start, end = scores(t3=5.0, t5=1.0), scores(t6=5.0, t3=1.0)
    assert best_answers(start, end, INSIDE, 15) == (Answer(3, 6, 10.0),)
    assert str(broken(Answer(3, 6, 10.0), INSIDE, 3)) == "tokens 3 to 6 are more than 3"
    assert best_answers(start, end, INSIDE, 3) == (Answer(3, 3, 6.0),)
    assert broken(Answer(3, 6, 10.0), INSIDE, 4) is None


def test_without_a_context_there_is_no_answer() -> None:
    assert best_answers(np.zeros(3), np.zeros(3), np.zeros(3, dtype=bool), 5, 4) == ()


@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 10))
def test_the_best_span_is_that_of_trying_all(seed: int, longest: int, length: int) -> None:
    rng = np.random.default_rng(seed)
    start, end, inside = rng.normal(size=length), rng.normal(size=length), rng.random(length) < 0.7
    tried = [
        (start[i] + end[j], i, j)
        for i in range(length)
        for j in range(i, min(length, i + longest))
        if inside[i] and inside[j]
    ]
    found = best_answers(start, end, inside, longest)
    assert [each.score for each in found] == ([pytest.approx(max(tried)[0])] if tried else [])
    assert all(broken(each, inside, longest) is None for each in found)


def test_answers_are_compared_without_articles_and_punctuation() -> None:
    assert plain("  The cat, a dog; an Ape!") == "cat dog ape"
    assert overlap("the Eiffel Tower", "Eiffel tower.") == 1
    assert overlap("Paris", "Paris, France") == pytest.approx(2 / 3)
    assert overlap("Paris", "London") == 0
    assert (overlap("", ""), overlap("Paris", "")) == (1, 0)


WORDS = [(0, 3), (4, 9), (10, 12), (13, 20)]


@pytest.mark.parametrize(
    ("clicks", "span"),
    [([1], (4, 9)), ([1, 3], (4, 20)), ([3, 1], (4, 9)), ([1, 1], None), ([0, 2, 3], (13, 20)), ([0, 1, 0], (0, 3))],
)
def test_clicks_mark_an_answer(clicks, span) -> None:
    found = None
    for click in clicks:
        found = marked(WORDS, found, click)
    assert found == span


def test_an_answer_inside_a_word_counts_as_that_word() -> None:
    assert marked(WORDS, (5, 7), 2) == (4, 12)
