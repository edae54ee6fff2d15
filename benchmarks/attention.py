"""How light the pictures of attention are, against bertviz's model view and circuitsvis on the same tensors.

Needs the wheel of MiniLM (6 layers, 12 heads), bertviz (requirements-bertviz.txt) and circuitsvis, and a Chromium.
"""

from __future__ import annotations

import gc
import os
import shutil
import statistics
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import numpy as np
from figure import Figure, report
from others import bertviz_page, circuitsvis_pages
from playwright.sync_api import Page, WebSocket, sync_playwright
from server import ROOT, serving

sys.path.insert(0, str(ROOT))

from explorer.known_heads import MINILM
from explorer.looking import example_for
from explorer.models import runtime, tokenizer
from explorer.objectives import Texts
from explorer.sights import Choice, sight
from explorer.types import Attention, Bools
from explorer.views.bertviz_page import ADDRESSES, LIBRARIES, LOADER, _script
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import weights_picture
from explorer.views.mosaic import mosaic, mosaic_picture, mosaic_sheet

WORDS = "the cat sat on the mat and looked at the dog that lay by the fire all day long "
TEXT = " ".join((WORDS * 8).split()[:126])
"""126 words of one token each: 128 tokens with [CLS] and [SEP]."""

REPEATS = 5
RUNS = 20
PATIENCE = 180
"""Seconds that bertviz's page may take in the browser; a page that takes longer counts as so many."""
MOSAIC = "getComputedStyle(document.documentElement).getPropertyValue('--mosaic-high')"
DRAWN = "() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
IDLE = "[data-testid=stApp][data-test-script-state=notRunning]"


def seconds(work: Callable[[], object], repeats: int = REPEATS) -> float:
    """The median of some runs."""
    times = []
    for _ in range(repeats):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def picture(attention: Attention, mask: Bools) -> str:
    """All that the browser gets for the first picture: the sheet and its labels."""
    found = mosaic(attention, mask)
    return mosaic_sheet(found) + mosaic_picture(found, mask.shape, str, (0, 0))


def head(attention: Attention, mask: Bools, layer: int) -> str:
    """One head opened."""
    weights = attention.weights[layer, 0].astype(np.float64)
    return one_head(weights_picture(weights, Axes(attention.queries, attention.keys), str, mask=mask), len(mask))


def read(text: str) -> tuple[Attention, Bools]:
    """What MiniLM looks at, (6,12,T,T)."""
    run = runtime()
    made = example_for("encoder", Texts(text), tokenizer(MINILM))
    return run.attention(run.identify(MINILM), made)["encoder"], made.masks.encoder


def light(attention: Attention, mask: Bools) -> list[Figure]:
    """Bytes and build time at (6,12,128,128)."""
    tokens = list(attention.queries)
    other, circuits = bertviz_page(attention.weights, tokens), circuitsvis_pages(attention.weights, tokens)
    ours = len((picture(attention, mask) + head(attention, mask, 0)).encode())
    built = seconds(lambda: (picture(attention, mask), head(attention, mask, 0)))
    theirs = seconds(lambda: bertviz_page(attention.weights, tokens), 3)
    circuit = seconds(lambda: circuitsvis_pages(attention.weights, tokens), 3)
    shape = "x".join(map(str, attention.weights.shape))
    return [
        Figure(f"50x_bytes_mosaic_and_head/bertviz_model_view_{shape}", 50 * ours / len(other.encode()), 1),
        Figure(f"50x_bytes_mosaic_and_head/circuitsvis_{shape}", 50 * ours / sum(map(len, circuits)), 1),
        Figure(f"5x_build_time/bertviz_model_view_{shape}", 5 * built / theirs, 1),
        Figure(f"5x_build_time/circuitsvis_{shape}", 5 * built / circuit, 1),
    ]


