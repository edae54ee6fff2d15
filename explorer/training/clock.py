"""What a training run measures of itself between two reports: loss, tokens a second, the wait for batches."""

from __future__ import annotations

import time
from dataclasses import dataclass, field, replace
from typing import Any

from explorer.training.checkpoint import Progress


@dataclass(frozen=True)
class Report:
    """A line of the log. loss: the mean of the steps since the last report (of the one before if there were
    none); speed: tokens a second; waiting: the share of the time in which the model waited for batches."""

    progress: Progress
    share: float
    loss: float
    rate: float
    speed: float
    waiting: float


@dataclass(eq=False)
class Clock:
    """Runs from the seconds that a training has spent before."""

    before: float
    began: float = field(default_factory=time.perf_counter)
    reported: float = field(default_factory=time.perf_counter)
    asked: float = field(default_factory=time.perf_counter)
    waited: float = 0.0
    tokens: int = 0
    losses: list[Any] = field(default_factory=list)
    rate: float = 0.0
    loss: float = 0.0

    def batch_came(self) -> None:
        """Called when the model has the batch that it asked for."""
        self.waited += time.perf_counter() - self.asked

    def step_done(self, progress: Progress, loss: Any, rate: float, tokens: int) -> Progress:
        """Called after a step. The loss stays on its device: reading it there would stop the device each time."""
        self.losses.append(loss)
        self.rate, self.tokens, self.asked = rate, self.tokens + tokens, time.perf_counter()
        return replace(progress, seconds=self.before + self.asked - self.began)

    def since_report(self) -> float:
        """Seconds."""
        return time.perf_counter() - self.reported

    def report(self, progress: Progress, share: float) -> Report:
        """What happened since the last report; starts anew."""
        spent = max(self.since_report(), 1e-9)
        if self.losses:
            self.loss = sum(float(each) for each in self.losses) / len(self.losses)
        made = Report(progress, share, self.loss, self.rate, self.tokens / spent, self.waited / spent)
        self.reported = self.asked = time.perf_counter()
        self.waited, self.tokens = 0.0, 0
        self.losses.clear()
        return made
