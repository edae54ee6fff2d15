"""All heads at once on the attention page; a click on a tile opens its head."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np
import streamlit as st

from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.clickable import clickable
from explorer.ui.words import literal, t
from explorer.views.mosaic import Mosaic, mosaic, mosaic_picture, mosaic_sheet

OVERVIEW = "overview"

_mosaics: WeakKeyDictionary[Seen, dict[tuple[str, bool], tuple[Mosaic, str]]] = WeakKeyDictionary()
"""Pictures live as long as the weights that they were made of."""


def overview_part(asked: Asked, seen: Seen, *, log: bool) -> None:
    """The picture with its labels."""
    picture, sheet = mosaic_of(asked, seen, log=log)
    st.html(sheet)
    head = asked.head if st.session_state.get("combine", "head") == "head" else None
    shape = seen.attention[asked.kind].weights.shape[2:]
    clickable(mosaic_picture(picture, shape, t, (asked.layer, head)), OVERVIEW, open_mark)
    words = (
        t("Each tile is one head, strong where it looks; all tiles share one logarithmic scale.")
        if log
        else t("Each tile is one head, strong where it looks; its strongest cell is its own largest weight.")
    )
    st.caption(literal(words + " " + t("Click a tile to open it.")))


def mosaic_of(asked: Asked, seen: Seen, *, log: bool) -> tuple[Mosaic, str]:
    """The mosaic of these weights, and its style sheet."""
    kept = _mosaics.setdefault(seen, {})
    if (asked.kind, log) not in kept:
        mask = np.asarray(getattr(asked.example.masks, asked.kind))
        found = mosaic(seen.attention[asked.kind], mask, log=log)
        kept[asked.kind, log] = found, mosaic_sheet(found)
    return kept[asked.kind, log]


def open_mark(mark: str) -> None:
    """What the tile or name stands for goes into the fields."""
    kind, *numbers = mark.split(":")
    at = [int(number) for number in numbers]
    if kind in {"head", "mean", "layer"}:
        st.session_state["layer"] = at[0]
    if kind in {"head", "column"}:
        st.session_state["head"] = at[-1]
    if kind != "layer":
        st.session_state["combine"] = "mean" if kind == "mean" else "head"
