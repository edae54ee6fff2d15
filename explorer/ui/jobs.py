"""Work that takes its time, beside the page: what needs no model is drawn first, the rest comes when it comes.

A job runs in a thread of its own and is shared by all readers who ask for the same. While it runs the page stays
usable: whatever the reader does next goes on at once, and the result is there when it is done. One that nobody looks at
any more gives up its place in the line before its model, and begins again when somebody does.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from concurrent import futures
from concurrent.futures import Future, ThreadPoolExecutor
from threading import Lock
from typing import Generic, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.models.places import Progress
from explorer.models.turns import Asker, asking
from explorer.types import InputProblem, Message
from explorer.ui.leaving import visitor
from explorer.ui.line import awaited, before_you
from explorer.ui.words import literal, sentence, t

T = TypeVar("T")

WORKERS = ThreadPoolExecutor(max_workers=32, thread_name_prefix="job")
"""Enough for a class: whoever must wait does so in the line before a model, where the places are known."""

AT_ONCE = 0.3
"""Seconds up to which nobody is told to wait."""

LOOK = 0.05
"""Seconds between two looks at a job that is waited for."""

UNWATCHED = 5.0
"""Seconds after which a job that waits in a line, and that no page looks at, gives up its place."""


class GivenUp(Exception):
    """A job that nobody waits for any more."""


class Job(Generic[T]):
    """One piece of work; `doing` tells what it is at, and the share done where that is known; `before` how many other
    people come first. workers: who does it; what may take minutes has its own, and goes on unwatched."""

    def __init__(self, work: Callable[[Progress], T], workers: ThreadPoolExecutor = WORKERS) -> None:
        self._work, self._workers, self._who = work, workers, visitor()
        self._lock = Lock()
        self.start()

    def start(self) -> None:
        """Begin, or begin again after a failure."""
        self.doing: tuple[Message, float | None] = (Message("Getting ready"), None)
        self.before, self._seen = 0, time.monotonic()
        self._future: Future[T] = self._workers.submit(self._do)

    def _do(self) -> T:
        with asking(Asker(self._who, self._wait)):
            return self._work(self._tell)

    def _wait(self, people: int) -> None:
        """In the line: it is told how many come first."""
        if people and self._workers is WORKERS and time.monotonic() - self._seen > UNWATCHED:
            raise GivenUp
        self.before = people

    def _tell(self, doing: Message, share: float | None) -> None:
        self.doing = doing, share

    @property
    def done(self) -> bool:
        """Whether it has come to an end. Whoever asks is taken to wait for it."""
        with self._lock:
            self._seen = time.monotonic()
            if self._future.done() and isinstance(self._future.exception(), GivenUp):
                self.start()
            return self._future.done()

    @property
    def problem(self) -> InputProblem | None:
        """Why there is no result, in words. A failure that is nobody's input is raised."""
        found = self._future.exception() if self.done else None
        if found is not None and not isinstance(found, InputProblem):
            raise found
        return found

    @property
    def result(self) -> T | None:
        """What came out, None while nothing has."""
        return self._future.result() if self.done and self.problem is None else None

    def drop(self, free: Callable[[T], object]) -> None:
        """Nobody wants the result any more: `free` it, now or when it comes."""

        def let_go(future: Future[T]) -> None:
            if future.exception() is None:
                free(future.result())

        self._future.add_done_callback(let_go)

    def ends_within(self, seconds: float) -> bool:
        """Whether it comes to an end so soon."""
        if not self.done:
            futures.wait([self._future], seconds)
        return self.done

    def within(self, seconds: float) -> T | None:
        """The result if it comes so soon."""
        self.ends_within(seconds)
        return self.result


def stay(job: Job[T], place: DeltaGenerator, seconds: float = math.inf) -> None:
    """Tell in `place` what is being done until it is done, or for so long."""
    began, told = time.monotonic(), ""
    while not job.ends_within(LOOK) and (passed := time.monotonic() - began) < seconds:
        doing, share = (before_you(job.before), None) if job.before else job.doing
        # The language is read from the session, and there Streamlit ends a run that the reader has overtaken.
        words = awaited(t("{doing} · {seconds} s", doing=doing, seconds=f"{passed:.0f}"), share or 0.0)
        if passed > AT_ONCE and words != told:
            place.html(words)
            told = words
    if told:
        place.empty()


def wait(job: Job[T], place: DeltaGenerator) -> None:
    """Tell in `place` what is being done until it is done, then draw the page again; or say what went wrong."""
    stay(job, place)
    if job.problem is None:
        st.rerun()
    with place.container():
        st.error(sentence(job.problem.message))
        st.button(literal(t("Try again")), key="again", on_click=job.start)
