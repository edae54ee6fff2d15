"""A linear head on frozen states: what it learns, and that its slopes are those of the loss."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.linear_head import Head, Rows, _measured, _slope, learn, rows_of, split
from explorer.objectives import Texts
from explorer.types import InputProblem
from tests.examples import make
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
RNG = np.random.default_rng(0)


def rows(kind: str, *, count: int = 12) -> Rows:
    """Random states; what is wanted can be read off their first numbers."""
    states = np.random.default_rng(1).normal(size=(count, 5))
    if kind == "value":
        return Rows(states, states[:, :1] * 3 + 1, np.arange(count), kind)
    if kind == "question_answering":
        starts = np.arange(0, count, 4)
        wanted = np.zeros((count, 2))
        for start in starts:
            wanted[start + states[start : start + 4, :2].argmax(axis=0), [0, 1]] = 1
        return Rows(states, wanted, starts, kind)
    return Rows(states, np.eye(3)[states[:, :3].argmax(axis=1)], np.arange(count), kind)


KINDS = ["sequence_classification", "token_classification", "question_answering", "value"]


@pytest.mark.parametrize("kind", KINDS)
def test_the_slope_is_that_of_the_loss(kind) -> None:
    given = rows(kind)
    columns = given.wanted.shape[1]
    weights, bias = RNG.normal(size=(5, columns)), RNG.normal(size=columns)

    def loss(bias):
        return _measured(Head(weights, bias, np.zeros(5), np.ones(5), ("",) * columns), given)[0]

    slope = _slope(given.states @ weights + bias, given).sum(axis=0)
    for column in range(columns):
        step = 1e-5 * np.eye(columns)[column]
        found = (loss(bias + step) - loss(bias - step)) / 2e-5
        assert found == pytest.approx(slope[column], abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
def test_what_can_be_learned_is_learned(kind) -> None:
    given = rows(kind)
    steps: list[int] = []
    found = learn(given, rows(kind, count=8), ("a",) * given.wanted.shape[1], 200, steps.append)
    first, last = found.points[0], found.points[-1]
    assert (first.step, last.step, steps[-1]) == (0, 200, 200)
    assert last.loss < 0.35 * first.loss
    assert last.right == (None if kind == "value" else 1.0)
    assert last.held_loss is not None


def test_the_first_loss_is_that_of_a_guess() -> None:
    found = learn(rows("sequence_classification"), None, ("a", "b", "c"), 1)
    assert found.points[0].loss == pytest.approx(np.log(3))
    assert found.points[0].held_right is None
    assert learn(rows("question_answering"), None, ("start", "end"), 1).points[0].loss == pytest.approx(np.log(4))


def test_one_label_alone_teaches_nothing() -> None:
    same = Rows(np.ones((3, 2)), np.array([[1.0, 0.0]] * 3), np.arange(3), "sequence_classification")
    with pytest.raises(InputProblem, match="All examples to learn from have the same label"):
        learn(same, None, ("a", "b"), 5)


def test_rows_are_the_states_at_the_targets() -> None:
    tags = [make("token_classification", LETTERS, Texts("ab c", target="B-X O"), {"tags": "O,B-X"})]
    states = [np.arange(10.0).reshape(5, 2)]
    found = rows_of(tags, states)
    assert found.states.tolist() == [[2, 3], [6, 7]]
    assert found.wanted.tolist() == [[0, 1], [1, 0]]
    answers = [make("question_answering", LETTERS, Texts("q", "a bc", answer)) for answer in ("bc", None)]
    found = rows_of(answers, [np.zeros((7, 2)), np.ones((7, 2))])
    assert found.starts.tolist() == [0, 7]
    assert np.argwhere(found.wanted).tolist() == [[4, 0], [5, 1], [7, 0], [7, 1]]
    number = [make("sequence_classification", LETTERS, Texts("a", target="2.5"), {"classes": "score"})]
    found = rows_of(number, [np.zeros((3, 2))])
    assert (found.kind, found.wanted.tolist(), found.states.tolist()) == ("value", [[2.5]], [[0, 0]])


def test_an_output_has_the_shape_of_its_objective() -> None:
    head = Head(np.eye(2), np.zeros(2), np.zeros(2), np.ones(2), ("x", "y"))
    example = make("sequence_classification", LETTERS, Texts("a", target="x"), {"classes": "x,y"})
    assert head.output(np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]), example).logits.tolist() == [1, 2]


def test_a_quarter_of_every_label_is_held_out() -> None:
    assert split(["a"] * 3) == ([0, 1, 2], [])
    for count in range(4, 60):
        labels = [str(at % 2) for at in range(count)]
        taught, held = split(labels)
        assert (len(held), sorted([*taught, *held])) == (count // 4, list(range(count)))
        assert abs(sum(labels[at] == "1" for at in held) - len(held) / 2) <= 1
        assert split(labels) == (taught, held)
