"""Presentation mode: large type, the sidebar closed, controls folded away, so that the picture comes first.

The fields stay on the page and are only hidden (see show.css), so nothing that was typed is lost.
"""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from explorer.ui.words import t

FIELD = "large"
"""The switch, and its name in the URL."""

_escape = st.components.v2.component(
    "explorer.show",
    html="<i></i>",
    js=Path(__file__).with_name("show.js").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def showing() -> bool:
    """Whether the page is presented. The mode goes along to the next page, whose link does not have it."""
    if FIELD not in st.session_state and FIELD not in st.query_params and st.session_state.get("shows"):
        st.session_state[FIELD] = True
    return bool(st.session_state.get(FIELD, str(st.query_params.get(FIELD, "")).lower() in {"true", "1"}))


def show_switch() -> None:
    """The switch in the sidebar."""
    words = t("For a projector: large type, and the controls folded away.")
    st.session_state["shows"] = st.toggle(t("Presentation"), key=FIELD, bind="query-params", help=words)


def show_part() -> None:
    """What the page has in presentation: a button for the folded controls, and one that leaves, as Escape does."""
    unfolded = st.session_state.get("controls_shown", False)
    st.html(f'<i class="presentation{" unfolded" if unfolded else ""}"></i>')
    icon = ":material/expand_less:" if unfolded else ":material/expand_more:"
    st.button(t("Controls"), key="show_controls", icon=icon, type="tertiary", on_click=_fold, args=(not unfolded,))
    leave = t("Leave presentation (Esc)")
    st.button(leave, key="show_leave", icon=":material/close_fullscreen:", type="tertiary", on_click=_leave)
    _escape(key="show")


def _fold(unfolded: bool) -> None:
    st.session_state["controls_shown"] = unfolded


def _leave() -> None:
    st.session_state[FIELD] = False
