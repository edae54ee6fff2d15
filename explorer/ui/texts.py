"""A field for text: it keeps what was typed, whatever that is, and reads what can be read."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from typing import Any

import streamlit as st

from explorer.host import rules
from explorer.types import Message
from explorer.ui.words import sentence

LINKED = 1_500
"""The most characters of a text that the URL holds, so that every server takes it."""


def text_field(
    name: str,
    label: str,
    default: str = "",
    rows: int = 2,
    *,
    most: int = sys.maxsize,
    on_change: Callable[..., None] | None = None,
    args: tuple[Any, ...] = (),
) -> str:
    """A box of several lines; gives its text, cut and cleaned, with a warning where that was needed. most: characters,
    if fewer than the host allows."""
    typed = str(st.session_state.get(name, default))
    whole = re.sub("[\ud800-\udfff]", "\ufffd", typed)
    if whole != typed:
        # Neither the socket to the browser nor a tokenizer takes half a character.
        st.session_state[name] = whole
    text = st.text_area(
        label,
        value=default,
        height=24 * rows + 36,
        key=name,
        on_change=on_change,
        args=args,
        bind="query-params" if len(whole) <= LINKED else None,
        persist_state="session",
    )
    if "\ufffd" in text:
        broken = Message(
            "The text holds {sign}, which stands for half a character (a lone surrogate) or for bytes that are "
            "no text.",
            {"sign": "\ufffd"},
        )
        st.warning(sentence(broken))
    longest = min(rules().longest, most)
    if len(text) > longest:
        cut = {"count": len(text), "limit": longest}
        st.warning(sentence(Message("The text has {count} characters; the page reads the first {limit} of them.", cut)))
    return text[:longest]
