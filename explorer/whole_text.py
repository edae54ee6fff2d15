"""A text that was written, looked at as a whole: how probable up to each token, and where it goes round in a circle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.types import Step

LONGEST, SHORTEST = 64, 3
"""Tokens of a passage that may come again and again; a shorter one must come often enough to be as long together."""

TIMES = 3
"""How often in a row a passage must come to be called a loop."""


@dataclass(frozen=True)
class Loop:
    """From `start` on, `period` tokens come `times` times in a row."""

    start: int
    period: int
    times: int

    @property
    def end(self) -> int:
        """The first token after the loop."""
        return self.start + self.period * self.times


def loops(ids: Sequence[int]) -> tuple[Loop, ...]:
    """Passages that come at least three times in a row, the shortest period of each, from left to right. A passage of
    one or two tokens must make at least nine tokens, so that "ha ha ha" and "..." are none.

    >>> loops([7, 1, 2, 3, 1, 2, 3, 1, 2, 3, 1, 9])
    (Loop(start=1, period=3, times=3),)
    """
    values = np.asarray(ids, dtype=np.int64)
    found: list[Loop] = []
    for period in range(1, min(LONGEST, len(values) // TIMES) + 1):
        for start, length in _runs(values[period:] == values[:-period]):
            times = (length + period) // period
            loop = Loop(start, period, times)
            enough = times >= TIMES and times * period >= SHORTEST * TIMES
            if enough and not any(each.start < loop.end and loop.start < each.end for each in found):
                found.append(loop)
    return tuple(sorted(found, key=lambda loop: loop.start))


def _runs(same: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Where stretches of True begin, and how long they are."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], same, [False]))))
    return [(int(start), int(end - start)) for start, end in edges.reshape(-1, 2)]


@dataclass(frozen=True, eq=False)
class Running:
    """After each of N steps: log_probability (N,) of all so far, in nats, and perplexity (N,)."""

    log_probability: NDArray[np.float64]
    perplexity: NDArray[np.float64]


def running(steps: Sequence[Step]) -> Running:
    """The figures of a text as it grows; a token that the model rules out makes both infinite."""
    with np.errstate(divide="ignore", over="ignore"):
        logs = np.log(np.array([step.p_model for step in steps], dtype=np.float64)).cumsum()
        return Running(logs, np.exp(-logs / np.arange(1, len(logs) + 1)))


def rank(step: Step) -> int:
    """The place of the chosen token in the model's distribution, from 1; 0 where nobody has counted."""
    return next((one.rank for one in step.candidates if one.id == step.chosen), 0)