def large() -> list[Figure]:
    """A model of 12 layers and 12 heads at 512 tokens, and what 20 runs leave in memory."""
    rng = np.random.default_rng(0)
    weights = np.exp(2 * rng.standard_normal((12, 12, 512, 512), dtype=np.float32))
    weights /= weights.sum(axis=-1, keepdims=True)
    tokens = tuple(f"w{at}" for at in range(512))
    attention, mask = Attention(weights, tokens, tokens, "encoder"), np.ones((512, 512), dtype=bool)
    del weights
    first = len(picture(attention, mask).encode())
    opened = seconds(lambda: head(attention, mask, 3))
    example = example_for("encoder", Texts(" ".join((WORDS * 30).split()[:510])), tokenizer(MINILM)).encoder
    picked = seconds(lambda: sight(attention.weights, mask, Choice("mean", 3, 0, hide=True), example, example))
    tracemalloc.start()
    gc.collect()
    before, _ = tracemalloc.get_traced_memory()
    for run in range(RUNS):
        head(attention, mask, run % 12)
        mosaic(attention, mask) if run % 5 == 0 else None
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return [
        Figure("first_picture_bytes_12x12x512x512/3_MB", first / 3e6, 1),
        Figure("seconds_to_open_a_head_12x12x512x512/1_s", opened + picked, 1),
        Figure(f"memory_left_by_{RUNS}_runs/one_reading", (after - before) / attention.weights.nbytes, 0.01),
    ]


def browser(attention: Attention) -> list[Figure]:
    """From handing in a text to the mosaic on the screen, the model's reading included, against opening bertviz's page
    of the same tensors from a file, its libraries at hand; and the bytes that came over the socket."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise RuntimeError("no Chromium found")
    other = bertviz_page(attention.weights, list(attention.queries))
    libraries = "".join(f"<script>{_script(path, name)}</script>" for name, path in LIBRARIES)
    page_text = f"<meta charset=utf-8>{libraries}<script>{LOADER}</script>{ADDRESSES.sub('', other)}"
    with tempfile.TemporaryDirectory() as folder, serving(ROOT / "app.py") as port, sync_playwright() as playwright:
        file = Path(folder) / "bertviz.html"
        file.write_text(page_text, encoding="utf-8")
        chromium = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        ours, came = _ours(chromium.new_page(), port)
        theirs = _theirs(chromium.new_page(), file)
        chromium.close()
    return [
        Figure("4x_seconds_to_mosaic/bertviz_page", 4 * ours / theirs, 1),
        Figure("50x_bytes_over_the_socket/bertviz_model_view", 50 * came / len(other.encode()), 1),
    ]


def _ours(page: Page, port: int) -> tuple[float, int]:
    """Seconds, and bytes that the server sent, for a text that is handed in on the open page."""
    came = [0]

    def count(socket: WebSocket) -> None:
        socket.on("framereceived", lambda data: came.__setitem__(0, came[0] + len(data)))

    page.on("websocket", count)
    page.goto(f"http://127.0.0.1:{port}/attention")
    page.wait_for_function(f"() => {MOSAIC} !== ''", timeout=1000 * PATIENCE)
    page.wait_for_selector(IDLE)
    before = page.evaluate(f"() => {MOSAIC}")
    box = page.locator(".st-key-text textarea")
    box.fill(TEXT)
    came[0], began = 0, time.perf_counter()
    box.press("Control+Enter")
    page.wait_for_function(f"before => {MOSAIC} !== before && {MOSAIC} !== ''", arg=before, timeout=1000 * PATIENCE)
    page.evaluate(DRAWN)
    took = time.perf_counter() - began
    page.wait_for_selector(IDLE)
    return took, came[0]


def _theirs(page: Page, file: Path) -> float:
    """Seconds until bertviz's page has drawn its lines."""
    from playwright.sync_api import TimeoutError as TooLong

    began = time.perf_counter()
    try:
        page.goto(file.as_uri(), timeout=1000 * PATIENCE)
        page.wait_for_selector("svg line", state="attached", timeout=1000 * PATIENCE)
        page.evaluate(DRAWN)
    except TooLong:
        return PATIENCE
    return time.perf_counter() - began


if __name__ == "__main__":
    os.environ["EXPLORER_OFFLINE"] = "1"
    read_once = read(TEXT)
    sys.exit(report([*light(*read_once), *large(), *browser(read_once[0])]))
