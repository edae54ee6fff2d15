"""The text on the attention page, lit by the token in the reader's hand, and words and bars about that token."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from explorer import masks
from explorer.combined import Floats
from explorer.models.forward import sides
from explorer.sights import Sight
from explorer.types import Message, Stream
from explorer.ui.attention_lab import Asked
from explorer.ui.clickable import clickable
from explorer.ui.sight_fields import Focus, take, turn
from explorer.ui.words import literal, sentence, t
from explorer.views.heads import seen_bars
from explorer.views.lit import lit_text

TEXT = "lit_text"
DIRECTIONS = {"query": Message("where it looks"), "key": Message("who looks at it")}
MOST = 128
"""The most tokens that are drawn one by one; longer texts are lit around the token in hand."""


def text_part(asked: Asked, found: Sight, at: Focus | None, *, log: bool) -> None:
    """The tokens to click, and what the chosen one looks at or is looked at by."""
    if asked.kind != "cross":
        st.segmented_control(
            t("A token shows"),
            list(DIRECTIONS),
            format_func=lambda side: t(DIRECTIONS[side]),
            key="direction",
            required=True,
            default=None if "direction" in st.session_state else "query",
            on_change=lambda: turn(st.session_state["direction"]),
            label_visibility="collapsed",
        )
    clickable(f'<div class="xp lit">{_strips(asked, found, at, log=log)}</div>', TEXT, take)
    _words(asked, found, at)


def _strips(asked: Asked, found: Sight, at: Focus | None, *, log: bool) -> str:
    """One text for self-attention, source and target for cross-attention."""
    queries, keys = sides(asked.example, asked.kind)
    strip = partial(_strip, at=at, found=found, log=log)
    if asked.kind != "cross":
        side = at.side if at is not None else st.session_state.get("direction", "query")
        return strip(keys, side, "key" if side == "query" else "query", _caption(at))
    return strip(queries, "query", "query", Message("Target: click a token to see where it looks")) + strip(
        keys, "key", "key", Message("Source: click a token to see who looks at it")
    )


def _strip(stream: Stream, side: str, lit: str, caption: Message, *, at: Focus | None, found: Sight, log: bool) -> str:
    """Tokens that report `side`, lit where they are what is looked at from the other side (`lit`)."""
    weights = None
    if at is not None and (at.side != lit):
        weights = _along(found, at, len(stream))
    chosen = at.at if at is not None and at.side == side else None
    return lit_text(stream.visible, side, caption, t, weights=weights, chosen=chosen, log=log)


def _along(found: Sight, at: Focus, length: int) -> Floats | None:
    """(T,): the row of a query or the column of a key, NaN for what is not shown; None where it is hidden itself."""
    places, others = (found.rows, found.columns) if at.side == "query" else (found.columns, found.rows)
    if at.at not in places:
        return None
    line = int(np.flatnonzero(places == at.at)[0])
    shown = np.where(found.mask, found.weights, 0.0)
    values = np.full(length, np.nan)
    values[others] = shown[line] if at.side == "query" else shown[:, line]
    return values


def _caption(at: Focus | None) -> Message:
    if at is None:
        return Message("Click a token: the text lights up by weight")
    return Message("Lit by where it looks") if at.side == "query" else Message("Lit by who looks at it")


def _words(asked: Asked, found: Sight, at: Focus | None) -> None:
    """Where the chosen token looks, or who looks at it; all rows together as long as none is chosen."""
    queries, keys = sides(asked.example, asked.kind)
    columns = [str(column) for column in found.columns]
    pieces = [keys.visible[column] for column in found.columns]
    shown = np.where(found.mask, np.nan_to_num(found.weights), 0.0)
    if at is None:
        st.html(seen_bars(shown.mean(axis=0), pieces, Message("All rows together look most at"), t, columns))
        return
    if at.cell is not None:
        st.markdown(_pair(asked, found, at.cell))
    stream = queries if at.side == "query" else keys
    told = {"query": at.at, "reads": stream.visible[at.at], "key": at.at, "piece": stream.visible[at.at]}
    line = _along(found, at, len(keys if at.side == "query" else queries))
    if line is None:
        st.caption(literal(t("The chosen token is not shown now.")))
    elif at.side == "query":
        most = Message("Position {query}, {reads}, looks most at", told)
        st.html(seen_bars(line[found.columns], pieces, most, t, columns))
    else:
        most = Message("Position {key}, {piece}, is looked at most by", told)
        lookers = [queries.visible[row] for row in found.rows]
        st.html(seen_bars(line[found.rows], lookers, most, t, [str(row) for row in found.rows]))


def _pair(asked: Asked, found: Sight, cell: tuple[int, int]) -> str:
    """The pair of tokens that was clicked, in a sentence."""
    queries, keys = sides(asked.example, asked.kind)
    row, column = np.flatnonzero(found.rows == cell[0]), np.flatnonzero(found.columns == cell[1])
    rules = masks.rules_of(asked.example, asked.kind)
    if not rules.mask[cell] or not len(row) or not len(column):
        return sentence(masks.reason(rules, *cell))
    told = {
        "query": cell[0],
        "reads": queries.visible[cell[0]],
        "key": cell[1],
        "piece": keys.visible[cell[1]],
        "weight": f"{found.weights[row[0], column[0]]:.4f}",
    }
    return sentence(Message("Position {query}, {reads}, looks at position {key}, {piece}, with weight {weight}.", told))
