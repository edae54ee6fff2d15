"""Teacher-forced loss beside free running on the Transformer page (exposure bias)."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.exposure import FreeRun
from explorer.models import tokenizer
from explorer.models.places import Progress
from explorer.models.runtime import Runtime
from explorer.types import Example, Message, ModelId
from explorer.ui.alignment_part import weights_here
from explorer.ui.measured import measured
from explorer.ui.words import sentence, t
from explorer.views.exposure import exposure_table
from explorer.views.figures import number_line


def exposure_part(model: str, example: Example) -> None:
    """Both losses, where the texts part, and a row for each place."""
    if not weights_here(model):
        return
    found = measured(("free run", example), model, partial(_run, example))
    if found is None:
        return
    words = tokenizer(model)
    parts = (
        (f"{found.forced_mean:.4f}", Message("mean loss after the right words")),
        (f"{found.own_mean:.4f}", Message("mean loss after its own words")),
    )
    st.html(number_line(parts, t))
    st.html(exposure_table(found, words, t))
    text = words.decode([id for id in found.written if id not in words.special_ids])
    st.markdown(sentence(_told(found, text.strip())))


def _run(example: Example, run: Runtime, model: ModelId, tell: Progress) -> FreeRun:
    from explorer.models.free_running import free_run

    return free_run(run, model, example, tell)


def _told(found: FreeRun, text: str) -> Message:
    """Where the two texts part, and what that means."""
    if found.parting is None:
        return Message(
            "The model's own text is the right one, {text}, so both losses agree. In training it reads the right words "
            "(teacher forcing), in use its own.",
            {"text": text},
        )
    given = {"at": found.parting, "text": text}
    if found.parting >= len(found.written):
        return Message("The model ends its own text, {text}, before output {at}; the right one goes on.", given)
    return Message(
        "The texts part at output {at}. Behind it the model reads what it wrote itself, {text}, and no longer what it "
        "was trained on: one wrong word brings the next. The validation loss does not show this (exposure bias).",
        given,
    )
