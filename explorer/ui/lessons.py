"""The lesson of a page: open on the first visit, folded when the reader returns."""

from __future__ import annotations

import streamlit as st

from explorer.ui.visits import returning
from explorer.ui.words import lesson, t


def lesson_box(page: str) -> None:
    """Draw the lesson of the page."""
    with st.expander(t("What to see"), expanded=not returning()):
        st.markdown(lesson(page))
