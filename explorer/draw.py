"""The draw: tokens laid end to end on a line, the most probable first, and a number between 0 and 1 that falls on one.

The number depends on the seed and the step alone. Alphabet: V vocabulary.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.streams import Ints

Floats = NDArray[np.float64]


def choose(final: ArrayLike, seed: int, step: int) -> tuple[int, float | None]:
    """The id drawn from the probabilities `final` (V,), and the uniform number in [0, 1) that chose it; None where
    only one token is left. The same seed and step always draw the same."""
    probabilities = np.asarray(final, dtype=np.float64)
    possible = np.flatnonzero(probabilities > 0)
    if len(possible) == 1:
        return int(possible[0]), None
    order, ends = line(probabilities)
    drawn = number(seed, step)
    return int(fallen(order, ends, drawn)), drawn


def line(probabilities: Floats) -> tuple[Ints, Floats]:
    """The possible ids in their order on the line, equals by id, and where each one ends."""
    order = falling(probabilities, np.flatnonzero(probabilities > 0))
    return order, np.cumsum(probabilities[order])


def number(seed: int, step: int) -> float:
    """The uniform number of a step, in [0, 1)."""
    return float(np.random.default_rng([seed, step]).random())


def fallen(order: Ints, ends: Floats, numbers: ArrayLike) -> Ints:
    """The ids that numbers in [0, 1) fall on.

    >>> fallen(np.array([7, 3]), np.array([0.75, 1.0]), [0.0, 0.74, 0.76]).tolist()
    [7, 7, 3]
    """
    places = np.searchsorted(ends, np.asarray(numbers) * ends[-1], side="right")
    return np.asarray(order[places], dtype=np.int64)


def falling(weight: Floats, ids: Ints) -> Ints:
    """The ascending `ids` from the heaviest to the lightest, equals by id."""
    return ids[np.argsort(-weight[ids], kind="stable")]
