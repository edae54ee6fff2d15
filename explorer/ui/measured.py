"""What is measured on a model when a part of the attention page is opened: small results, kept for all readers."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, TypeVar

import numpy as np
import streamlit as st

from explorer.models import runtime
from explorer.models.places import Progress
from explorer.models.runtime import Runtime
from explorer.types import ModelId
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.kept import KeptJobs

T = TypeVar("T")

ROOM = 2**26
"""Bytes of results that are kept for all readers together."""


def _bytes(found: Any) -> int:
    """All arrays of a dataclass, or of several."""
    parts = found if isinstance(found, tuple) else vars(found).values() if hasattr(found, "__dict__") else ()
    return found.nbytes if isinstance(found, np.ndarray) else sum(map(_bytes, parts))


_measured: KeptJobs[Any] = KeptJobs(ROOM, _bytes)


def measured(key: Hashable, model: str, work: Callable[[Runtime, ModelId, Progress], T]) -> T | None:
    """What `work` finds out with the model; while it is awaited the page says so, and is drawn again with it. None
    where there is a problem, which is told."""
    return awaited(measuring(key, model, work))


def measuring(key: Hashable, model: str, work: Callable[[Runtime, ModelId, Progress], T]) -> Job[T]:
    """The same as a job."""

    def run(tell: Progress) -> T:
        here = runtime()
        found = here.identify(model, progress=tell)
        here.load(found, tell)
        return work(here, found, tell)

    return _measured.get((key, model), run)


def awaited(job: Job[T]) -> T | None:
    """The result of a job; while it is awaited the page says so, and is drawn again with it."""
    found = job.within(AT_ONCE)
    if found is None:
        wait(job, st.empty())
    return found
