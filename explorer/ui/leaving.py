"""Who is here, and what is freed when they leave.

A visitor is one connection of a browser. Streamlit clears what it keeps for a connection as soon as that is lost; all
that is freed then can be had again, so one whose network only stumbled misses nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from threading import get_ident

import streamlit as st
from streamlit.runtime import exists, get_instance
from streamlit.runtime.scriptrunner import get_script_run_ctx


@dataclass(eq=False)
class _Held:
    """What is held for one visitor, by name: each is freed by a call that returns at once."""

    frees: dict[str, Callable[[], None]] = field(default_factory=dict)


_here: set[_Held] = set()


def visitor() -> Hashable:
    """Whose page this thread draws; the thread itself where it draws none."""
    run = get_script_run_ctx(suppress_warning=True)
    return get_ident() if run is None else run.session_id


def arrive() -> None:
    """The visitor whose page is drawn is here."""
    if get_script_run_ctx(suppress_warning=True) is not None:
        _here.add(_held())


def visitors() -> int:
    """How many are here."""
    return len(_here)


def hold(name: str, free: Callable[[], None]) -> None:
    """Call `free` when the visitor leaves, in place of what was given under this name before; at once where they have
    left while their page was still being drawn."""
    run = get_script_run_ctx(suppress_warning=True)
    if run is None:
        return
    if exists() and not get_instance().is_active_session(run.session_id):
        free()
    else:
        _held().frees[name] = free


def _let_go(held: _Held) -> None:
    _here.discard(held)
    for free in held.frees.values():
        free()


@st.cache_resource(scope="session", show_spinner=False, on_release=_let_go)
def _held() -> _Held:
    return _Held()
