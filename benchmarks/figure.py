"""One measured figure: a ratio within this run, its bound, and whether it holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Figure:
    """`value` at most `bound`; name says what is measured and against which baseline."""

    name: str
    value: float
    bound: float

    @property
    def holds(self) -> bool:
        """Whether the bound is kept."""
        return self.value <= self.bound

    def __str__(self) -> str:
        return f"{self.name} {self.value:.2f} {self.bound:g} {'ok' if self.holds else 'short'}"


@dataclass(frozen=True)
class NotMeasured:
    """A figure that this machine cannot give, its bound, and why; what is not measured does not hold."""

    name: str
    bound: float
    why: str
    holds: bool = False

    def __str__(self) -> str:
        return f"{self.name} - {self.bound:g} not measured: {self.why}"


def report(figures: Sequence[Figure | NotMeasured]) -> int:
    """Print one line a figure; the exit status, 1 where one is short or not measured."""
    for figure in figures:
        print(figure, flush=True)
    return 0 if all(figure.holds for figure in figures) else 1
