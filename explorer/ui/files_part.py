"""Everything to keep: the picture and table of what is shown, the mosaic, all weights as .npz, and the code."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.looking import attention_code
from explorer.models.forward import sides
from explorer.sights import sight
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.files import button, weights_files
from explorer.ui.head_part import axes_of, mask_of
from explorer.ui.overview_part import mosaic_of
from explorer.ui.sight_fields import choice_now
from explorer.ui.words import literal, t


def files_part(asked: Asked, seen: Seen) -> None:
    """Buttons, then the code that gives the same numbers."""
    attention, mask = seen.attention[asked.kind], mask_of(asked)
    choice = choice_now(asked)
    found = sight(attention.weights, mask, choice, *sides(asked.example, asked.kind))
    which = f"head{asked.head}" if choice.how == "head" else choice.how
    st.markdown(literal(t("What is shown above as a picture and as a table")))
    log = st.session_state.get("scale") == "log"
    name = f"attention_{asked.kind}_layer{asked.layer}_{which}"
    weights_files(name, found.weights, axes_of(asked, found), found.mask, log=log)
    st.markdown(literal(t("All heads as one picture, and all weights of all kinds as numpy arrays")))
    with st.container(horizontal=True, gap="small"):
        button("PNG", f"attention_{asked.kind}.png", "image/png", partial(_mosaic_png, asked, seen))
        button("npz", "attention.npz", "application/octet-stream", partial(_npz, asked, seen))
    st.code(attention_code(asked.example, seen.model, asked.kind, asked.layer, asked.head), language="python")


def _mosaic_png(asked: Asked, seen: Seen) -> bytes:
    from explorer.views.paint import mosaic_png

    return mosaic_png(mosaic_of(asked, seen, log=st.session_state.get("scale") == "log")[0])


def _npz(asked: Asked, seen: Seen) -> bytes:
    from explorer.views.tensors import attention_npz

    return attention_npz(asked.example, seen.attention)
