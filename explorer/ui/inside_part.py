"""Inside the step: what the last position looks at in each layer, and what each layer would say."""

from __future__ import annotations

import streamlit as st

from explorer.generation import Session
from explorer.models import runtime, tokenizer
from explorer.tokens import visible_pieces
from explorer.types import InputProblem, SamplingSettings
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing
from explorer.ui.words import sentence, t
from explorer.views.inside import lens_grid, looked_at

LAST = 12
"""Positions at which the lens is put."""


def inside_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """Attention of the last position by layer, one head or the mean over all; then the lens."""
    words, handle = tokenizer(session.generation.model.name), session.handle
    pieces = visible_pieces(handle.ids, words)
    st.subheader(t("What the last position looks at"), anchor=False)
    head = st.selectbox(
        t("Head"),
        [None, *range(session.facts.heads)],
        key="row_head",
        format_func=lambda number: t("mean of all heads") if number is None else str(number),
        width=200,
    )
    weights = runtime().attention_row(handle)
    clickable(looked_at(weights.mean(axis=1) if head is None else weights[:, head], pieces, t), "looked_at")
    st.subheader(t("What each layer would say"), anchor=False)
    st.caption(t("The model's last norm and its head, put on what each layer hands on (logit lens)."))
    try:
        found = runtime().lens(handle, LAST)
    except InputProblem as problem:
        st.info(sentence(problem.message))
        return
    ids = sorted(set(found.ids.ravel().tolist()))
    names = dict(zip(ids, visible_pieces(ids, words), strict=True))
    clickable(lens_grid(found.ids, found.probabilities, pieces[-LAST:], names, t), "lens")
