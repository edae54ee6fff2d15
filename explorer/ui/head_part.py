"""One head on the attention page: its figures, the picture, words about the chosen row, the table and the code."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray
from streamlit.delta_generator import DeltaGenerator

from explorer import masks
from explorer.looking import attention_code, head_figures
from explorer.models.forward import sides
from explorer.types import Attention, AttentionKind, Bools, Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.clickable import choosable, chosen_cell
from explorer.ui.tables import table_with_csv
from explorer.ui.words import literal, sentence, t
from explorer.views.heads import head_line, one_head, seen_bars
from explorer.views.matrix import mask_picture, weights_picture

Weights = NDArray[np.float64]
Cell = tuple[int, int]

PICTURE = "attention_cell"
RULES: dict[AttentionKind, Message] = {
    "encoder": Message("Encoder: every position may look at every position."),
    "decoder": Message("Decoder: a position may look at itself and at what comes before it; the rest is closed."),
    "cross": Message("Cross: every target position may look at every position of the source."),
}


def head_part(asked: Asked, seen: Seen | None) -> tuple[DeltaGenerator, DeltaGenerator]:
    """Figures, picture and words; until there are weights, the mask stands in the place of the picture. Gives the
    places for what is still awaited and for what comes below."""
    attention = None if seen is None else seen.attention[asked.kind]
    if attention is not None and not _has(attention, asked):
        # The weights came while the fields were drawn without knowing how many layers and heads there are.
        st.rerun()
    weights = None if attention is None else attention.weights[asked.layer, asked.head].astype(np.float64)
    figures = None
    if attention is not None and weights is not None:
        figures = head_figures(weights, _mask(asked)), attention
    st.html(head_line(figures, t))
    left, right = st.columns([3, 2], gap="large")
    queries, keys = sides(asked.example, asked.kind)
    cell = chosen_cell(PICTURE, len(queries), len(keys))
    with left:
        choosable(_picture(asked, weights, cell), PICTURE)
    with right:
        _remarks(asked, shown=weights is not None)
        waiting = st.empty()
        if weights is not None:
            _words(asked, weights, cell)
    return waiting, st.container()


def _has(attention: Attention, asked: Asked) -> bool:
    layers, heads, *_ = attention.weights.shape
    return bool(asked.layer < layers and asked.head < heads)


def _mask(asked: Asked) -> Bools:
    """(Q,K): what the family allows."""
    found = getattr(asked.example.masks, asked.kind)
    assert found is not None  # noqa: S101 - for the type checker
    return np.asarray(found)


def _picture(asked: Asked, weights: Weights | None, cell: Cell | None) -> str:
    """The weights, or who may look at whom as long as there are none."""
    queries, keys = sides(asked.example, asked.kind)
    pieces, mask = (queries.visible, keys.visible), _mask(asked)
    if weights is not None:
        return one_head(weights_picture(weights, *pieces, t, mask=mask, clickable=True, chosen=cell), len(keys))
    reason = partial(masks.reason, masks.rules_of(asked.example, asked.kind))
    return one_head(mask_picture(mask, *pieces, t, reason=reason, clickable=True, chosen=cell), len(keys))


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


def _words(asked: Asked, weights: Weights, cell: Cell | None) -> None:
    """Where the chosen row looks; all rows together as long as none is chosen."""
    queries, keys = sides(asked.example, asked.kind)
    if cell is None:
        st.markdown(literal(t("Click a cell: its row says where that position looks.")))
        st.html(seen_bars(weights.mean(axis=0), keys.visible, Message("All rows together look most at"), t))
        return
    row, column = cell
    told = {
        "query": row,
        "reads": queries.visible[row],
        "key": column,
        "piece": keys.visible[column],
        "weight": f"{weights[cell]:.4f}",
    }
    looks = Message("Position {query}, {reads}, looks at position {key}, {piece}, with weight {weight}.", told)
    why = masks.reason(masks.rules_of(asked.example, asked.kind), row, column)
    st.markdown(sentence(looks if _mask(asked)[cell] else why))
    most = Message("Position {query}, {reads}, looks most at", told)
    st.html(seen_bars(weights[row], keys.visible, most, t))


def folded(asked: Asked, seen: Seen | None) -> None:
    """The weights of this head as a table, and the code that gives them; nothing while there are none."""
    if seen is None:
        return
    table = st.expander(t("Table and CSV"), key="table", on_change="rerun")
    if table.open:
        with table:
            _table(seen.attention[asked.kind], asked)
    with st.expander(t("Code that gives these numbers")):
        st.code(attention_code(asked.example, seen.model, asked.kind, asked.layer, asked.head), language="python")


def _table(attention: Attention, asked: Asked) -> None:
    from explorer.views.tables import weights_table

    weights = attention.weights[asked.layer, asked.head]
    table = weights_table(weights, attention.queries, attention.keys, t, _mask(asked))
    table_with_csv(table, f"attention_{asked.kind}_layer{asked.layer}_head{asked.head}")
