"""Attention by hand: the worked example to four decimals, rows that are not numbers, sinusoidal positions."""

import warnings

import numpy as np
import pytest

from explorer.attend import EXAMPLE, attend, sinusoidal_positions
from explorer.masks import causal, full, padding, with_padding


@pytest.mark.parametrize(
    ("mask", "weights"),
    [
        (
            full(4),
            [
                [0.7738, 0.0745, 0.0225, 0.1292],
                [0.1566, 0.4173, 0.0637, 0.3624],
                [0.0086, 0.0116, 0.9756, 0.0041],
                [0.1717, 0.2291, 0.0142, 0.5850],
            ],
        ),
        (
            causal(4),
            [[1, 0, 0, 0], [0.2729, 0.7271, 0, 0], [0.0087, 0.0117, 0.9796, 0], [0.1717, 0.2291, 0.0142, 0.5850]],
        ),
        (
            padding([1, 1, 1, 0]),
            [
                [0.8886, 0.0856, 0.0258, 0],
                [0.2456, 0.6544, 0.1000, 0],
                [0.0087, 0.0117, 0.9796, 0],
                [0.4137, 0.5521, 0.0342, 0],
            ],
        ),
    ],
    ids=["no mask", "causal", "key 4 hidden"],
)
def test_the_worked_example(mask, weights) -> None:
    found = attend(EXAMPLE, EXAMPLE, mask)
    assert np.abs(found.weights - weights).max() <= 0.5e-4 + 1e-6
    assert np.allclose(found.weights.sum(axis=1), 1, atol=1e-12)
    assert np.array_equal(np.isneginf(found.masked), ~mask)
    assert np.array_equal(found.masked[mask], found.scores[mask])


def test_the_cells_that_stay_are_renormalised_and_the_last_causal_row_is_unchanged() -> None:
    free, bound = attend(EXAMPLE, EXAMPLE, full(4)).weights, attend(EXAMPLE, EXAMPLE, causal(4)).weights
    assert np.array_equal(free[3], bound[3])
    assert np.allclose(bound[1, :2], free[1, :2] / free[1, :2].sum(), atol=1e-12)


def test_a_row_hidden_entirely_is_not_a_number_and_warns_of_nothing() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = attend(EXAMPLE, EXAMPLE, with_padding(causal(4), [0, 1, 1, 1])).weights
    assert np.isnan(weights[0]).all()
    assert np.isfinite(weights[1:]).all()


def test_large_scores_do_not_overflow() -> None:
    weights = attend([[1000.0]], [[1000.0], [999.0]], full(1, 2)).weights
    assert weights[0].tolist() == [1.0, 0.0]


def test_sinusoidal_positions() -> None:
    """PE(pos,2i) = sin(pos/10000^(2i/d)), PE(pos,2i+1) = cos(same); by hand for d = 4, where 10000^(2/4) = 100."""
    found = sinusoidal_positions(3, 4)
    assert found[0].tolist() == [0, 1, 0, 1]
    assert found[2].tolist() == pytest.approx([np.sin(2), np.cos(2), np.sin(0.02), np.cos(0.02)])
    assert sinusoidal_positions(2, 5).shape == (2, 5)
