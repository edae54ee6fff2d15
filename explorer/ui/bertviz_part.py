"""bertviz's head view, model view and neuron view of the same weights, without the network."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer.types import Attention, Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.choice import choose
from explorer.ui.measured import measured
from explorer.ui.words import literal, sentence, t
from explorer.views.bertviz_page import MOST, View, bertviz_page, missing, shortened

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

VIEWS: dict[View, Message] = {
    "head": Message("head view"),
    "model": Message("model view"),
    "neuron": Message("neuron view"),
}
HEIGHT = 640
ROW, TOP = 23, 130
"""Pixels: of the model view; of a token in the other views, and of what stands over them."""


def bertviz_part(asked: Asked, seen: Seen) -> None:
    """The chosen view in a frame of its own, and what was left out."""
    lacking = missing()
    if lacking:
        told = {"names": ", ".join(lacking)}
        st.markdown(sentence(Message("This part needs {names}, which is not installed.", told)))
        return
    attention = seen.attention[asked.kind]
    view = choose("bertviz", t("View"), {name: t(word) for name, word in VIEWS.items()}, "head")
    most, length = MOST[view], max(len(attention.queries), len(attention.keys))
    if length > most:
        cut = {"most": most, "count": length}
        st.caption(
            sentence(
                Message("bertviz draws each pair as a line, so it gets the first {most} of {count} tokens here.", cut)
            )
        )
    page = _page(view, asked, shortened(attention, most))
    if page is not None:
        rows = min(length, most)
        if view == "neuron":
            st.caption(sentence(Message("Layer {layer}", {"layer": asked.layer})))
        st.iframe(page, height=HEIGHT if view == "model" else rows * ROW + TOP, alt=t("bertviz"))
        st.caption(literal(t("Drawn by bertviz (Vig 2019); its scripts come with this app.")))


def _page(view: View, asked: Asked, attention: Attention) -> str | None:
    if view != "neuron":
        return bertviz_page(view, attention, asked.layer, asked.head)
    if asked.kind == "cross" or not _plain(asked):
        st.markdown(
            literal(t("The neuron view multiplies queries and keys; this attention adds a bias of positions to them."))
            if asked.kind != "cross"
            else literal(t("bertviz has no neuron view of cross-attention."))
        )
        return None
    vectors = _vectors(asked)
    if vectors is None:
        return None
    shown = attention.weights[[asked.layer]]
    cut = tuple(each[None, :, : MOST["neuron"]] for each in vectors)
    layer = Attention(shown, attention.queries, attention.keys, attention.kind)
    return bertviz_page(view, layer, 0, asked.head, cut)


def _plain(asked: Asked) -> bool:
    """Whether scores are products of queries and keys and nothing else."""
    found = measured("positions", asked.model, lambda run, model, _: run.positions(model))
    return found is not None and all(table.kind != "bias" for table in found)


def _vectors(asked: Asked) -> tuple[NDArray[np.float32], NDArray[np.float32]] | None:
    key = ("vectors", asked.example, asked.kind, asked.layer)
    return measured(key, asked.model, lambda run, model, _: run.vectors(model, asked.example, asked.kind, asked.layer))
