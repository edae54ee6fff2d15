"""A picture of explorer.views on the page whose marked parts (`data-click`) tell what was clicked."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.ui.components import component
from explorer.views.style import stylesheet

_mount = component("clickable", "<div id='picture'></div>", stylesheet())


def clickable(html: str, key: str, on_click: Callable[[str], None] | None = None) -> None:
    """Draw escaped HTML. A click, or Enter, on a marked part calls `on_click` with its mark before the next run."""
    _mount(key, {"html": html, "keep": False}, on_clicked_change=lambda: _call(key, on_click))


def choosable(html: str, key: str) -> None:
    """Draw escaped HTML whose part clicked last stays chosen; `chosen` tells which."""
    _mount(key, {"html": html, "keep": True}, on_clicked_change=lambda: None)


def collecting(html: str, key: str, seen: int) -> None:
    """Draw escaped HTML of which no click is lost, however quick: `clicks` tells them. seen: how many clicks have been
    answered so far."""
    _mount(key, {"html": html, "seen": seen}, on_clicks_change=lambda: None)


def clicks(key: str, seen: int) -> list[str]:
    """The marks clicked in a collecting picture after the first `seen`, in order. Ask before it is drawn."""
    told = (st.session_state.get(key) or {}).get("clicks")
    return [] if not told else list(told["names"][max(0, seen - told["from"]) :])


def chosen(key: str) -> str | None:
    """The part chosen in the picture `key`, as it was marked."""
    state = st.session_state.get(key)
    return None if state is None else state.get("clicked")


def chosen_cell(key: str, rows: int, columns: int) -> tuple[int, int] | None:
    """The cell chosen in a matrix of that size, None if there is none."""
    kind, *place = (chosen(key) or "").split(":")
    if kind != "cell":
        return None
    row, column = map(int, place)
    return (row, column) if row < rows and column < columns else None


def _call(key: str, on_click: Callable[[str], None] | None) -> None:
    clicked = chosen(key)
    if on_click is not None and clicked is not None:
        on_click(clicked)
