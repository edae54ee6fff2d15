"""A Streamlit server of its own for a measurement: started on a free port, stopped at the end."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[1]
WAIT = 60.0
"""Seconds that a server may take to answer, and to end."""


EMPTY = "import streamlit as st\nst.text_area('Text', key='text')\nst.title('Empty')\n"
"""An app that shows nothing, which pages are measured against."""


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(script: Path) -> Iterator[int]:
    """Run `streamlit run script` while the block lasts; the port. Raises RuntimeError if it does not answer."""
    port = free_port()
    options = ["--server.port", str(port), "--server.address", "127.0.0.1", "--server.headless", "true"]
    quiet = ["--server.fileWatcherType", "none", "--browser.gatherUsageStats", "false"]
    process = subprocess.Popen(
        [sys.executable, "-m", "streamlit", "run", str(script), *options, *quiet],
        cwd=script.parent,
        env={**os.environ, "EXPLORER_OFFLINE": "1"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait(port, process)
        yield port
    finally:
        process.terminate()
        try:
            process.wait(WAIT)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def serving_empty() -> Iterator[int]:
    """Serve the app that shows nothing while the block lasts; the port."""
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder) / "empty.py"
        script.write_text(EMPTY, encoding="utf-8")
        with serving(script) as port:
            yield port


def _wait(port: int, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + WAIT
    while time.monotonic() < end and process.poll() is None:
        try:
            with urlopen(f"http://127.0.0.1:{port}/_stcore/health"):
                return
        except (URLError, ConnectionError):
            time.sleep(0.05)
    raise RuntimeError("the server did not start")
