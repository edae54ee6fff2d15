"""One of several named choices: its name stands in the URL, its words on the page.

Streamlit puts the words of a bound choice in the URL, and they change with the language. So the name lives in a text
field that is bound to the URL and not shown (see frame.css), and the control that is shown writes to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TypeVar

import streamlit as st

Name = TypeVar("Name", bound=str)

FEW = 3
"""Up to so many choices stand side by side unless told otherwise."""


def address(name: str, default: Name, known: Mapping[Name, object]) -> Name:
    """Bind `name` to the URL and give its value, `default` where the URL has something unknown."""
    if st.session_state.get(name, default) not in known:
        st.session_state[name] = default
    given = st.text_input(f"?{name}=", value=default, key=name, bind="query-params", label_visibility="collapsed")
    return next((each for each in known if each == given), default)


def choose(
    name: str,
    label: str,
    choices: Mapping[Name, str],
    default: Name,
    help: str | None = None,
    *,
    width: int = 200,
    few: int = FEW,
) -> Name:
    """A control for `name` among `choices` (name -> words); gives the chosen name. Up to `few` choices stand side by
    side; more are a list to open."""
    value = address(name, default, choices)
    shown(name, label, choices, value, help, width=width, few=few)
    return value


def shown(
    name: str,
    label: str,
    choices: Mapping[Name, str],
    value: Name,
    help: str | None = None,
    *,
    width: int = 200,
    few: int = FEW,
) -> None:
    """The visible control alone, where the address has been bound before."""
    key = f"{name}_shown"
    st.session_state[key] = value
    options, words = list(choices), choices.__getitem__
    if len(choices) <= few:
        st.segmented_control(
            label, options, format_func=words, key=key, help=help, required=True, on_change=_take, args=(name,)
        )
    else:
        st.selectbox(label, options, format_func=words, key=key, help=help, on_change=_take, args=(name,), width=width)


def _take(name: str) -> None:
    st.session_state[name] = st.session_state[f"{name}_shown"]
