"""Inside the step: what the last position looks at in each layer, and what each layer would say."""

from __future__ import annotations

import streamlit as st

from explorer.cross_row import cross_row
from explorer.generation import Session
from explorer.models import runtime, tokenizer
from explorer.tokens import visible_pieces
from explorer.types import InputProblem, SamplingSettings
from explorer.ui.choice import choose
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing
from explorer.ui.words import sentence, t
from explorer.views.inside import lens_grid, looked_at

FEW, MANY = 12, 48
"""Positions at which the lens is put: at first, and at most."""


def inside_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """Attention of the last position by layer, one head or the mean over all; then the lens."""
    pieces = visible_pieces(session.handle.ids, tokenizer(session.generation.model.name))
    st.header(t("What the last position looks at"), anchor=False)
    _attention(session, pieces)
    st.header(t("What each layer would say"), anchor=False)
    st.caption(
        t(
            "The model's last norm and its head, put on what each layer hands on (logit lens). The last column is the "
            "position that the text goes on from; its top row is the model's answer."
        )
    )
    _lens(session, pieces)


def _attention(session: Session, pieces: tuple[str, ...]) -> None:
    """On the text itself, and where there is an encoder on what it has read."""
    handle = session.handle
    head = st.selectbox(
        t("Head"),
        [None, *range(session.facts.heads)],
        key="row_head",
        format_func=lambda number: t("mean of all heads") if number is None else str(number),
        width=200,
    )
    across = cross_row(handle)
    if across is not None:
        source = visible_pieces(handle.source_ids or (), tokenizer(handle.model.name))
        st.caption(t("In the text that the encoder has read (cross-attention)"))
        clickable(looked_at(across.mean(axis=1) if head is None else across[:, head], source, t), "looked_across")
        st.caption(t("In the answer so far"))
    weights = runtime().attention_row(handle)
    clickable(looked_at(weights.mean(axis=1) if head is None else weights[:, head], pieces, t), "looked_at")


def _lens(session: Session, pieces: tuple[str, ...]) -> None:
    last = _how_many(len(pieces))
    try:
        found = runtime().lens(session.handle, last)
    except InputProblem as problem:
        st.info(sentence(problem.message))
        return
    ids = sorted(set(found.ids.ravel().tolist()))
    names = dict(zip(ids, visible_pieces(ids, tokenizer(session.generation.model.name)), strict=True))
    clickable(lens_grid(found.ids, found.probabilities, pieces[-last:], names, t), "lens")


def _how_many(length: int) -> int:
    """Positions to show: a choice where there are more than a few."""
    if length <= FEW:
        return length
    many = t("all") if length <= MANY else t("the last {n}", n=MANY)
    words = {"few": t("the last {n}", n=FEW), "many": many}
    return FEW if choose("lens_positions", t("Positions"), words, "few") == "few" else MANY
