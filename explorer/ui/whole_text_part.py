"""The text as a whole: how sure the model was of each token, how probable it is as it grows, where it goes round."""

from __future__ import annotations

import streamlit as st

from explorer.generation import Session
from explorer.types import Message, SamplingSettings
from explorer.ui.choice import choose
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing
from explorer.ui.words import sentence, t
from explorer.views.writing import SHADES, shaded
from explorer.views.written_lines import running_lines
from explorer.whole_text import Loop, loops, running


def whole_text_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """Every token written, shaded by what the reader chooses; the figures as they run; the plain text."""
    steps = session.generation.steps
    shade = choose("shade", t("Shade by"), {name: t(word) for name, word in SHADES.items()}, "probability")
    found = loops(session.generation.ids)
    st.html(shaded(steps, t, shade, len(session.logits), found))
    for loop in found:
        st.markdown(sentence(_told(session, loop)))
    if steps:
        clickable(running_lines(running(steps), t), "running_lines")
    st.caption(t("The text written so far"))
    st.code(session.text, language=None, wrap_lines=True)


def _told(session: Session, loop: Loop) -> Message:
    pieces = "".join(step.piece for step in session.generation.steps[loop.start : loop.start + loop.period])
    given = {"pieces": pieces, "times": loop.times, "start": loop.start + 1}
    return Message("From token {start} on the text goes round: {pieces} comes {times} times in a row.", given)
