"""One head, or several as one, on the attention page: picture, figures, the text lit by a token, words about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import pairwise

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import masks
from explorer.combined import blocks, window
from explorer.looking import head_figures
from explorer.models.forward import sides
from explorer.sights import Sight, sight
from explorer.types import Attention, AttentionKind, Bools, Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.clickable import clickable
from explorer.ui.overview_part import overview_part
from explorer.ui.sight_fields import Focus, choice_fields, focus, take, take_shown
from explorer.ui.text_part import text_part
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import head_line, one_head
from explorer.views.matrix import mask_picture, weights_picture

PICTURE = "attention_cell"
BLOCKS = "attention_block"
MOST_TOKENS = 128
"""Longer sequences are shown as blocks of tokens first, and the tokens of the block that is clicked."""
MOST_BLOCKS = 32
"""Blocks a side."""
CLOSE = 32
"""Tokens a side that are shown around a block."""

RULES: dict[AttentionKind, Message] = {
    "encoder": Message("Encoder: every position may look at every position."),
    "decoder": Message("Decoder: a position may look at itself and at what comes before it; the rest is closed."),
    "cross": Message("Cross: every target position may look at every position of the source."),
}


def head_part(asked: Asked, seen: Seen | None) -> DeltaGenerator:
    """Overview and one head side by side; until there are weights, the mask stands in the place of the picture. Gives
    the place for what is still awaited."""
    attention = None if seen is None else seen.attention[asked.kind]
    if attention is not None and not _has(attention, asked):
        # The weights came while the fields were drawn without knowing how many layers and heads there are.
        st.rerun()
    left, right = st.columns(2, gap="large")
    with right:
        choice, log = choice_fields(asked)
        queries, keys = sides(asked.example, asked.kind)
        at = focus(len(queries), len(keys))
        if attention is None:
            st.html(head_line(None, t))
            _mask_picture(asked, at)
            found = None
        else:
            found = sight(attention.weights, mask_of(asked), choice, queries, keys)
            _pictures(asked, found, at, log=log)
    with left:
        if seen is not None:
            overview_part(asked, seen, log=log)
        _remarks(asked, shown=seen is not None)
        waiting = st.empty()
        if found is not None:
            text_part(asked, found, at, log=log)
    return waiting


def _has(attention: Attention, asked: Asked) -> bool:
    layers, heads, *_ = attention.weights.shape
    return bool(asked.layer < layers and asked.head < heads)


def mask_of(asked: Asked) -> Bools:
    """(Q,K): what the family allows."""
    found = getattr(asked.example.masks, asked.kind)
    assert found is not None  # noqa: S101 - for the type checker
    return np.asarray(found)


def axes_of(asked: Asked, found: Sight) -> Axes:
    """The names of what is shown, with their positions in the sequences."""
    queries, keys = sides(asked.example, asked.kind)
    return Axes(
        [queries.visible[at] for at in found.rows],
        [keys.visible[at] for at in found.columns],
        [str(at) for at in found.rows],
        [str(at) for at in found.columns],
    )


def _mask_picture(asked: Asked, at: Focus | None) -> None:
    queries, keys = sides(asked.example, asked.kind)
    reason = partial(masks.reason, masks.rules_of(asked.example, asked.kind))
    cell = None if at is None else at.cell
    picture = mask_picture(mask_of(asked), queries.visible, keys.visible, t, reason=reason, clickable=True, chosen=cell)
    clickable(one_head(picture, len(keys)), PICTURE, take)


def _pictures(asked: Asked, found: Sight, at: Focus | None, *, log: bool) -> None:
    """Figures and weights: the tokens themselves, or blocks of them and the tokens of one block."""
    axes = axes_of(asked, found)
    figures = head_figures(found.weights, found.mask) if found.mask.any() else None
    st.html(head_line(None if figures is None else (figures, axes), t))
    if axes.longest <= MOST_TOKENS:
        _weights(asked, found, at, log=log)
        return
    small = blocks(found.weights, found.mask, MOST_BLOCKS)
    names = _block_axes(axes, small.rows.tolist(), small.columns.tolist())
    picture = weights_picture(small.weights, names, t, mask=small.mask, log=log, clickable=True)
    clickable(one_head(picture, len(names.keys)), BLOCKS, partial(_zoom, small.rows.tolist(), small.columns.tolist()))
    size = {"count": int(small.rows[1] - small.rows[0])}
    st.caption(
        sentence(Message("Blocks of {count} tokens: the sum over their keys, the mean over their queries.", size))
    )
    st.caption(literal(t("Click a block to see its tokens.")))
    row, column = (int(part) for part in str(st.session_state.get("zoom", "0:0")).split(":"))
    close = window(row, CLOSE, len(found.rows)), window(column, CLOSE, len(found.columns))
    _weights(asked, found.part(*close), at, log=log)


def _block_axes(axes: Axes, rows: list[int], columns: list[int]) -> Axes:
    """Blocks by their first and last position, and their first piece."""

    def names(numbers: list[int], name: Callable[[int], str]) -> list[str]:
        return [f"{name(start)}–{name(end - 1)}" for start, end in pairwise(numbers)]

    return Axes(
        [axes.queries[at] for at in rows[:-1]],
        [axes.keys[at] for at in columns[:-1]],
        names(rows, axes.row),
        names(columns, axes.column),
    )


def _zoom(rows: list[int], columns: list[int], mark: str) -> None:
    """The middle of the block that was clicked."""
    kind, *at = mark.split(":")
    before = str(st.session_state.get("zoom", "0:0")).split(":")
    row = rows[int(at[0])] if kind in {"cell", "query"} else int(before[0])
    column = columns[int(at[-1])] if kind in {"cell", "key"} else int(before[1])
    st.session_state["zoom"] = f"{row}:{column}"


def _weights(asked: Asked, found: Sight, at: Focus | None, *, log: bool) -> None:
    rows, columns = found.rows.tolist(), found.columns.tolist()
    cell = None
    if at is not None and at.cell is not None and at.cell[0] in rows and at.cell[1] in columns:
        cell = rows.index(at.cell[0]), columns.index(at.cell[1])
    axes = axes_of(asked, found)
    picture = weights_picture(found.weights, axes, t, mask=found.mask, log=log, clickable=True, chosen=cell)
    clickable(one_head(picture, len(columns)), PICTURE, partial(take_shown, rows, columns))


def _remarks(asked: Asked, *, shown: bool) -> None:
    """What to see in a ready example; which cells the family leaves open; what became of the text."""
    pattern = asked.pattern
    if shown and pattern is not None and (asked.model in pattern.heads or pattern.kind == asked.kind):
        st.markdown(f"**{literal(t(pattern.sees))}**")
    st.caption(sentence(RULES[asked.kind]))
    for message in asked.example.warnings:
        st.warning(sentence(message))
    for message in asked.example.notes:
        st.caption(sentence(message))
