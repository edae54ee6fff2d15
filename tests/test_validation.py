"""Pieces of a file, and losses summed over all targets whatever the pieces' length."""

from __future__ import annotations

import time

import numpy as np
import pytest

from explorer.objectives import Texts, objective
from explorer.types import InputProblem, Message
from explorer.validation import LONGEST, Tally, pieces, validate
from tests.fakes import LetterTokenizer


def test_paragraphs_where_there_are_some_else_lines() -> None:
    assert [each.text for each in pieces("one\ntwo\n\nthree", 9).texts] == ["one\ntwo", "three"]
    assert [each.text for each in pieces("one\n two \nthree\n", 9).texts] == ["one", "two", "three"]


def test_long_pieces_are_cut_at_white_space_and_nothing_is_lost() -> None:
    text = "가나다라 마바사 " * 400
    found = [each.text for each in pieces(text, 999).texts]
    assert all(len(each.encode()) <= LONGEST for each in found)
    assert " ".join(found).split() == text.split()


def test_a_line_without_white_space_is_cut_too() -> None:
    found = [each.text for each in pieces("한" * 1000, 999).texts]
    assert "".join(found) == "한" * 1000
    assert max(len(each.encode()) for each in found) <= LONGEST


def test_a_million_lines_are_sampled_evenly_and_it_is_said() -> None:
    began = time.perf_counter()
    found = pieces("\n".join(map(str, range(1_000_000))), 100)
    assert time.perf_counter() - began < 20
    assert [each.text for each in found.texts][:3] == ["0", "10000", "20000"]
    assert str(found.notes[0]) == "Of 1000000 pieces 100 are read, evenly spread over the file."


def test_pairs_stand_in_lines_and_bad_ones_are_named() -> None:
    found = pieces("a\tb\nonly one\n\tb\n\t\nc\td\te\n", 9, paired=True)
    assert found.texts == (Texts("a", target="b"), Texts("c", target="d"))
    assert str(found.notes[0]) == "Lines without two texts and a tab between: 2, first line 2."


@pytest.mark.parametrize(("text", "paired"), [("  \n ", False), ("no tab here", True), ("", True)])
def test_nothing_to_score_is_said(text: str, paired: bool) -> None:
    with pytest.raises(InputProblem):
        pieces(text, 9, paired=paired)


def test_a_long_piece_weighs_as_much_as_it_has_targets() -> None:
    tally = Tally().add(np.array([4.0])).add(np.array([1.0, 1.0, 1.0]))
    assert (tally.mean, tally.mean_of_means, tally.targets) == (1.75, 2.5, 4)
    assert tally.perplexity == pytest.approx(np.exp(1.75))
    assert Tally().mean is None
    assert Tally().mean_of_means is None


def test_pieces_that_cannot_be_scored_are_counted_with_the_first_reason() -> None:
    item, words = objective("causal_lm"), LetterTokenizer()
    texts = [Texts("a b c"), Texts("   "), Texts("a")]
    tallies = list(
        validate(
            texts, lambda each: item.build(each, words, item.Settings(), None), lambda made: np.ones(made.n_targets)
        )
    )
    assert [each.done for each in tallies] == [1, 2, 3]
    assert (tallies[-1].scored, tallies[-1].skipped, tallies[-1].targets) == (1, 2, 2)
    assert isinstance(tallies[-1].reason, Message)
    assert "There is no text" in str(tallies[-1].reason)
