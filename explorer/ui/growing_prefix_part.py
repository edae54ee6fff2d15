"""Why a prefix LM cannot keep its cache while the prefix grows, in words and measured on the text."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from explorer.generation import Session
from explorer.growing_prefix import Change, changes
from explorer.models.places import Progress
from explorer.types import Message, ModelId
from explorer.ui.generate_lab import Writing, pressed
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.words import literal, t


def growing_prefix_part(writing: Writing, session: Session) -> None:
    """A sentence for every model; measured where it is a decoder that has read at least two tokens."""
    st.caption(
        t(
            "In a prefix LM the positions of the prefix see each other both ways. Where the prefix grows, its keys and "
            "values change in every layer but the first, and the cache is void; a causal model only adds to it."
        )
    )
    if session.facts.stack != "decoder" or len(session.whole) < 2:
        return
    text = writing.asked.prompt + session.text
    if not pressed(writing, "grow_prefix", t("Measure it on this text"), session.generation.ids):
        return
    last = session.facts.layers - 1
    job, place = _job(session.generation.model, text, tuple(sorted({0, last // 2, last}))), st.empty()
    found = job.within(AT_ONCE)
    if found is None:
        wait(job, place)
        return
    told = " · ".join(
        t("layer {layer}: {share} %", layer=each.layer, share=f"{100 * each.share:.1f}") for each in found
    )
    st.markdown(literal(t("Read as a prefix, one token more moves the keys of the others by: {told}", told=told)))


@lru_cache(maxsize=16)
def _job(model: ModelId, text: str, layers: tuple[int, ...]) -> Job[tuple[Change, ...]]:
    def work(tell: Progress) -> tuple[Change, ...]:
        tell(Message("{model} reads the prefix twice", {"model": model.name}), None)
        return changes(model, text, layers)

    return Job(work)
