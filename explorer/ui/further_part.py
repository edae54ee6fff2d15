"""What looks further than the next token, one tab each. Only the tab that is open is worked out."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer import generation
from explorer.generation import Session
from explorer.types import Message, SamplingSettings
from explorer.ui.beam_part import beam_part
from explorer.ui.branches_part import branches_part
from explorer.ui.cache_part import cache_part
from explorer.ui.generate_lab import Writing
from explorer.ui.inside_part import inside_part
from explorer.ui.strategies_part import strategies_part
from explorer.ui.tables import table_with_csv
from explorer.ui.take_home_part import take_home
from explorer.ui.whole_text_part import whole_text_part
from explorer.ui.words import literal, t
from explorer.ui.writing_parcel import writing_parcel
from explorer.views.tables import candidate_table

Part = Callable[[Writing, Session, SamplingSettings], None]

PARTS: dict[str, tuple[Message, Part]] = {
    "whole": (Message("Whole text"), whole_text_part),
    "branches": (Message("Branches"), branches_part),
    "strategies": (Message("Strategies"), strategies_part),
    "beams": (Message("Beam search"), beam_part),
    "inside": (Message("Inside the step"), inside_part),
    "cache": (Message("KV cache"), cache_part),
}


def further_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """The tabs, then the table of the candidates and what there is to take home."""
    labels = [literal(t(title)) for title, _ in PARTS.values()]
    tabs = st.tabs(labels, key="further", on_change="rerun")
    for tab, (_, draw) in zip(tabs, PARTS.values(), strict=True):
        if tab.open:
            with tab:
                draw(writing, session, settings)
    with st.expander(t("Table and CSV"), key="table", on_change="rerun") as table:
        if table.open:
            _table(session, settings)
    take_home(lambda: writing_parcel(session, writing.used or (settings,)))


def _table(session: Session, settings: SamplingSettings) -> None:
    sampled = generation.look(session, settings)
    candidates = generation.coming(session, settings, sampled).candidates
    table_with_csv(candidate_table(candidates, settings, t, sampled), "candidates")
