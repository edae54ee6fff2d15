"""The line before a model: whoever waits in it reads how many people come first.

The words float above the page, so that nothing on it moves when they come and go.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from html import escape

import streamlit as st

from explorer.models.turns import Asker, asking
from explorer.types import Message
from explorer.ui.leaving import visitor
from explorer.ui.words import t


def before_you(people: int) -> Message:
    """How many come first, in words."""
    if people == 1:
        return Message("1 person before you")
    return Message("{n} people before you", {"n": people})


def awaited(words: str, share: float = 0.0) -> str:
    """Words for somebody who waits, and the share that is done where that is known."""
    bar = f'<i style="width:{share:.0%}"></i>' if share else ""
    return f'<div class="xp awaited" role="status">{escape(words)}{bar}</div>'


@contextmanager
def in_line() -> Iterator[None]:
    """What a page reads with a model while it is drawn: if that has to wait, the reader is told. Whoever leaves, or
    asks for something else, gives up the place: telling them is where Streamlit ends the run."""
    place = st.empty()

    def told(people: int) -> None:
        if people:
            place.html(awaited(t(before_you(people))))
        else:
            place.empty()

    with asking(Asker(visitor(), told)):
        yield
