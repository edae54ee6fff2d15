"""Presses of buttons, none lost: three quick presses are three presses, in their order."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from explorer.ui.components import component

_mount = component("presses", "<i></i>", isolated=False)


def presses(buttons: Sequence[str], seen: int, key: str) -> list[str]:
    """The buttons, by their keys, pressed after the first `seen` presses. Call it before the buttons are drawn."""
    _mount(key, {"buttons": list(buttons), "seen": seen}, height=1, on_pressed_change=lambda: None)
    told = (st.session_state.get(key) or {}).get("pressed")
    return [] if not told else list(told["names"][max(0, seen - told["from"]) :])
