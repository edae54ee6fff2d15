"""A server's process as the system sees it: its memory, its threads and its work. Linux only."""

from __future__ import annotations

import os
import time
from pathlib import Path


def child() -> Path:
    """The folder in /proc of the process that this one started last."""
    children = Path(f"/proc/{os.getpid()}/task/{os.getpid()}/children").read_text(encoding="ascii").split()
    return Path("/proc") / children[-1]


def memory(process: Path) -> float:
    """Pages in memory."""
    return float((process / "statm").read_text(encoding="ascii").split()[1])


def threads(process: Path) -> float:
    """How many it has."""
    return float(sum(1 for _ in (process / "task").iterdir()))


def work(process: Path, seconds: float = 3.0) -> float:
    """Seconds of work a second."""

    def spent() -> float:
        fields = (process / "stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    before = spent()
    time.sleep(seconds)
    return (spent() - before) / seconds
