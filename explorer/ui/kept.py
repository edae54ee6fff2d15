"""Jobs whose results are large: kept by what they were asked for as long as all results together fit."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Generic, TypeVar

from explorer.models.places import Progress
from explorer.ui.jobs import Job

T = TypeVar("T")

MOST = 256
"""The most jobs that are kept, however small their results."""


class KeptJobs(Generic[T]):
    """Results of at most `room` bytes together (the newest may always stay); `size` tells the bytes of one. The one
    used longest ago goes first. Safe for many threads."""

    def __init__(self, room: int, size: Callable[[T], int]) -> None:
        self._room, self._size = room, size
        self._jobs: OrderedDict[Hashable, Job[T]] = OrderedDict()
        self._bytes: dict[Hashable, int] = {}
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._jobs)

    def get(self, key: Hashable, work: Callable[[Progress], T]) -> Job[T]:
        """The job for `key`, begun with `work` where there is none."""

        def measured(tell: Progress) -> T:
            found = work(tell)
            with self._lock:
                self._bytes[key] = self._size(found)
                self._make_room()
            return found

        with self._lock:
            if key not in self._jobs:
                self._jobs[key] = Job(measured)
            self._jobs.move_to_end(key)
            self._make_room()
            return self._jobs[key]

    def _make_room(self) -> None:
        """Gives up what was used longest ago until the rest fits."""
        for key in [*self._bytes.keys() - self._jobs.keys()]:
            del self._bytes[key]
        while len(self._jobs) > 1 and (sum(self._bytes.values()) > self._room or len(self._jobs) > MOST):
            key, _ = self._jobs.popitem(last=False)
            self._bytes.pop(key, None)
