"""Measures and names of heads, with values worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.head_atlas import PATTERNS, measure, named

IDS = np.array([5, 6, 5, 6])
CAUSAL = np.tri(4, dtype=bool)
REAL = np.ones(4, dtype=bool)


def one(rows, mask=CAUSAL, ids=IDS, real=REAL, same=True):
    """The measures of a single head, as plain numbers."""
    found = measure(np.array(rows, dtype=float)[None, None], mask, ids, real, same=same)
    return {name: round(float(getattr(found, name)[0, 0]), 4) for name in vars(found)}


def test_the_token_before():
    found = one([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]])
    assert found["previous"] == 1
    assert found["own"] == 0  # the first row, which has no choice, does not count
    assert found["distance"] == 1
    assert found["entropy"] == 0
    assert found["first"] == 0.3333


def test_copying_what_followed():
    # Position 2 reads 5 as position 0 did, which 6 followed at position 1; position 3 reads 6: 5 followed, at 2.
    found = one([[1, 0, 0, 0], [1, 0, 0, 0], [0.5, 0.5, 0, 0], [0, 0, 0.7, 0.3]])
    assert found["copying"] == 0.6
    assert np.isnan(one(np.eye(4), ids=np.arange(4))["copying"])


def test_an_even_head_has_all_the_entropy_there_is():
    found = one(np.tri(4) / np.arange(1, 5)[:, None])
    assert found["even"] == 1
    assert found["entropy"] == round(float(np.log([2, 3, 4]).mean()), 4)


def test_pads_and_the_last_real_key():
    keep = np.array([True, True, True, False])
    found = one(np.full((4, 4), 0.25), mask=np.ones((4, 4), dtype=bool), real=keep)
    assert (found["pads"], found["last"], found["first"]) == (0.25, 0.25, 0.25)


def test_rows_that_look_at_nothing_do_not_count():
    mask = np.array([[False, False], [False, True]])
    found = one([[np.nan, np.nan], [0, 1]], mask=mask, ids=np.array([5, 6]), real=np.array([False, True]))
    assert (found["own"], found["first"], found["last"], found["pads"]) == (1, 1, 1, 0)


def test_cross_attention_has_no_self():
    found = one([[0.5, 0.5, 0, 0]], mask=np.ones((1, 4), dtype=bool), same=False)
    assert found["first"] == 0.5
    assert all(np.isnan(found[name]) for name in ("own", "previous", "distance", "copying"))


HEADS = {
    "copying": [[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]],
    "previous": [[1, 0, 0, 0], [0.9, 0.1, 0, 0], [0.1, 0.9, 0, 0], [0, 0.5, 0.4, 0.1]],
    "own": np.eye(4),
    "first": [[1, 0, 0, 0]] * 4,
    "even": np.tri(4) / np.arange(1, 5)[:, None],
}


@pytest.mark.parametrize("name", HEADS)
def test_names_come_with_score_and_threshold(name):
    ids = IDS if name == "copying" else np.arange(4)
    weights = np.array(HEADS[name], dtype=float)[None, None]
    [found] = named(measure(weights, CAUSAL, ids, REAL, same=True))
    assert found.pattern.measure == name
    assert found.score >= found.pattern.threshold
    assert found.pattern in PATTERNS


def test_a_head_without_a_pattern_has_no_name():
    rows = np.array([[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.1, 0.5, 0.4, 0], [0.0, 0.6, 0.1, 0.3]])
    assert named(measure(rows[None, None], CAUSAL, np.arange(4), REAL, same=True)) == ()
