"""What each token counts for when batches of different length are averaged, or their gradients accumulated.

The gradient of a mean is the mean of the gradients, so a token's share of the mean is its share of the step too: a mean
of means and gradients accumulated from the means of micro-batches go wrong in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np
from numpy.typing import NDArray

from explorer.loss import CombinedLoss, LossResult, combine
from explorer.types import IGNORE, InputProblem, Message, check_range

Floats = NDArray[np.float64]

MOST = 200
"""The most losses that are read."""

LARGEST = 1e6
"""The largest loss that is read, so that no sum is infinite."""


@dataclass(frozen=True)
class Averages:
    """Several batches. by_token and by_batch: for each batch the share (T,) of each of its positions in the mean, 0
    where there is no loss; the shares of all batches add up to 1. by_batch is the mean of means."""

    batches: tuple[LossResult, ...]
    combined: CombinedLoss
    by_token: tuple[Floats, ...]
    by_batch: tuple[Floats, ...]

    @property
    def distortion(self) -> float:
        """How many times as much a token of the shortest batch counts in the mean of means as one of the longest."""
        counts = [batch.n_targets for batch in self.batches if batch.n_targets]
        return max(counts) / min(counts) if counts else 1.0

    @property
    def warnings(self) -> tuple[Message, ...]:
        """Batches in which every label is ignored: a plain mean of them is 0/0."""
        return tuple(
            Message(
                "Batch {number} has no supervised tokens: every label is ignored. Its own mean would be 0/0, not a "
                "number; it adds nothing here.",
                {"number": number},
            )
            for number, batch in enumerate(self.batches, 1)
            if not batch.n_targets
        )


def averages(batches: Sequence[LossResult]) -> Averages:
    """The shares of all tokens in both means.

    >>> found = averages([LossResult(np.array([4.0])), LossResult(np.array([1.0, 1.0, 1.0]))])
    >>> found.combined.mean, found.combined.mean_of_means, found.distortion
    (1.75, 2.5, 3.0)
    """
    combined = combine(batches)
    scored = sum(1 for batch in batches if batch.n_targets)
    by_token = tuple(_shares(batch, combined.n_targets) for batch in batches)
    by_batch = tuple(_shares(batch, scored * batch.n_targets) for batch in batches)
    return Averages(tuple(batches), combined, by_token, by_batch)


def _shares(batch: LossResult, whole: int) -> Floats:
    return np.where(np.isnan(batch.per_position), 0.0, 1.0 / whole if whole else 0.0)


def read_batches(text: str) -> tuple[LossResult, ...]:
    """Losses of tokens, batches separated by | or by lines; -100, or a dash, is a token without loss. Raises
    InputProblem with what is no loss, or where there are none.

    >>> [batch.per_position.tolist() for batch in read_batches("4 | 1 1 -")]
    [[4.0], [1.0, 1.0, nan]]
    """
    parts = [re.split(r"[\s,;]+", part.strip()) for part in re.split(r"[|\n]", text) if part.strip()]
    if not parts:
        raise InputProblem("There are no losses. Write those of each batch as numbers, with | between batches.")
    count = sum(map(len, parts))
    if count > MOST:
        raise InputProblem("There are {count} losses; give at most {most}.", {"count": count, "most": MOST})
    return tuple(LossResult(np.array([_loss(word) for word in part if word])) for part in parts)


def _loss(word: str) -> float:
    if word in {"-", "−", str(IGNORE)}:
        return np.nan
    try:
        value = float(word)
    except ValueError:
        value = -1.0
    if not 0 <= value < inf:
        raise InputProblem(
            "{value} is no loss. Write numbers of at least 0, and {ignore} for a token without loss.",
            {"value": word, "ignore": IGNORE},
        )
    check_range("loss", value, 0, LARGEST)
    return value
