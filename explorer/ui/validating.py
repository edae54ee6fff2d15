"""A validation loop beside the page: it can be stopped, ends when nobody watches it, and never takes all workers."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Event

import numpy as np

from explorer.models import runtime, tokenizer
from explorer.models.places import Progress
from explorer.objectives import objective
from explorer.types import Message
from explorer.ui.jobs import Job
from explorer.validation import Pieces, Tally, validate

LOOPS = ThreadPoolExecutor(max_workers=2, thread_name_prefix="validation")
"""Long work has workers of its own, so that the short work of other readers never waits behind it."""

UNWATCHED = 20.0
"""Seconds after which a loop that no page asks about ends."""

BREATH = 0.02
"""Seconds between two pieces in which others may have the model: a lock alone would hardly ever pass on."""


@dataclass(frozen=True)
class Loop:
    """What is validated: the key of an objective, a model, the pieces, the seed of the draws."""

    objective: str
    model: str
    pieces: Pieces
    seed: int = 0


class Validating:
    """A loop that goes on beside the page; `tallies` grows by one for each piece."""

    def __init__(self, loop: Loop) -> None:
        self.loop = loop
        self.tallies: list[Tally] = []
        self._stop = Event()
        self.watch()
        self.job = Job(self._work, LOOPS)

    def watch(self) -> None:
        """Say that a page still looks at it."""
        self._watched = time.monotonic()

    def stop(self) -> None:
        """End after the piece at hand; what was found stays."""
        self._stop.set()

    @property
    def stopped(self) -> bool:
        """Whether it was ended before the last piece."""
        return self._stop.is_set() or time.monotonic() - self._watched > UNWATCHED

    def _work(self, tell: Progress) -> int:
        if self.stopped:
            return 0
        run, asked = runtime(), objective(self.loop.objective)
        model = run.identify(self.loop.model, progress=tell)
        run.load(model, tell)
        words, rng, settings = tokenizer(self.loop.model), np.random.default_rng(self.loop.seed), asked.Settings()
        count = len(self.loop.pieces.texts)
        for tally in validate(
            self.loop.pieces.texts,
            lambda texts: asked.build(texts, words, settings, rng),
            lambda made: run.score(model, made, top=1).losses,
        ):
            self.tallies.append(tally)
            tell(Message("{n} of {count} pieces", {"n": tally.done, "count": count}), tally.done / count)
            if self.stopped:
                break
            time.sleep(BREATH)
        return len(self.tallies)
