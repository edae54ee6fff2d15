"""One look at the disk for a whole run of a page, which asks dozens of times what lies there.

What is found out is shared by all runs for which the folders of models look the same: nothing in them was added, taken
away or written. Whoever has not looked (a command, a test, a job that fetches a model) asks the disk each time.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Hashable, Iterator
from contextvars import ContextVar
from functools import lru_cache, wraps
from typing import ParamSpec, TypeVar

from explorer.models import places
from explorer.models.places import hub_caches, mirror

P = ParamSpec("P")
R = TypeVar("R")

_sight: ContextVar[int | None] = ContextVar("sight", default=None)


def glance() -> None:
    """Take what lies in the folders of models now for what lies there until this thread looks again."""
    folder = mirror()
    owners: list[str] = [] if folder is None else [entry.path for entry in _entries(folder)]
    seen = [each for owner in (*owners, str(places.bundled())) for each in _models(owner)]
    caches = [each for cache in hub_caches() for each in _downloads(cache)]
    _sight.set(hash((str(folder), str(places.bundled()), *seen, *caches)))


def once_a_glance(work: Callable[P, R]) -> Callable[P, R]:
    """`work`, which asks the disk about models, but only once for what lies there."""
    # The first argument is the key: what the folders look like.
    known: Callable[..., R] = lru_cache(maxsize=512)(lambda _, *args, **kwargs: work(*args, **kwargs))

    @wraps(work)
    def ask(*args: P.args, **kwargs: P.kwargs) -> R:
        sight = _sight.get()
        return work(*args, **kwargs) if sight is None else known(sight, *args, **kwargs)

    return ask


def _models(owner: str) -> Iterator[Hashable]:
    """Every file of an owner's models, with its size and the time at which it was written."""
    for model in _entries(owner):
        yield _look(model)
        yield from (_look(each) for each in _entries(model.path))


def _downloads(cache: os.PathLike[str]) -> Iterator[Hashable]:
    """Every revision in a cache of the Hub, and which is the current one; what is linked there never changes."""
    for model in _entries(cache):
        if model.name.startswith("models--"):
            for each in ("refs", "snapshots"):
                yield from (_look(entry) for entry in _entries(f"{model.path}/{each}"))


def _entries(folder: os.PathLike[str] | str) -> list[os.DirEntry[str]]:
    """What is in a folder, in the order of the names; nothing where there is no folder."""
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except OSError:
        return []


def _look(entry: os.DirEntry[str]) -> Hashable:
    try:
        found = entry.stat()
    except OSError:
        return entry.path
    return entry.path, found.st_mtime_ns, found.st_size
