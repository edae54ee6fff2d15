"""How quickly tables come: reruns against an empty page, the first page against a bare script, home against empty.

Needs EXPLORER_MODELS with google-bert/bert-base-uncased, and a Chromium for the first paint.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path

from figure import Figure, report
from playwright.sync_api import Page, sync_playwright
from server import ROOT, serving, serving_empty
from visitor import Visitor

MODEL = "google-bert/bert-base-uncased"
TABLES_ONLY = f"model={MODEL}"
"""The page's address asks for the model of the mirror, which has no weights there; others may have them."""
WORDS = "the cat sat on the mat and looked at the dog that lay by the fire all day long "
TEXT = (WORDS * 40).split()[:509]
"""509 words of one token each: 511 tokens with [CLS] and [SEP], and room for one more."""

EDITS = 15
PAINTS = 5

DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"


def rerun(port: int, page: str, query: str = "") -> float:
    """Median seconds of an edit of a text of 512 tokens; each is a new text, so nothing is answered from memory."""
    with Visitor(port) as visitor:
        visitor.open(page, query)
        times = []
        for number in range(EDITS):
            words = [*TEXT, "dog"]
            words[number] = "house"
            times.append(visitor.type(" ".join(words)))
        if visitor.failed:
            raise RuntimeError(f"page {page or 'home'} shows an exception")
    return statistics.median(times[3:])


def loaded(script: str) -> bool:
    """Whether drawing a page imports torch or transformers."""
    code = (
        "import sys\nfrom streamlit.testing.v1 import AppTest\n"
        f"AppTest.from_file({script!r}, default_timeout=60).run()\n"
        "print(bool({'torch', 'transformers'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip() == "True"


def bare(models: Path) -> float:
    """Seconds a bare script takes to import transformers and load the tokenizer."""
    code = f"from transformers import AutoTokenizer; AutoTokenizer.from_pretrained({str(models / MODEL)!r})"
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)
    return time.perf_counter() - began


def first_page() -> float:
    """Seconds of the first objective page that a fresh server draws."""
    with serving(ROOT / "app.py") as port, Visitor(port) as visitor:
        return visitor.open("bert", TABLES_ONLY)


def first_paint(browser_page: Page, port: int) -> float:
    """Median seconds from the address to the drawn page."""
    times = []
    for _ in range(PAINTS):
        began = time.perf_counter()
        browser_page.goto(f"http://127.0.0.1:{port}/")
        browser_page.wait_for_selector(DRAWN)
        browser_page.wait_for_selector("h1")
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def paints(home: int, empty: int) -> tuple[float, float]:
    """First paint of home and of an empty app."""
    program = shutil.which("chromium") or shutil.which("google-chrome")
    if program is None:
        raise RuntimeError("no Chromium found")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{empty}/")
        page.wait_for_selector(DRAWN)
        return first_paint(page, home), first_paint(page, empty)


def measured(models: Path) -> list[Figure]:
    """Every figure of this file."""
    first = statistics.median(first_page() for _ in range(3))
    script = statistics.median(bare(models) for _ in range(3))
    with serving(ROOT / "app.py") as port, serving_empty() as other:
        page, blank = rerun(port, "bert", TABLES_ONLY), rerun(other, "")
        home, nothing = paints(port, other)
    return [
        Figure("bert_rerun_512_tokens/empty_page_rerun", page / blank, 3),
        Figure("first_objective_page/bare_script_with_tokenizer", first / script, 1.5),
        Figure("home_first_paint/empty_app_first_paint", home / nothing, 2),
        Figure("home_imports_torch/none", float(loaded("app.py")), 0),
        Figure("masks_imports_torch/none", float(loaded("pages/masks.py")), 0),
    ]


if __name__ == "__main__":
    folder = os.environ.get("EXPLORER_MODELS", "")
    if not (Path(folder) / MODEL).is_dir():
        sys.exit(f"EXPLORER_MODELS must name a folder that holds {MODEL}")
    sys.exit(report(measured(Path(folder))))
