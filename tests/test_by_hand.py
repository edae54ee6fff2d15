"""One position and a few positions by hand: every step as a literal value."""

import math

import numpy as np
import pytest

from explorer.by_hand import read_positions, work
from explorer.loss import cross_entropy
from explorer.types import IGNORE, InputProblem

THREE = "2 1 .1 .5 .3\n.5 2.5 .2 .1 .8\n.3 .1 3 .4 .2"


def test_each_step_of_the_reference() -> None:
    worked = work([2.0, 1.0, 0.1], 0)
    assert worked.lowered.round(4).tolist() == [0.0, -1.0, -1.9]
    assert worked.powers.round(4).tolist() == [1.0, 0.3679, 0.1496]
    assert round(worked.total, 4) == 1.5174
    assert worked.probabilities.round(3).tolist() == [0.659, 0.242, 0.099]
    assert worked.target.tolist() == [1.0, 0.0, 0.0]
    assert worked.terms.round(4).tolist() == [0.4170, 0.0, 0.0]
    assert round(worked.result.mean, 4) == 0.4170


def test_the_steps_of_a_smoothed_target_add_up_to_the_loss() -> None:
    worked = work([2.0, 1.0, 0.1, 0.5, 0.3], 1, 0.1)
    assert worked.target.round(2).tolist() == [0.02, 0.92, 0.02, 0.02, 0.02]
    assert worked.terms.sum() == pytest.approx(cross_entropy([2.0, 1.0, 0.1, 0.5, 0.3], 1, 0.1).mean)


def test_large_logits_do_not_overflow() -> None:
    worked = work([1000.0, 999.0], 1)
    assert worked.probabilities.round(4).tolist() == [0.7311, 0.2689]
    assert worked.terms.sum() == pytest.approx(math.log(1 + math.e))


def test_an_ignored_position_has_probabilities_and_no_loss() -> None:
    worked = work([2.0, 1.0, 0.1], IGNORE)
    assert worked.probabilities.round(3).tolist() == [0.659, 0.242, 0.099]
    assert worked.terms.tolist() == [0.0, 0.0, 0.0]
    assert worked.result.mean is None
    assert "no supervised tokens" in str(worked.result.warnings[0])


def test_three_positions_of_the_reference() -> None:
    result = read_positions(THREE, "0 1 2").result
    assert np.exp(-result.per_position).round(4).tolist() == [0.5200, 0.6627, 0.7953]
    assert round(result.mean, 6) == 0.431481


def test_every_label_ignored_is_no_zero() -> None:
    result = read_positions(THREE, "-100, −100 -100").result
    assert result.mean is None
    assert "no supervised tokens" in str(result.warnings[0])


@pytest.mark.parametrize(
    ("rows", "labels", "words"),
    [
        ("2 x", "0", "x is no number"),
        ("2 1", "zero", "zero is no label"),
        ("2 1\n1", "0 0", "rows of numbers, all of one length"),
        ("2 1", "0 1", "one row of logits for each label"),
        ("2 1", "5", "a label 5; give a whole number from 0 to 1"),
        ("", "", "one row of logits for each label"),
        ("1 2\n" * 501, "0", "There are 1002 numbers; give at most 1000"),
    ],
)
def test_what_cannot_be_scored_is_said(rows: str, labels: str, words: str) -> None:
    with pytest.raises(InputProblem, match=words):
        _ = read_positions(rows, labels).result
