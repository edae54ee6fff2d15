"""Many heads as one matrix, with values worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.combined import blocks, combined, renormalised, rollout, window

TWO = np.array(
    [
        [[[1.0, 0.0], [0.2, 0.8]], [[1.0, 0.0], [0.6, 0.4]]],
        [[[1.0, 0.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]]],
    ]
)
"""(2,2,2,2): two causal layers of two heads."""


@pytest.mark.parametrize(
    ("how", "wanted"),
    [
        ("head", [[1.0, 0.0], [0.6, 0.4]]),
        ("mean", [[1.0, 0.0], [0.4, 0.6]]),
        ("maximum", [[1.0, 0.0], [0.6, 0.8]]),
        ("rollout", [[1.0, 0.0], [0.2, 0.8]]),  # half of the mean, half of the residual path
    ],
)
def test_the_heads_of_the_first_layer_as_one(how, wanted):
    np.testing.assert_allclose(combined(TWO, how, 0, 1), wanted)


def test_rollout_multiplies_the_layers():
    # Layer 0: [[1,0],[.2,.8]], layer 1: [[1,0],[.25,.75]]; their product's second row is .25 + .75 * [.2, .8].
    np.testing.assert_allclose(rollout(TWO), [[1.0, 0.0], [0.4, 0.6]])
    np.testing.assert_allclose(combined(TWO, "rollout", 1, 0), rollout(TWO))


def test_rollout_rows_add_up_to_one():
    weights = np.random.default_rng(0).dirichlet(np.ones(7), size=(3, 4, 7)).astype(np.float32)
    np.testing.assert_allclose(rollout(weights).sum(axis=1), 1, atol=1e-6)


def test_hidden_keys_are_made_up_for():
    weights = np.array([[0.5, 0.25, 0.25], [0.9, 0.1, 0.0], [1.0, 0.0, 0.0]])
    found = renormalised(weights, np.array([False, True, True]))
    np.testing.assert_allclose(found, [[0.5, 0.5], [1.0, 0.0], [0.0, 0.0]])


def test_blocks_of_a_causal_matrix():
    weights = np.tri(4) / np.arange(1, 5)[:, None]
    found = blocks(weights, np.tri(4, dtype=bool), 2)
    np.testing.assert_allclose(found.weights, [[1.0, 0.0], [(2 / 3 + 1 / 2) / 2, (1 / 3 + 1 / 2) / 2]])
    assert found.mask.tolist() == [[True, False], [True, True]]
    assert found.rows.tolist() == found.columns.tolist() == [0, 2, 4]


def test_a_row_that_looks_at_nothing_does_not_thin_its_block():
    mask = np.array([[False, False], [True, True]])
    found = blocks(np.array([[np.nan, np.nan], [0.5, 0.5]]), mask, 1)
    np.testing.assert_allclose(found.weights, [[1.0]])


@pytest.mark.parametrize("length", [1, 129, 200, 512])
def test_rows_of_blocks_add_up_to_one_at_any_length(length):
    weights = np.random.default_rng(1).dirichlet(np.ones(length), size=length)
    found = blocks(weights, np.ones((length, length), dtype=bool), 64)
    np.testing.assert_allclose(found.weights.sum(axis=1), 1)
    assert len(found.weights) <= 64
    assert found.rows[-1] == length


def test_a_window_stays_inside():
    assert window(0, 5, 9) == slice(0, 5)
    assert window(8, 5, 9) == slice(4, 9)
    assert window(4, 5, 9) == slice(2, 7)
