"""An Example as one JSON object, the same on the command line and in a file from a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.types import Bools, Example, Message, Stream, Target


def record(made: Example, settings: Any, seed: int) -> dict[str, object]:
    """All the numbers of the Example, with the settings and the seed it was made with; a mask has 1 where it is open.
    Arrays, roles and messages are still as they are: see `plain`."""
    return {
        "objective": made.objective,
        "model": made.model,
        "seed": seed,
        "settings": asdict(settings),
        "encoder": _stream(made.encoder),
        "decoder": _stream(made.decoder),
        "labels": made.labels,
        "shift": made.shift,
        "targets": [target_record(target) for target in made.targets],
        "n_targets": made.n_targets,
        "masks": {kind: _cells(getattr(made.masks, kind)) for kind in ("encoder", "decoder", "cross")},
        "extra": {**made.extra, **({} if made.value is None else {"value": made.value})},
        **({"classes": made.classes} if made.classes else {}),
        "warnings": made.warnings,
        "notes": made.notes,
    }


def target_record(target: Target) -> dict[str, object]:
    """One place with loss."""
    return {name: getattr(target, name) for name in ("position", "reads", "reads_id", "predicts", "predicts_id")}


def plain(value: object) -> object:
    """The value as JSON has it.

    >>> plain({"loss": float("nan"), "ids": np.array([1, 2]), "say": Message("{n} targets", {"n": 3})})
    {'loss': None, 'ids': [1, 2], 'say': '3 targets'}
    """
    if isinstance(value, np.ndarray):
        return _finite(value).tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        return [plain(each) for each in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Message) else value


def _finite(array: NDArray[Any]) -> NDArray[Any]:
    """The array with None for what is no finite number."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array
    held = array.astype(object)
    held[~np.isfinite(array)] = None
    return held


def _stream(stream: Stream | None) -> dict[str, object] | None:
    if stream is None:
        return None
    names = ("ids", "pieces", "visible", "roles", "attention_mask", "token_types", "position_ids", "documents")
    return {name: getattr(stream, name) for name in names}


def _cells(mask: Bools | None) -> object:
    return None if mask is None else mask.astype(np.int64)
