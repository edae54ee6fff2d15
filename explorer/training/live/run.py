"""A training in a thread of its own: started, paused, changed and watched from elsewhere, and never left alone.

A run holds a thread and one of the server's places only while it learns. It gives both back when it is paused, when
nobody has watched it for a while (the visitor left), and when its time is over; it can go on from where it stopped.
"""

from __future__ import annotations

import time
from collections import deque
from enum import Enum
from threading import Lock, Thread

from explorer.learning import Dials, Snapshot
from explorer.training.live.learner import Learner
from explorer.training.live.tasks import LiveTask
from explorer.types import InputProblem

PLACES = 2
"""Runs that learn at the same time on one server."""
ALONE = 20.0
"""Seconds without anybody who watches, after which a run pauses itself."""
LONGEST = 600.0
"""Seconds of work after which a run is over."""
EVERY = 1.5
"""Seconds of work between two looks at least; looking takes a fifth of the time at most."""
TAKEN = 0.2
"""Seconds between two snapshots."""


class State(Enum):
    """What a run is doing."""

    WAITING = "waiting"
    RUNNING = "running"
    PAUSED = "paused"
    OVER = "over"
    FAILED = "failed"


class Places:
    """Who learns and who waits, first come first served."""

    def __init__(self, most: int) -> None:
        self._most, self._learning = most, 0
        self._waiting: deque[LiveRun] = deque()
        self._lock = Lock()

    def enter(self, run: LiveRun) -> None:
        """The run learns as soon as there is a place."""
        with self._lock:
            self._waiting.append(run)
            self._fill()

    def forget(self, run: LiveRun) -> None:
        """The run waits no more."""
        with self._lock:
            if run in self._waiting:
                self._waiting.remove(run)

    @property
    def counts(self) -> tuple[int, int]:
        """How many learn, and how many wait."""
        with self._lock:
            return self._learning, len(self._waiting)

    def number(self, run: LiveRun) -> int:
        """The run's place among those that wait, from 1; 0 for one that does not wait."""
        with self._lock:
            self._fill()
            return self._waiting.index(run) + 1 if run in self._waiting else 0

    def _fill(self) -> None:
        for run in [run for run in self._waiting if not run.watched]:
            self._waiting.remove(run)
            run.give_up()
        while self._waiting and self._learning < self._most:
            self._learning += 1
            Thread(target=self._work, args=(self._waiting.popleft(),), name="live", daemon=True).start()

    def _work(self, run: LiveRun) -> None:
        try:
            run.work()
        finally:
            with self._lock:
                self._learning -= 1
                self._fill()


SERVER = Places(PLACES)
"""The places of this process."""


class LiveRun:
    """One training of one visitor. All methods but `work` return at once and may be called from any thread."""

    def __init__(self, task: LiveTask, dials: Dials, text: str = "", seed: int = 0, places: Places = SERVER) -> None:
        self.task, self.text, self.seed, self.dials = task, text, seed, dials
        self._places, self._lock = places, Lock()
        self._state, self._going = State.PAUSED, False
        self._learner: Learner | None = None
        self._snapshot = Snapshot()
        self._watched = time.monotonic()
        self._problem: Exception | None = None

    def start(self) -> None:
        """Learn, or go on learning, as soon as the server has a place."""
        self._watched = time.monotonic()
        with self._lock:
            self._going = self._state not in (State.OVER, State.FAILED)
            if self._state is not State.PAUSED:
                return  # A thread that was told to pause and has not done so yet goes on.
            self._state = State.WAITING
        self._places.enter(self)

    def pause(self) -> None:
        """Stop after the step that is being learned."""
        self.give_up()
        self._places.forget(self)

    def give_up(self) -> None:
        """Want no place any more."""
        with self._lock:
            self._going = False
            if self._state is State.WAITING:
                self._state = State.PAUSED

    def turn(self, dials: Dials) -> None:
        """Other dials, from the next step on."""
        self.dials = dials

    def watch(self) -> Snapshot:
        """How it stands. Whoever asks is taken to be there."""
        self._watched = time.monotonic()
        return self._snapshot

    @property
    def watched(self) -> bool:
        """Whether somebody asked not long ago."""
        return time.monotonic() - self._watched < ALONE

    @property
    def state(self) -> State:
        """What it is doing."""
        return self._state

    @property
    def number(self) -> int:
        """Its place among those that wait, from 1."""
        return self._places.number(self)

    @property
    def learner(self) -> Learner | None:
        """What learns; None before the first step. Its model may be read under its lock."""
        return self._learner

    @property
    def problem(self) -> InputProblem | None:
        """Why it failed, in words. A failure that is nobody's input is raised."""
        if self._problem is not None and not isinstance(self._problem, InputProblem):
            raise self._problem
        return self._problem

    def work(self) -> None:
        """Learns until it is told to stop: the body of the thread."""
        with self._lock:
            if self._state is not State.WAITING:
                return
            self._state = State.RUNNING
        try:
            self._learn()
        except Exception as problem:
            with self._lock:
                self._problem, self._state, self._going = problem, State.FAILED, False

    def _learn(self) -> None:
        _use_one_core()
        if self._learner is None:
            self._learner = Learner(self.task, self.text, self.seed)
            self._learner.look(self.dials)
        learner = self._learner
        taken, due = 0.0, learner.seconds + EVERY
        while self._goes_on(learner):
            learner.step(self.dials)
            if learner.seconds >= due:
                began = learner.seconds
                learner.look(self.dials)
                due = learner.seconds + max(EVERY, 4 * (learner.seconds - began))
            if time.monotonic() - taken > TAKEN:
                taken, self._snapshot = time.monotonic(), learner.snapshot()

    def _goes_on(self, learner: Learner) -> bool:
        """Whether there is a next step; if not, the newest state is kept."""
        with self._lock:
            over = learner.seconds >= LONGEST
            if self._going and self.watched and not over:
                return True
            self._going, self._snapshot = False, learner.snapshot()
            self._state = State.OVER if over else State.PAUSED
            return False


def _use_one_core() -> None:
    """Torch works in this thread alone. It takes the number for one of the whole process and gives it to all threads to
    come, so a thread that ends at once sets back what those will get."""
    import torch

    usual = torch.get_num_threads()
    torch.set_num_threads(1)
    again = Thread(target=torch.set_num_threads, args=(usual,))
    again.start()
    again.join()
