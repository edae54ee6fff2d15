"""The generate page up to the first step: the prompt, the model, and the model's reading of the prompt."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from explorer import generation
from explorer.generation import Session
from explorer.models import runtime, tokenizer
from explorer.models.catalog import card, parts
from explorer.models.checkpoint import Part
from explorer.models.places import Progress
from explorer.tokens import visible_pieces
from explorer.types import Message, SamplingSettings
from explorer.ui.controls import model_field
from explorer.ui.jobs import Job, wait
from explorer.ui.models import models_with, offer
from explorer.ui.texts import text_field
from explorer.ui.visits import enter, leave
from explorer.ui.words import t
from explorer.views.writing import written

HEAD: Part = "language model"
PROMPT = "Once upon a time"
SAMPLING = SamplingSettings(temperature=0.8, top_p=0.9)
"""What the sliders start with."""
SHOWN = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "greedy", "seed")


@dataclass(frozen=True)
class Asked:
    """What a text is written from."""

    model: str
    prompt: str
    target: str


@dataclass(frozen=True)
class Writing:
    """The text being written, what it belongs to, and how many presses have gone into it."""

    asked: Asked
    session: Session
    seen: int = 0


def ask_prompt() -> Asked:
    """Draw the fields: prompt, model, and for an encoder-decoder what its answer begins with. Raises InputProblem."""
    models, first = models_with(HEAD, "decoder")
    start = {"text": PROMPT, "target": "", "model": first, **{name: getattr(SAMPLING, name) for name in SHOWN}}
    enter("generate", start)
    left, right = st.columns([3, 1])
    with right:
        model = model_field(models, first)
    with left:
        prompt = text_field("text", t("Prompt"), PROMPT)
    target = ""
    if card(model).stack == "encoder-decoder":
        target = text_field("target", t("What the answer begins with (optional)"), rows=1)
    leave(start)
    return Asked(model, prompt, target)


def begin(asked: Asked) -> Writing | None:
    """The text as far as it has been written, or None after saying what is missing or waited for."""
    kept = st.session_state.get("writing")
    if isinstance(kept, Writing) and kept.asked == asked:
        return kept
    job = _job(asked) if HEAD in parts(asked.model) else None
    if job is not None and job.result is not None:
        st.session_state["writing"] = writing = Writing(asked, job.result)
        return writing
    words = tokenizer(asked.model)
    st.html(written(visible_pieces(words.encode(asked.prompt).ids, words), (), t, more=False))
    if job is None:
        offer(asked.model, HEAD, st.empty(), lambda: _job(asked))
    else:
        wait(job, st.empty())
    return None


@lru_cache(maxsize=16)
def _job(asked: Asked) -> Job[Session]:
    def work(tell: Progress) -> Session:
        found = runtime().identify(asked.model, progress=tell)
        runtime().load(found, tell)
        tell(Message("{model} reads the prompt", {"model": asked.model}), None)
        return generation.start(found, asked.prompt, asked.target)

    return Job(work)
