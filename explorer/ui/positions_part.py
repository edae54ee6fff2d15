"""How the model tells positions apart: its table, bias or angles, as pictures."""

from __future__ import annotations

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from explorer.position_maps import PositionKind, PositionTable, likeness
from explorer.types import Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.files import signed_files
from explorer.ui.measured import measured
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import signed_picture

TITLES: dict[PositionKind, Message] = {
    "sinusoidal": Message("Sinusoidal table"),
    "learned": Message("Learned position embeddings"),
    "bias": Message("Relative bias of each head"),
    "rotary": Message("Rotary angles"),
}
WORDS: dict[PositionKind, Message] = {
    "sinusoidal": Message(
        "Sines and cosines of ever slower angles: each position has its own pattern; nothing is learned."
    ),
    "learned": Message("The cosine between the embeddings of two positions: alike where it is high."),
    "bias": Message("What each head adds to the score of a key, by how far it lies before or after the query."),
    "rotary": Message(
        "The cosine of the angle by which queries and keys are turned against each other, by distance; each pair of "
        "numbers turns at its own speed."
    ),
}
COLUMNS = 64
"""The most numbers of a position that are drawn."""


def positions_part(asked: Asked, _: Seen) -> None:
    """Every table, bias or set of angles that the model has."""
    found = measured("positions", asked.model, lambda run, model, _: run.positions(model))
    if found is None:
        return
    if not found:
        st.markdown(literal(t("This model keeps its positions in a way that this page does not know.")))
    for number, table in enumerate(found):
        st.header(t(TITLES[table.kind]), anchor=False)
        st.caption(sentence(Message("Read from {where}.", {"where": table.where})))
        st.markdown(literal(t(WORDS[table.kind])))
        values, axes = _picture(table)
        st.html(one_head(signed_picture(values, axes, t, TITLES[table.kind]), len(axes.keys)))
        signed_files(f"positions_{number}_{table.kind}", values, axes)


def _picture(table: PositionTable) -> tuple[NDArray[np.floating], Axes]:
    """What is drawn of a table, and the names of its sides."""
    positions, numbers = Message("positions"), Message("numbers of the embedding")
    rows = [""] * len(table.values)
    if table.kind == "learned":
        return likeness(table.values), Axes(rows, rows, words=(positions, positions))
    if table.kind == "sinusoidal":
        shown = table.values[:, :COLUMNS]
        return shown, Axes(rows, [""] * shown.shape[1], words=(positions, numbers))
    distances = [str(distance) for distance in table.distances]
    if table.kind == "bias":
        words = Message("heads"), Message("distance: key minus query")
        return table.values, Axes(rows, [""] * len(distances), columns=distances, words=words)
    words = Message("distance"), Message("pairs of numbers")
    return np.cos(table.values), Axes(rows, [""] * table.values.shape[1], rows=distances, words=words)
