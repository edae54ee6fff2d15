"""The draw as a place on a line, and the candidates of a step with their ranks."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from explorer.draw import choose
from explorer.sampling import apply, candidates, entropy
from explorer.types import SamplingSettings
from tests.test_sampling import logs

S = SamplingSettings


# -- the draw --------------------------------------------------------------------------------------------------------


def test_the_draw_is_a_place_on_the_line_from_the_most_probable_on() -> None:
    final = np.array([0.2, 0.5, 0.0, 0.3])
    for step in range(50):
        id, draw = choose(final, 7, step)
        assert draw == np.random.default_rng([7, step]).random()
        assert id == (1 if draw < 0.5 else 3 if draw < 0.8 else 0)


def test_the_same_seed_and_step_draw_the_same_and_others_differ() -> None:
    final = np.full(1000, 0.001)
    assert choose(final, 1, 2) == choose(final, 1, 2)
    assert len({choose(final, 1, 2)[0], choose(final, 1, 3)[0], choose(final, 2, 2)[0]}) == 3


def test_draws_are_as_frequent_as_they_are_probable() -> None:
    final = np.array([0.1, 0.6, 0.3])
    counts = np.bincount([choose(final, 3, step)[0] for step in range(3000)], minlength=3)
    assert np.abs(counts / 3000 - final).max() < 0.03


def names(ids: Sequence[int]) -> list[str]:
    """A letter for each id."""
    return ["abcde"[id] for id in ids]


# -- candidates ------------------------------------------------------------------------------------------------------


def test_candidates_go_from_the_models_most_probable_on() -> None:
    sampled = apply(logs(0.1, 0.2, 0.3, 0.4), S(top_k=2))
    found = candidates(sampled, names, top=3)
    assert [(c.id, c.piece, round(c.p_model, 4), round(c.p_final, 4), c.removed_by) for c in found] == [
        (3, "d", 0.4, 0.5714, None),
        (2, "c", 0.3, 0.4286, None),
        (1, "b", 0.2, 0.0, "top_k"),
    ]


def test_candidates_include_the_chosen_and_what_a_filter_raised() -> None:
    sampled = apply(logs(0.5, 0.3, 0.15, 0.05), S(repetition_penalty=100.0), seen=[0, 1])
    assert [c.id for c in candidates(sampled, names, top=2)] == [0, 2]
    assert [c.id for c in candidates(sampled, names, top=2, also=[3])] == [0, 2, 3]
    assert [c.id for c in candidates(apply([0.0] * 4, S()), names, top=2)] == [0, 1]
    assert [c.id for c in candidates(sampled, names)] == [0, 1, 2, 3]


def test_the_rank_of_a_candidate_counts_all_tokens() -> None:
    sampled = apply(logs(0.1, 0.4, 0.2, 0.2, 0.1), S(top_k=2))
    assert [(c.id, c.rank) for c in candidates(sampled, names, top=1, also=[4])] == [(1, 1), (4, 5)]
    assert [(c.id, c.rank) for c in candidates(sampled, names)] == [(1, 1), (2, 2), (3, 3), (0, 4), (4, 5)]


def test_entropy_of_even_and_of_sure() -> None:
    assert entropy([0.25] * 4) == pytest.approx(math.log(4))
    assert str(entropy([1.0, 0.0])) == "0.0"
