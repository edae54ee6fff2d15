"""A real server and a real Chromium. What must never happen in either is asked for after every test."""

from __future__ import annotations

import os
import re
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, expect, sync_playwright

from tests.browser.reader import Reader
from tests.house import ROOT

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PATIENCE = 60
"""Seconds that a slow machine may take for anything."""

BASE_PATH = re.compile(r"/\w+/_stcore/(health|host-config)$")
"""On a cold deep link Streamlit tries the page's own path for the base path of the app, and gets a 404 once each."""


@dataclass(frozen=True)
class Server:
    """The app on a port of its own; `log` holds all that it printed."""

    url: str
    log: Path

    def printed(self) -> str:
        return self.log.read_text(encoding="utf-8", errors="replace")


@pytest.fixture(scope="session")
def server(models_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for the run. It never asks the Hub; the folders of models and caches are those of the environment."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    running = Server(f"http://127.0.0.1:{port}", tmp_path_factory.mktemp("server") / "log.txt")
    options = [f"--server.port={port}", "--server.address=127.0.0.1", "--server.headless=true"]
    with running.log.open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "streamlit", "run", "app.py", *options],
            cwd=ROOT,
            env={**os.environ, "EXPLORER_OFFLINE": "1", "PYTHONUNBUFFERED": "1"},
            stdout=log,
            stderr=subprocess.STDOUT,
        )
        try:
            _await_health(running, process)
            yield running
        finally:
            process.terminate()
            process.wait(PATIENCE)


def _await_health(server: Server, process: subprocess.Popen[bytes]) -> None:
    """Asks until the server answers and has printed its address, the last line of its start."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline and process.poll() is None:
        try:
            with urlopen(f"{server.url}/_stcore/health", timeout=PATIENCE) as answer:
                if answer.status == 200 and server.url in server.printed():
                    return
        except URLError:
            pass
        time.sleep(0.1)
    pytest.fail(f"The server did not start:\n{server.printed()}")


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The browser of the system."""
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        pytest.skip(f"no browser on this machine: none of {', '.join(NAMES)}")
    expect.set_options(timeout=1000 * PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(chromium: Browser) -> Iterator[Callable[[str], BrowserContext]]:
    """language -> a browser in that language. Its tabs share the cache of files, and nothing of the app's state."""
    made: dict[str, BrowserContext] = {}

    def profile_in(language: str) -> BrowserContext:
        if language not in made:
            made[language] = _context(chromium, language)
        return made[language]

    yield profile_in
    for context in made.values():
        context.close()


def _context(chromium: Browser, language: str) -> BrowserContext:
    locale = {"en": "en-US", "ko": "ko-KR"}[language]
    # Without moving boxes the browser draws far less, and every test ends sooner.
    context = chromium.new_context(locale=locale, reduced_motion="reduce")
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(1000 * PATIENCE)
    return context


@pytest.fixture
def language() -> str:
    """The browser's language; a test in several is parametrized with them."""
    return "en"


@pytest.fixture
def reader(server: Server, profile: Callable[[str], BrowserContext], language: str) -> Iterator[Reader]:
    """A person with a new tab; afterwards neither the browser nor the server may have anything to complain of."""
    before = len(server.printed())
    with _person(server, profile(language), language) as person:
        yield person
    assert server.printed()[before:] == ""


@pytest.fixture
def other_reader(server: Server, chromium: Browser, language: str) -> Iterator[Reader]:
    """A second person, who has a browser as it comes, in the other language, and is given a link by the first."""
    context = _context(chromium, {"en": "ko", "ko": "en"}[language])
    with _person(server, context, language) as person:
        yield person
    context.close()


@contextmanager
def _person(server: Server, context: BrowserContext, language: str) -> Iterator[Reader]:
    tab = context.new_page()
    tab.set_viewport_size({"width": 1280, "height": 900})
    faults = _watch(tab, server)
    yield Reader(tab, server.url, language)
    tab.close()
    assert faults == []


def _watch(tab: Page, server: Server) -> list[str]:
    """Notes what the tab must never do: errors in the console, dialogs, requests to other hosts."""
    faults: list[str] = []

    def note_console(message: ConsoleMessage) -> None:
        if message.type == "error" and not BASE_PATH.search(message.location["url"]):
            faults.append(f"console: {message.text} {message.location['url']}")

    def note_request(url: str) -> None:
        origin = url.removeprefix("blob:")
        own = origin.startswith((server.url, server.url.replace("http", "ws"), "data:"))
        if not own:
            faults.append(f"request to {url}")

    tab.on("console", note_console)
    tab.on("pageerror", lambda error: faults.append(f"script error: {error}"))
    tab.on("dialog", lambda dialog: (faults.append(f"dialog: {dialog.message}"), dialog.dismiss()))
    tab.on("request", lambda request: note_request(request.url))
    tab.on("websocket", lambda socket: note_request(socket.url))
    return faults
