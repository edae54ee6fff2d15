"""What the reader wants to see of the weights: one head or several as one, the scale, specials, sides of a pair; and
the token in the reader's hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import streamlit as st

from explorer.combined import How
from explorer.sights import Choice, Pair, halves
from explorer.types import Message
from explorer.ui.attention_lab import Asked
from explorer.ui.choice import choose
from explorer.ui.words import literal, t

HOWS: dict[How, Message] = {
    "head": Message("one head"),
    "mean": Message("mean of the heads"),
    "maximum": Message("maximum of the heads"),
    "rollout": Message("rollout up to this layer"),
}
SCALES = {"linear": Message("linear"), "log": Message("logarithmic")}
PAIRS: dict[Pair, Message] = {
    "all": Message("both sentences"),
    "aa": Message("A to A"),
    "ab": Message("A to B"),
    "ba": Message("B to A"),
    "bb": Message("B to B"),
}
WORDS: dict[How, Message] = {
    "mean": Message("The mean over the heads of this layer."),
    "maximum": Message("The largest weight over the heads of this layer; a row adds up to more than 1."),
    "rollout": Message(
        "Rollout (Abnar and Zuidema 2020): the means over the heads of all layers up to this one, each half and half "
        "with the residual path, multiplied."
    ),
}
"""What a combination is, and what to mind in it."""

Side = Literal["query", "key"]


@dataclass(frozen=True)
class Focus:
    """The token in the reader's hand: as the one that looks or as the one that is looked at; cell: the pair that was
    clicked, if it was a pair."""

    side: Side
    at: int
    cell: tuple[int, int] | None = None


def choice_fields(asked: Asked) -> tuple[Choice, bool]:
    """Draw the fields; what is to be seen, and whether the scale is logarithmic."""
    hows = {how: t(word) for how, word in HOWS.items() if how != "rollout" or asked.kind != "cross"}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small", key="sight"):
        how = choose("combine", t("Shown"), hows, "head", width=190)
        scale = choose("scale", t("Scale"), {name: t(word) for name, word in SCALES.items()}, "linear")
        pair: Pair = "all"
        encoder = asked.example.encoder
        if asked.kind == "encoder" and encoder is not None and halves(encoder) is not None:
            pair = choose("pair", t("Sentences"), {name: t(word) for name, word in PAIRS.items()}, "all", width=150)
        hide = st.toggle(
            t("Hide special tokens"),
            key="hide",
            bind="query-params",
            help=t("Special tokens and padding are left out, and each row is divided by what is left."),
        )
    if how in WORDS:
        st.caption(literal(t(WORDS[how])))
    if pair != "all" and not hide:
        st.caption(literal(t("A part of each row: it adds up to less than 1.")))
    if hide:
        st.caption(literal(t("Without special tokens; each row is divided by what is left of it.")))
    return Choice(how, asked.layer, asked.head, hide, pair), scale == "log"


def choice_now(asked: Asked) -> Choice:
    """What the fields say, where they have been drawn before."""
    state = st.session_state
    pair: Pair = state.get("pair", "all") if asked.kind == "encoder" else "all"
    return Choice(state.get("combine", "head"), asked.layer, asked.head, bool(state.get("hide")), pair)


def focus(queries: int, keys: int) -> Focus | None:
    """The token in the reader's hand, None if there is none in sequences of this length."""
    kind, *places = str(st.session_state.get("focus", "")).split(":")
    at = tuple(map(int, places))
    if kind == "cell" and at[0] < queries and at[1] < keys:
        return Focus("query", at[0], (at[0], at[1]))
    if kind == "query" and at[0] < queries:
        return Focus("query", at[0])
    return Focus("key", at[0]) if kind == "key" and at[0] < keys else None


def turn(side: Side) -> None:
    """Take the same token as the one that looks, or as the one that is looked at."""
    found = focus(10**9, 10**9)
    if found is not None:
        st.session_state["focus"] = f"{side}:{found.at}"


def take(mark: str) -> None:
    """Put a token, or a pair of them, into the reader's hand; positions are those of the sequences."""
    st.session_state["focus"] = mark
    st.session_state["direction"] = "key" if mark.startswith("key") else "query"


def take_shown(rows: list[int], columns: list[int], mark: str) -> None:
    """The same for a mark that counts what is shown."""
    kind, *at = mark.split(":")
    places = {"query": [rows], "key": [columns], "cell": [rows, columns]}[kind]
    take(":".join([kind, *(str(each[int(number)]) for each, number in zip(places, at, strict=True))]))
