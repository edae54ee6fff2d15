"""Cross-attention as an alignment: rows named by what they must say, without pads, divided by what is shown."""

import numpy as np
import pytest

from explorer.alignment import align
from explorer.objectives import Texts, objective
from tests.fakes import LetterTokenizer


@pytest.fixture
def example():
    item = objective("seq2seq")
    return item.build(Texts("a b", target="c d e"), LetterTokenizer(template=True), item.Settings(pad_to=6), None)


def test_rows_are_what_outputs_must_say(example) -> None:
    weights = np.tile(np.array([0.1, 0.6, 0.2, 0.1, 0.0, 0.0]), (2, 5, 1))
    found = align(weights, example, hide_special=False)
    assert found.target == example.label_visible == ("[CLS]", "c", "d", "e", "[SEP]")
    assert found.source == ("[CLS]", "a", "b", "[SEP]")
    assert found.weights.sum(axis=1) == pytest.approx(np.ones(5))
    assert found.best == (1,) * 5


def test_without_control_tokens_each_row_is_divided_by_what_is_left(example) -> None:
    weights = np.tile(np.array([0.7, 0.1, 0.15, 0.05, 0.0, 0.0]), (1, 5, 1))
    found = align(weights, example, hide_special=True)
    assert found.source == ("a", "b")
    assert found.weights[0] == pytest.approx([0.4, 0.6])
    assert found.kept == pytest.approx(np.full(5, 0.25))


def test_the_heads_are_averaged_and_a_row_with_nothing_stays_0(example) -> None:
    weights = np.zeros((2, 5, 6))
    weights[0, 0, 1], weights[1, 0, 2] = 1, 1
    found = align(weights, example, hide_special=True)
    assert found.weights[0].tolist() == [0.5, 0.5]
    assert found.weights[1].tolist() == [0, 0]
