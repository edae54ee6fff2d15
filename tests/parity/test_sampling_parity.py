"""Every filter against its counterpart in transformers, alone on 1,000 random rows and in all combinations."""

from itertools import product

import numpy as np
import pytest
import torch
from transformers import (
    LogitsProcessorList,
    MinPLogitsWarper,
    RepetitionPenaltyLogitsProcessor,
    TemperatureLogitsWarper,
    TopKLogitsWarper,
    TopPLogitsWarper,
    TypicalLogitsWarper,
)

from explorer.sampling import OFF, apply
from explorer.types import SamplingSettings

THEIRS = {
    "repetition_penalty": RepetitionPenaltyLogitsProcessor,
    "temperature": TemperatureLogitsWarper,
    "top_k": TopKLogitsWarper,
    "top_p": TopPLogitsWarper,
    "min_p": MinPLogitsWarper,
    "typical_p": TypicalLogitsWarper,
}
VALUES = {
    "repetition_penalty": (0.7, 1.3),
    "temperature": (0.3, 0.8, 1.7),
    "top_k": (1, 5, 40, 1000),
    "top_p": (0.0, 0.1, 0.5, 0.9, 0.99),
    "min_p": (0.01, 0.1, 0.5, 1.0),
    "typical_p": (0.1, 0.5, 0.9, 0.99),
}
COMBINATIONS = list(product(*((OFF[name], values[1]) for name, values in VALUES.items())))
"""Every filter on or off: 64 of them."""


def drawn(rows: int, seed: int, size: int = 200) -> tuple[np.ndarray, np.ndarray]:
    """Logits (R,V), from flat to sharp, some tokens ruled out, some equal; seen ids (R,20) with repeats."""
    rng = np.random.default_rng(seed)
    logits = rng.normal(0, rng.uniform(0.1, 6, (rows, 1)), (rows, size))
    logits[rng.random(logits.shape) < 0.05] = -np.inf
    return logits, rng.integers(size, size=(rows, 20))


def theirs(logits: np.ndarray, seen: np.ndarray, settings: SamplingSettings) -> torch.Tensor:
    on = [name for name in settings.order if getattr(settings, name) != OFF[name]]
    chain = LogitsProcessorList([THEIRS[name](getattr(settings, name)) for name in on])
    return chain(torch.from_numpy(seen), torch.from_numpy(logits.copy()))


def assert_equal(logits: np.ndarray, seen: np.ndarray, settings: SamplingSettings) -> None:
    expected = theirs(logits, seen, settings)
    kept, probabilities = torch.isfinite(expected).numpy(), torch.softmax(expected, -1).numpy()
    for row, ids, stays, shares in zip(logits, seen, kept, probabilities, strict=True):
        sampled = apply(row, settings, ids.tolist())
        assert np.array_equal(sampled.stages[-1].kept, np.flatnonzero(stays)), settings
        assert np.abs(sampled.final - shares).max() < 1e-6, settings


@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in VALUES.items() for value in values], ids=str
)
def test_each_filter_on_a_thousand_rows(name: str, value: float) -> None:
    assert_equal(*drawn(1000, 1), SamplingSettings(**{name: value}))


@pytest.mark.parametrize("name", ["top_k", "min_p"])
def test_filters_by_threshold_agree_where_logits_are_equal(name: str) -> None:
    logits, seen = drawn(1000, 2)
    assert_equal(np.round(logits), seen, SamplingSettings(**{name: VALUES[name][1]}))


@pytest.mark.parametrize("chosen", COMBINATIONS, ids=str)
def test_every_combination_on_a_thousand_rows(chosen: tuple[float, ...]) -> None:
    assert_equal(*drawn(1000, 3, size=40), SamplingSettings(**dict(zip(VALUES, chosen, strict=True))))


@pytest.mark.parametrize("chosen", [each for each in COMBINATIONS if each[0] == OFF["repetition_penalty"]], ids=str)
def test_every_combination_where_logits_are_equal(chosen: tuple[float, ...]) -> None:
    """Which of equal tokens stays at the edge of top-p, transformers leaves to its sorting, and what comes after works
    on that choice: so what each keeps is compared by probability, not by id, and nothing is penalised."""
    settings = SamplingSettings(**dict(zip(VALUES, chosen, strict=True)))
    logits, seen = drawn(1000, 6, size=40)
    logits = np.round(logits)
    expected = torch.softmax(theirs(logits, seen, settings), -1).numpy()
    for row, shares in zip(logits, expected, strict=True):
        ours = apply(row, settings).final
        assert np.abs(np.sort(ours) - np.sort(shares)).max() < 1e-6


def test_all_filters_in_other_orders() -> None:
    logits, seen = drawn(20, 4)
    rng = np.random.default_rng(5)
    for _ in range(30):
        order = tuple(rng.permutation(list(OFF)).tolist())
        assert_equal(logits, seen, SamplingSettings(0.8, 40, 0.9, 0.02, 1.3, order=order, typical_p=0.95))
