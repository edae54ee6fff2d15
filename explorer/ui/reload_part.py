"""A text that was written outlives a reload of its tab: the browser keeps the ids, apart from the address, where every
step would be a step of the browser's Back button."""

from __future__ import annotations

from hashlib import sha256

import streamlit as st

from explorer.generation import Session
from explorer.ui.components import component
from explorer.ui.generate_lab import Writing
from explorer.ui.writing_steps import click

KEY = "reload"

_mount = component("reload", "<i></i>", isolated=False)


def outlive_reload(writing: Writing, session: Session) -> None:
    """Give the browser the ids of the text, those too that are still to be written again. What it kept before a reload
    for the same prompt and model comes back as the ids of a link do."""
    ids = " ".join(map(str, (*session.generation.ids, *writing.given)))
    about = sha256(repr(writing.asked).encode()).hexdigest()
    _mount(KEY, {"about": about, "ids": ids}, height=1, on_found_change=_write_again)


def _write_again() -> None:
    found = (st.session_state.get(KEY) or {}).get("found")
    if found:
        click(f"link:{found}")
