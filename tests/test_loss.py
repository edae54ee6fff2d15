"""Losses: the reference values by hand, nothing to score, means over tokens, smoothing."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.loss import (
    LossResult,
    bits_per_byte,
    combine,
    cross_entropy,
    joint_loss,
    log_softmax,
    smoothed_target,
    smoothing_floor,
)
from explorer.types import IGNORE, InputProblem

THREE_ROWS = [[2, 1, 0.1, 0.5, 0.3], [0.5, 2.5, 0.2, 0.1, 0.8], [0.3, 0.1, 3, 0.4, 0.2]]


def test_one_position_by_hand() -> None:
    assert np.round(np.exp(log_softmax([2.0, 1.0, 0.1])), 3).tolist() == [0.659, 0.242, 0.099]
    assert round(cross_entropy([[2.0, 1.0, 0.1]], [0]).mean, 4) == 0.4170
    assert round(cross_entropy([2.0, 1.0, 0.1], 0).mean, 4) == 0.4170


def test_three_positions_by_hand() -> None:
    result = cross_entropy(THREE_ROWS, [0, 1, 2])
    assert np.round(np.exp(-result.per_position), 4).tolist() == [0.5200, 0.6627, 0.7953]
    assert round(result.mean, 6) == 0.431481
    assert result.perplexity == pytest.approx(math.exp(0.431481), abs=1e-5)


def test_ignored_positions_are_not_numbers_and_do_not_count() -> None:
    result = cross_entropy(THREE_ROWS, [0, IGNORE, 2])
    alone = cross_entropy(THREE_ROWS, [0, 1, 2]).per_position
    assert np.isnan(result.per_position).tolist() == [False, True, False]
    assert (result.n_targets, result.mean) == (2, pytest.approx((alone[0] + alone[2]) / 2))
    assert result.warnings == ()


def test_no_supervised_tokens_is_said_and_is_no_zero() -> None:
    result = cross_entropy(THREE_ROWS, [IGNORE] * 3)
    assert (result.mean, result.perplexity, result.n_targets) == (None, None, 0)
    assert "no supervised tokens" in str(result.warnings[0])
    assert bits_per_byte(result, 10) is None


def test_batches_are_weighted_by_their_tokens() -> None:
    one, three = LossResult(np.array([4.0])), LossResult(np.array([1.0, 1.0, 1.0, np.nan]))
    found = combine([one, three])
    assert (found.mean, found.mean_of_means, found.n_targets) == (1.75, 2.5, 4)
    assert found.perplexity == pytest.approx(math.exp(1.75))


def test_batches_without_targets_add_nothing() -> None:
    nothing = LossResult(np.array([np.nan]))
    assert combine([nothing, LossResult(np.array([2.0]))]).mean_of_means == 2.0
    assert combine([nothing]).mean is None
    assert combine([]).perplexity is None


def test_label_smoothing_spreads_a_tenth_over_all_classes() -> None:
    spread = smoothed_target(3, 8000, 0.1)
    assert spread[3] == pytest.approx(0.9 + 0.1 / 8000)
    assert np.delete(spread, 3) == pytest.approx(np.full(7999, 0.1 / 8000))
    assert spread.sum() == pytest.approx(1.0)


def test_a_smoothed_loss_is_the_cross_entropy_with_the_smoothed_target() -> None:
    expected = -(smoothed_target(1, 5, 0.1) * log_softmax(THREE_ROWS[1])).sum()
    assert cross_entropy(THREE_ROWS[1:2], [1], smoothing=0.1).mean == pytest.approx(expected)


def test_an_even_guess_costs_the_logarithm_of_the_vocabulary() -> None:
    assert round(cross_entropy([[0.0] * 8000], [7]).mean, 3) == 8.987
    assert round(cross_entropy([[0.0] * 8], [7]).mean, 3) == 2.079
    assert round(cross_entropy([[0.0] * 50257], [7]).mean, 1) == 10.8


def test_impossible_tokens_cost_infinity_and_sure_ones_nothing() -> None:
    logits = [[-math.inf, 1.0], [-math.inf, 1.0]]
    result = cross_entropy(logits, [1, IGNORE])
    assert str(result.per_position[0]) == "0.0"
    assert cross_entropy(logits, [0, 1]).perplexity == math.inf


def test_bits_per_byte_counts_bytes_and_not_tokens() -> None:
    assert bits_per_byte(LossResult(np.array([math.log(2), 3 * math.log(2), np.nan])), 8) == pytest.approx(0.5)


def test_a_smoothed_target_has_a_loss_that_nothing_goes_below() -> None:
    assert round(smoothing_floor(8000, 0.1), 4) == 1.2237
    sure = np.full((1, 8000), -20.0)
    sure[0, 0] = 20.0
    said = np.log(smoothed_target(0, 8000, 0.1))[None]
    assert cross_entropy(said, [0], 0.1).mean == pytest.approx(smoothing_floor(8000, 0.1))
    assert cross_entropy(sure, [0], 0.1).mean > 3
    assert smoothing_floor(8000, 0.0) == 0.0


def test_gpt_adds_half_of_the_language_loss_to_that_of_the_task() -> None:
    assert joint_loss(0.357, 3.80) == pytest.approx(2.257)
    assert joint_loss(0.357, 3.80, 0.0) == 0.357
    with pytest.raises(InputProblem, match="weight is -1, but must be at least 0"):
        joint_loss(1.0, 1.0, -1)


SHAPES = "The logits have the shape {} and the labels {}; give one row of logits for each label."
NUMBERS = "The logits must be rows of numbers, all of one length."
LARGEST = "Row 1 of the logits has no finite largest value; give plain numbers, -Infinity for what cannot be."
LABEL = "There is a label {}; give a whole number from 0 to 1, or -100 for no loss."


@pytest.mark.parametrize(
    ("logits", "labels", "words"),
    [
        ([[1, 2]], [0, 1], SHAPES.format((1, 2), (2,))),
        ([[1, 2]], [[0]], SHAPES.format((1, 2), (1, 1))),
        ([[1, 2], [3]], [0, 1], NUMBERS),
        ([["a", 2]], [0], NUMBERS),
        ({"a": 1}, [0], NUMBERS),
        ([[1, 2], [math.nan, 2]], [0, 0], LARGEST),
        ([[1, 2], [math.inf, 2]], [0, 0], LARGEST),
        ([[1, 2], [-math.inf] * 2], [0, 0], LARGEST),
        ([[1, 2]], [2], LABEL.format(2)),
        ([[1, 2]], [-1], LABEL.format(-1)),
        ([[1, 2]], [0.5], LABEL.format(0.5)),
        ([[1, 2]], [None], LABEL.format(None)),
        ([[1, 2]], [10**30], LABEL.format(10**30)),
    ],
)
def test_what_cannot_be_scored_is_refused_with_the_value(logits, labels, words) -> None:
    with pytest.raises(InputProblem) as problem:
        cross_entropy(logits, labels)
    assert str(problem.value) == words


def test_values_out_of_range_are_refused() -> None:
    for smoothing in (-0.1, 1.1, math.nan):
        with pytest.raises(InputProblem, match=f"smoothing is {smoothing}"):
            cross_entropy([[1, 2]], [0], smoothing)
    with pytest.raises(InputProblem, match="The text has 0 bytes"):
        bits_per_byte(LossResult(np.array([1.0])), 0)


@given(st.lists(st.lists(st.floats(0, 20), min_size=1, max_size=6), min_size=1, max_size=6))
def test_the_combined_mean_is_that_of_all_tokens_in_one_batch(batches: list[list[float]]) -> None:
    together = LossResult(np.array([loss for batch in batches for loss in batch]))
    found = combine([LossResult(np.array(batch)) for batch in batches])
    assert found.mean == pytest.approx(together.mean)
    assert found.n_targets == together.n_targets
