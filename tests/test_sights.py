"""What is shown of the weights, with values worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.looking import example_for
from explorer.masks import causal
from explorer.objectives import Texts
from explorer.sights import Choice, halves, sight
from tests.fakes import LetterTokenizer

WRAPPED = LetterTokenizer(template=True)
SHARES = np.array([0.4, 0.1, 0.2, 0.1, 0.2])


def stream(text: str, text_b: str | None = None):
    return example_for("encoder", Texts(text, text_b=text_b), WRAPPED).encoder


def seen(choice: Choice, text: str = "a b c", text_b: str | None = None):
    """[CLS] a b c [SEP], every row alike."""
    read = stream(text, text_b)
    weights = np.tile(np.resize(SHARES, len(read)), (1, 1, len(read), 1))
    return sight(weights, np.ones((len(read), len(read)), dtype=bool), choice, read, read)


def test_everything_unless_asked():
    found = seen(Choice())
    assert found.weights.shape == (5, 5)
    assert found.rows.tolist() == found.columns.tolist() == [0, 1, 2, 3, 4]


def test_special_tokens_are_left_out_and_made_up_for():
    found = seen(Choice(hide=True))
    assert found.rows.tolist() == found.columns.tolist() == [1, 2, 3]
    np.testing.assert_allclose(found.weights, [[0.25, 0.5, 0.25]] * 3)


def test_a_text_of_specials_only_is_shown_whole():
    assert seen(Choice(hide=True), "[MASK]").weights.shape == (3, 3)


@pytest.mark.parametrize(
    ("pair", "rows", "columns"),
    [("aa", [0, 1, 2], [0, 1, 2]), ("ab", [0, 1, 2], [3, 4]), ("ba", [3, 4], [0, 1, 2]), ("bb", [3, 4], [3, 4])],
)
def test_the_four_directions_of_a_pair(pair, rows, columns):
    found = seen(Choice(pair=pair), "a", "b")  # [CLS] a [SEP] b [SEP]
    assert (found.rows.tolist(), found.columns.tolist()) == (rows, columns)
    np.testing.assert_allclose(found.weights, [SHARES[columns]] * len(rows))


def test_a_text_alone_has_no_halves():
    assert halves(stream("a b")) is None
    assert seen(Choice(pair="ab")).weights.shape == (5, 5)


def test_a_part_keeps_its_positions():
    read = stream("a b c")
    whole = sight(np.tri(5)[None, None], causal(5), Choice(), read, read)
    part = whole.part(slice(1, 3), slice(0, 2))
    assert part.weights.tolist() == [[1, 1], [1, 1]]
    assert part.mask.tolist() == [[True, True], [True, True]]
    assert (part.rows.tolist(), part.columns.tolist()) == ([1, 2], [0, 1])
