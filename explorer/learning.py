"""A training as it is seen from outside while it goes on: plain read-only values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze
from explorer.types import Attention, AttentionKind

NONE = "none"
"""The key of no mistake."""

POINTS = 240
"""The most points of a curve: when it has more, each two neighbours become one."""


@dataclass(frozen=True)
class Dials:
    """What may be changed while a training goes on: the learning rate, the share of hidden tokens (None where nothing
    is hidden), and the key of a mistake."""

    rate: float
    hidden: float | None = None
    mistake: str = NONE


@dataclass(frozen=True, eq=False)
class Curve:
    """A loss (N,) over the steps (N,) at which it was measured."""

    steps: NDArray[np.int64]
    losses: NDArray[np.float64]

    def __post_init__(self) -> None:
        freeze(self, steps=np.int64, losses=np.float64)

    def __len__(self) -> int:
        return len(self.steps)

    @property
    def last(self) -> float | None:
        """The newest loss."""
        return float(self.losses[-1]) if len(self) else None


NOTHING = Curve(np.zeros(0, dtype=np.int64), np.zeros(0))


@dataclass(frozen=True)
class Sample:
    """What the model made of one text that it was not trained on; right: whether it is what was wanted, None where
    anything may be."""

    given: str
    written: str
    wanted: str | None = None
    right: bool | None = None


@dataclass(frozen=True)
class Look:
    """The model measured at one step. held_out: the loss on texts kept back, nothing done wrong; score: the share that
    the task counts; dials: as they stood; attention: of the probe, by kind; ended: the share of writings that came to
    an end, None where none should; follows: the share of pairs whose next-sentence answer is true."""

    step: int
    seconds: float
    held_out: float
    score: float
    samples: tuple[Sample, ...]
    dials: Dials
    attention: Mapping[AttentionKind, Attention]
    ended: float | None = None
    follows: float | None = None


@dataclass(frozen=True)
class Snapshot:
    """A training as it stands: steps and seconds of work so far, both curves, the newest look, and the step at which
    each change of the dials came into force."""

    step: int = 0
    seconds: float = 0.0
    training: Curve = NOTHING
    held_out: Curve = NOTHING
    look: Look | None = None
    reached: float | None = None
    changes: tuple[tuple[int, Dials], ...] = ()


@dataclass(eq=False)
class Recorder:
    """Collects losses step by step into a curve of at most POINTS points, each the mean of as many steps."""

    stride: int = 1
    points: list[tuple[int, float]] = field(default_factory=list)
    waiting: list[float] = field(default_factory=list)

    def add(self, step: int, loss: float) -> None:
        """The loss of the next step.

        >>> recorder = Recorder()
        >>> for step in range(1, POINTS + 2):
        ...     recorder.add(step, float(step))
        >>> len(recorder.curve()), recorder.stride, recorder.curve().losses[:2].tolist()
        (120, 2, [1.5, 3.5])
        """
        self.waiting.append(loss)
        if len(self.waiting) < self.stride:
            return
        self.points.append((step, sum(self.waiting) / len(self.waiting)))
        self.waiting.clear()
        if len(self.points) > POINTS:
            self._halve()

    def curve(self) -> Curve:
        steps, losses = zip(*self.points, strict=True) if self.points else ((), ())
        return Curve(np.array(steps), np.array(losses))

    def _halve(self) -> None:
        """Each two neighbours become one; a point left over waits for the steps to come."""
        pairs = list(zip(self.points[::2], self.points[1::2], strict=False))
        if len(self.points) % 2:
            self.waiting = [self.points[-1][1]] * self.stride
        self.points = [(second[0], (first[1] + second[1]) / 2) for first, second in pairs]
        self.stride *= 2
