"""Softmax and cross entropy of one position, step by step; and the losses of a few positions given as numbers.

Alphabet: V tokens that could come, N positions with loss.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.loss import LossResult, cross_entropy, smoothed_target
from explorer.streams import freeze
from explorer.types import IGNORE, InputProblem

Floats = NDArray[np.float64]

MOST = 1000
"""The most numbers that are read."""


@dataclass(frozen=True, eq=False)
class Worked:
    """All (V,): logits; lowered by the largest, so that no power overflows; powers of e; target: what the
    probabilities are compared with, all 0 where there is no label. result: the loss as everywhere else."""

    logits: Floats
    lowered: Floats
    powers: Floats
    target: Floats
    result: LossResult

    def __post_init__(self) -> None:
        freeze(self, logits=np.float64, lowered=np.float64, powers=np.float64, target=np.float64)

    @property
    def total(self) -> float:
        """The sum of the powers, which each of them is divided by."""
        return float(self.powers.sum())

    @property
    def probabilities(self) -> Floats:
        """(V,): they add up to 1."""
        return self.powers / self.total

    @property
    def terms(self) -> Floats:
        """(V,): target times -ln p, which add up to the loss; 0 where the target is 0, whatever p is."""
        surprise = np.log(self.total) - self.lowered
        terms = np.multiply(self.target, surprise, out=np.zeros_like(surprise), where=self.target > 0)
        return np.asarray(terms, dtype=np.float64)


def work(logits: list[float], label: int, smoothing: float = 0.0) -> Worked:
    """One position by hand; label IGNORE is no loss. Raises InputProblem as `cross_entropy`.

    >>> worked = work([2.0, 1.0, 0.1], 0)
    >>> worked.probabilities.round(3).tolist(), round(float(worked.terms.sum()), 4)
    ([0.659, 0.242, 0.099], 0.417)
    """
    result = cross_entropy([logits], [label], smoothing)
    values = np.array(logits, dtype=np.float64)
    lowered = values - values.max()
    target = np.zeros(len(values)) if label == IGNORE else smoothed_target(label, len(values), smoothing)
    return Worked(values, lowered, np.exp(lowered), target, result)


@dataclass(frozen=True)
class Positions:
    """Several positions: rows of logits (N of V numbers each), one label each."""

    rows: tuple[tuple[float, ...], ...]
    labels: tuple[int, ...]

    @property
    def result(self) -> LossResult:
        """Raises InputProblem for shapes that do not fit and labels that are none."""
        return cross_entropy(self.rows, self.labels)


def read_positions(rows: str, labels: str) -> Positions:
    r"""A line of numbers for each position, and one label for each. Raises InputProblem with what is no number.

    >>> read_positions("2 1 0.1\n0, 0, 3", "0 -100")
    Positions(rows=((2.0, 1.0, 0.1), (0.0, 0.0, 3.0)), labels=(0, -100))
    """
    read = [tuple(_number(word) for word in _words(line)) for line in rows.split("\n") if line.strip()]
    count = sum(map(len, read))
    if count > MOST:
        raise InputProblem("There are {count} numbers; give at most {most}.", {"count": count, "most": MOST})
    return Positions(tuple(read), tuple(_label(word) for word in _words(labels)))


def _words(line: str) -> list[str]:
    return [word for word in re.split(r"[\s,;]+", line) if word]


def _number(word: str) -> float:
    try:
        return float(word.replace("−", "-"))
    except ValueError:
        raise InputProblem(
            "{value} is no number. Write the logits as numbers, such as 2 1 0.1.", {"value": word}
        ) from None


def _label(word: str) -> int:
    try:
        return int(word.replace("−", "-"))
    except ValueError:
        raise InputProblem(
            "{value} is no label. Write whole numbers, and {ignore} for no loss.", {"value": word, "ignore": IGNORE}
        ) from None
