"""Everything to keep: the picture and table of what is shown, the mosaic, all weights as .npz, and the code."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.looking import attention_code
from explorer.models.forward import sides
from explorer.sights import Choice, sight
from explorer.types import Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.files import button, weights_files
from explorer.ui.head_part import axes_of, mask_of
from explorer.ui.overview_part import mosaic_of
from explorer.ui.words import literal, sentence, t


def files_part(asked: Asked, seen: Seen) -> None:
    """Buttons, then the code that gives the same numbers."""
    attention, mask = seen.attention[asked.kind], mask_of(asked)
    choice = Choice(layer=asked.layer, head=asked.head)
    found = sight(attention.weights, mask, choice, *sides(asked.example, asked.kind))
    name = f"{asked.kind}_layer{asked.layer}_head{asked.head}"
    told = {"layer": asked.layer, "head": asked.head}
    st.markdown(sentence(Message("Layer {layer}, head {head} as a picture and as a table", told)))
    weights_files(f"attention_{name}", found.weights, axes_of(asked, found), mask)
    st.markdown(literal(t("All heads as one picture, and all weights of all kinds as numpy arrays")))
    with st.container(horizontal=True, gap="small"):
        button("PNG", f"attention_{asked.kind}.png", "image/png", partial(_mosaic_png, asked, seen))
        button("npz", "attention.npz", "application/octet-stream", partial(_npz, asked, seen))
    st.code(attention_code(asked.example, seen.model, asked.kind, asked.layer, asked.head), language="python")


def _mosaic_png(asked: Asked, seen: Seen) -> bytes:
    from explorer.views.paint import mosaic_png

    return mosaic_png(mosaic_of(asked, seen, log=False)[0])


def _npz(asked: Asked, seen: Seen) -> bytes:
    from explorer.views.tensors import attention_npz

    return attention_npz(asked.example, seen.attention)
