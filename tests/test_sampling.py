"""Filters by hand, their order, what cannot be used; invariants for any logits."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.draw import choose
from explorer.sampling import (
    OFF,
    apply,
    check,
    entropy,
    min_p,
    repetition_penalty,
    temperature,
    top_k,
    top_p,
    typical_p,
)
from explorer.types import InputProblem, SamplingSettings

S = SamplingSettings


def logs(*probabilities: float) -> np.ndarray:
    return np.log(probabilities)


def kept(logits: np.ndarray) -> list[int]:
    return np.flatnonzero(np.isfinite(logits)).tolist()


# -- the filters by hand ---------------------------------------------------------------------------------------------


def test_temperature_zero_is_greedy_and_says_so() -> None:
    sampled = apply([3, 2, 1], S(temperature=0))
    assert sampled.final.tolist() == [1, 0, 0]
    assert [stage.name for stage in sampled.stages] == ["model", "greedy"]
    assert str(sampled.notes[0]).startswith("Temperature 0 is greedy")
    assert choose(sampled.final, 5, 0) == (0, None)


def test_a_temperature_of_a_half_sharpens() -> None:
    assert np.round(apply([3, 2, 1], S(temperature=0.5)).final, 4).tolist() == [0.8668, 0.1173, 0.0159]


@pytest.mark.parametrize(
    ("probabilities", "final"),
    [((0.4, 0.3, 0.2, 0.1), [0.4444, 0.3333, 0.2222, 0]), ((0.5, 0.3, 0.1, 0.1), [0.625, 0.375, 0, 0])],
)
def test_top_p_keeps_the_token_that_crosses_and_none_once_the_mass_is_reached(probabilities, final) -> None:
    assert np.round(apply(logs(*probabilities), S(top_p=0.8)).final, 4).tolist() == final


def test_top_p_never_keeps_nothing_and_goes_by_id_among_equals() -> None:
    assert kept(top_p(logs(0.5, 0.5), 0.0)) == [0]
    assert kept(top_p(logs(0.25, 0.25, 0.25, 0.25), 0.5)) == [0, 1]
    assert kept(top_p(np.zeros(50257), 0.0)) == [0]


def test_top_k_keeps_what_equals_the_last_one_kept() -> None:
    assert kept(top_k(np.array([1.0, 3.0, 2.0, 2.0]), 2)) == [1, 2, 3]
    assert kept(top_k(np.array([1.0, 3.0]), 5)) == [0, 1]


def test_repetition_penalty_makes_negative_logits_more_negative() -> None:
    assert np.round(repetition_penalty(np.array([2, -1, 0.5]), [0, 1, 0], 1.5), 4).tolist() == [1.3333, -1.5, 0.5]
    sampled = apply([2, -1, 0.5], S(repetition_penalty=1.5), seen=[0, 1])
    assert np.round(sampled.logits, 4).tolist() == [1.3333, -1.5, 0.5]


def test_min_p_and_temperature_give_other_sets_in_the_other_order() -> None:
    logits = logs(0.9, 0.06, 0.04)
    first = apply(logits, S(temperature=2, min_p=0.1))
    assert np.round(first.final, 4).tolist() == [0.6807, 0.1758, 0.1435]
    order = ("repetition_penalty", "top_k", "top_p", "min_p", "temperature")
    last = apply(logits, S(temperature=2, min_p=0.1, order=order))
    assert last.final.tolist() == [1, 0, 0]
    assert (first.order, last.order) == (tuple(OFF), order)


def test_min_p_keeps_what_is_exactly_at_the_bound() -> None:
    assert kept(min_p(logs(0.5, 0.05, 0.04), 0.1)) == [0, 1]
    assert kept(min_p(logs(0.5, 0.5, 0.04), 1.0)) == [0, 1]


def test_typical_p_keeps_what_is_as_surprising_as_the_average() -> None:
    # Entropy 1.0427. Surprise of .55 is .598, of .3 is 1.204, of .1 is 2.303, of .05 is 2.996: nearest is .3, then .55.
    assert kept(typical_p(logs(0.55, 0.3, 0.1, 0.05), 0.3)) == [1]
    assert kept(typical_p(logs(0.55, 0.3, 0.1, 0.05), 0.31)) == [0, 1]
    assert kept(typical_p(logs(0.55, 0.3, 0.1, 0.05), 0.9)) == [0, 1, 2]
    assert kept(typical_p(logs(0.55, 0.3, 0.1, 0.05), 1.0)) == [0, 1, 2, 3]


def test_typical_p_never_keeps_nothing_and_keeps_what_is_as_near() -> None:
    assert kept(typical_p(np.zeros(4), 0.1)) == [0, 1, 2, 3]
    assert kept(typical_p(np.array([0.0, -math.inf]), 0.5)) == [0]
    sampled = apply(logs(0.55, 0.3, 0.1, 0.05), S(typical_p=0.3))
    assert sampled.removed_by(0) == "typical_p"
    assert sampled.removed_mass == pytest.approx((0, 0.7))


def test_a_filter_that_the_order_leaves_out_must_be_off() -> None:
    without = tuple(name for name in OFF if name != "typical_p")
    assert check(S(order=without)).order == without


def test_temperature_divides() -> None:
    assert temperature(np.array([3.0, -1.0]), 2.0).tolist() == [1.5, -0.5]


def test_greedy_falls_after_the_repetition_penalty_and_on_the_lowest_of_equals() -> None:
    sampled = apply([2, 2, 1.9], S(greedy=True, top_k=1, repetition_penalty=1.5), seen=[0, 1])
    assert [stage.name for stage in sampled.stages] == ["model", "repetition_penalty", "greedy"]
    assert sampled.final.tolist() == [0, 0, 1]
    assert apply([1, 2, 2], S(greedy=True)).final.tolist() == [0, 1, 0]


# -- stages ----------------------------------------------------------------------------------------------------------


def test_stages_tell_what_each_filter_kept_and_cut() -> None:
    sampled = apply(logs(0.4, 0.3, 0.2, 0.1), S(top_k=3, top_p=0.5))
    assert [(stage.name, stage.kept.tolist()) for stage in sampled.stages] == [
        ("model", [0, 1, 2, 3]),
        ("top_k", [0, 1, 2]),
        ("top_p", [0, 1]),
    ]
    assert sampled.removed_mass == pytest.approx((0, 0.1, 0.2 / 0.9))
    assert [sampled.removed_by(i) for i in range(4)] == [None, None, "top_p", "top_k"]
    assert sampled.entropy == pytest.approx(entropy([0.4, 0.3, 0.2, 0.1]))


def test_filters_that_are_off_leave_no_stage() -> None:
    assert [stage.name for stage in apply([1, 2], S()).stages] == ["model"]


def test_tokens_that_the_model_rules_out_are_cut_from_the_start() -> None:
    sampled = apply([-math.inf, 1.0, 1.0], S(temperature=2, top_k=3))
    assert sampled.stages[0].kept.tolist() == [1, 2]
    assert sampled.removed_by(0) == "model"
    assert sampled.final.tolist() == [0, 0.5, 0.5]


def test_a_probability_too_small_to_hold_is_not_a_cut() -> None:
    sampled = apply([0.0, -2000.0], S(temperature=0.5))
    assert sampled.stages[1].kept.tolist() == [0, 1]
    assert sampled.final.tolist() == [1, 0]


# -- what cannot be used ---------------------------------------------------------------------------------------------

ORDER = (
    "must name each filter that is on once, out of: repetition_penalty, temperature, top_k, top_p, min_p, typical_p."
)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (S(temperature=-1.0), "temperature is -1.0, but must be at least 0."),
        (S(temperature=math.nan), "temperature is nan, but must be at least 0."),
        (S(temperature=math.inf), "temperature is inf, but must be a finite number."),
        (S(top_k=-1), "top_k is -1, but must be at least 0."),
        (S(top_p=1.5), "top_p is 1.5, but must lie between 0 and 1."),
        (S(top_p=-0.1), "top_p is -0.1, but must lie between 0 and 1."),
        (S(min_p=2.0), "min_p is 2.0, but must lie between 0 and 1."),
        (S(seed=-1), "seed is -1, but must be at least 0."),
        (S(repetition_penalty=0.0), "repetition_penalty is 0, but must be greater than 0; 1 turns it off."),
        (S(repetition_penalty=-2.0), "repetition_penalty is -2.0, but must be at least 0."),
        (S(typical_p=1.5), "typical_p is 1.5, but must lie between 0 and 1."),
        (S(temperature=0.5, order=("top_k",)), f"The order is top_k, but {ORDER}"),
        (S(order=("top_j",)), f"The order is top_j, but {ORDER}"),
        (S(order=(*OFF, "top_k")), f"The order is {', '.join(OFF)}, top_k, but {ORDER}"),
    ],
)
def test_settings_out_of_range_are_refused_with_the_value(settings: SamplingSettings, words: str) -> None:
    with pytest.raises(InputProblem) as problem:
        check(settings)
    assert str(problem.value) == words


@pytest.mark.parametrize(
    ("logits", "seen", "settings", "words"),
    [
        ([], [], S(), "The logits have the shape (0,); give one row of numbers."),
        ([[1, 2]], [], S(), "The logits have the shape (1, 2); give one row of numbers."),
        ([1, math.nan], [], S(), "The largest of the logits is nan, which is no finite number."),
        ([1, math.inf], [], S(), "The largest of the logits is inf, which is no finite number."),
        ([-math.inf] * 2, [], S(), "The largest of the logits is -inf, which is no finite number."),
        ([1, 2], [2], S(), "The token 2 was seen, but the ids go from 0 to 1."),
        ([1, 2], [], S(temperature=1e-320), "temperature is 1e-320, too extreme for these logits."),
    ],
)
def test_logits_that_cannot_be_used_are_refused(logits, seen, settings, words) -> None:
    with pytest.raises(InputProblem) as problem:
        apply(logits, settings, seen)
    assert str(problem.value) == words


# -- invariants ------------------------------------------------------------------------------------------------------

some_settings = st.builds(
    SamplingSettings,
    temperature=st.floats(0.1, 5) | st.just(0.0),
    top_k=st.integers(0, 12),
    top_p=st.floats(0, 1),
    min_p=st.floats(0, 1),
    repetition_penalty=st.floats(0.5, 3),
    typical_p=st.floats(0, 1),
    order=st.permutations(list(OFF)).map(tuple),
)
some_logits = st.lists(st.floats(-50, 50) | st.just(-math.inf), min_size=1, max_size=12).filter(
    lambda values: max(values) > -math.inf
)


@given(some_logits, some_settings, st.data())
def test_every_stage_is_a_distribution_over_a_subset_of_the_one_before(logits, settings, data) -> None:
    seen = data.draw(st.lists(st.integers(0, len(logits) - 1)))
    sampled = apply(logits, settings, seen)
    before = set(range(len(logits)))
    for stage in sampled.stages:
        assert stage.probabilities.sum() == pytest.approx(1)
        assert stage.kept.size
        assert set(stage.kept.tolist()) <= before
        before = set(stage.kept.tolist())
        assert set(np.flatnonzero(stage.probabilities).tolist()) <= before
    id, _ = choose(sampled.final, 0, 0)
    assert sampled.removed_by(id) is None
    assert sampled.final[id] > 0
    assert all(0 <= mass <= 1 for mass in sampled.removed_mass)


@given(some_logits, st.floats(0, 1), st.floats(0, 1), st.integers(1, 12), st.integers(1, 12))
def test_a_looser_filter_keeps_all_that_a_tighter_one_keeps(logits, p, q, k, m) -> None:
    values = np.array(logits)
    tight, loose = sorted((p, q))
    assert set(kept(top_p(values, tight))) <= set(kept(top_p(values, loose)))
    few, many = sorted((k, m))
    assert set(kept(top_k(values, few))) <= set(kept(top_k(values, many)))
    if tight > 0:
        assert set(kept(min_p(values, loose))) <= set(kept(min_p(values, tight)))


@given(some_logits, st.floats(0.01, 0.99))
def test_top_p_keeps_the_shortest_head_that_reaches_p(logits, p) -> None:
    values = np.array(logits)
    probabilities = apply(values, S()).final
    inside = kept(top_p(values, p))
    assert probabilities[inside].sum() >= p - 1e-6
    least = min(probabilities[inside])
    assert probabilities[inside].sum() - least <= p + 1e-6


@given(some_logits, st.floats(1.01, 5))
def test_a_higher_temperature_never_lowers_the_entropy(logits, value) -> None:
    assert entropy(apply(logits, S(temperature=value)).final) >= entropy(apply(logits, S()).final) - 1e-9
