"""Ten visitors who train at once: does another page stay quick, does memory stay bounded, does it all end?

It takes three minutes on two quiet cores, and ends with an error as soon as one page takes PATIENCE seconds.
"""

from __future__ import annotations

import sys
import time
from contextlib import ExitStack, suppress
from threading import Event, Thread

import numpy as np
from figure import Figure, report
from process import child, memory, threads, work
from server import ROOT, serving
from tables import TABLES_ONLY
from visitor import Visitor
from websockets.exceptions import ConnectionClosed

VISITORS, EDITS = 10, 30
EVERY = 1.0
"""Seconds between two looks of a visitor who trains, as on the page."""
PATIENCE = 120.0
"""Seconds that the server may take for one answer."""
LEFT = 30.0
"""Seconds after which runs of visitors who left must have ended."""


def main() -> int:
    """Measure and print; the exit status."""
    with serving(ROOT / "app.py") as port:
        server = child()
        with Visitor(port, PATIENCE) as reader:
            reader.open("bert", TABLES_ONLY)
            idle = _p95(reader, "the first time")
            with ExitStack() as stack:
                alone, gone = stack.enter_context(Visitor(port, PATIENCE)), Event()
                _train(alone, gone)
                time.sleep(LEFT)
                one, few = memory(server), threads(server)
                for _ in range(VISITORS - 1):
                    _train(stack.enter_context(Visitor(port, PATIENCE)), gone)
                time.sleep(LEFT)
                busy, ten = _p95(reader, "now"), memory(server)
                gone.set()
                time.sleep(2 * EVERY)
            time.sleep(LEFT)
            left, many = work(server), threads(server)
    return report(
        [
            Figure("p95 of an edit while ten visitors train, against nobody training", busy / idle, 5),
            Figure("memory of the server with ten visitors who train, against one", ten / one, 1.5),
            Figure("share of a core still used when they have left, against one core", left, 0.2),
            Figure("threads of the server when they have left, against one visitor who trains", many / few, 1),
        ]
    )


def _p95(reader: Visitor, when: str) -> float:
    """Seconds; every text is a new one, so that nothing is answered from memory."""
    texts = (f"The quick brown fox jumps over {number} lazy dogs {when}" for number in range(EDITS))
    return float(np.quantile([reader.type(text) for text in texts], 0.95))


def _train(visitor: Visitor, gone: Event) -> None:
    """Start a training and look at it as the page does, until it is left."""
    visitor.open("train", "task=reversal")
    visitor.press("start")

    def look() -> None:
        with suppress(ConnectionClosed, ConnectionError):  # it is left while a look is awaited
            while not gone.wait(EVERY):
                visitor.look()

    Thread(target=look, daemon=True).start()


if __name__ == "__main__":
    sys.exit(main())
