"""The lesson of a page: open on the first visit, folded when the reader returns."""

from __future__ import annotations

import streamlit as st

from explorer.ui.terms import explained
from explorer.ui.visits import returning
from explorer.ui.words import language, lesson, t


def lesson_box(page: str) -> None:
    """Draw the lesson of the page; its terms tell what they mean when they are pointed at."""
    with st.expander(t("What to see"), expanded=not returning()), st.container(key="lesson"):
        st.markdown(explained(lesson(page), language()), unsafe_allow_html=True)
