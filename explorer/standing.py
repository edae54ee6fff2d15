"""How a server stands, for its host: who is here, what is in memory, what waits. Nothing that anybody typed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from explorer.decoding import ModelId


@dataclass(frozen=True)
class ModelStanding:
    """A model in memory. bytes: of its weights; busy: whether a pass is being made; waiting: passes in its line."""

    model: ModelId
    bytes: int
    busy: bool
    waiting: int


@dataclass(frozen=True)
class Standing:
    """All of it. visitors: connected now; memory: bytes of the process, None where the system does not tell; texts:
    those whose keys and values are kept, and their bytes; learning, line, places: trainings that go on, that wait, and
    that may go on at once."""

    visitors: int
    memory: int | None
    models: tuple[ModelStanding, ...]
    texts: int
    text_bytes: int
    learning: int
    line: int
    places: int


def memory() -> int | None:
    """Bytes of this process in memory; None where the system does not tell."""
    try:
        fields = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    except (OSError, UnicodeDecodeError):
        return None
    found = next((line.split()[1] for line in fields if line.startswith("VmRSS:")), None)
    return None if found is None else int(found) * 1024
