"""The mask that the family allows beside what the model does; a weight where the mask is closed is an error."""

from __future__ import annotations

import numpy as np
import streamlit as st

from explorer.models.forward import sides
from explorer.types import Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.files import weights_files
from explorer.ui.head_part import mask_of
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import mask_picture, weights_picture


def beside_part(asked: Asked, seen: Seen) -> None:
    """Both pictures, and a count of the weights that ought to be 0 in any head."""
    queries, keys = sides(asked.example, asked.kind)
    mask, weights = mask_of(asked), seen.attention[asked.kind].weights
    wrong = (weights[:, :, ~mask] > 0).sum(axis=(0, 1))  # heads with a weight there, for each closed cell
    given = {
        "closed": int((~mask).sum()),
        "heads": weights.shape[0] * weights.shape[1],
        "wrong": int((wrong > 0).sum()),
    }
    if not given["closed"]:
        st.markdown(literal(t("The mask leaves every cell open.")))
    elif given["wrong"]:
        st.error(sentence(Message("{wrong} of {closed} closed cells have a weight above 0 in some head.", given)))
    else:
        st.markdown(sentence(Message("{closed} cells are closed, and all {heads} heads have weight 0 there.", given)))
    axes = Axes(queries.visible, keys.visible)
    left, right = st.columns(2, gap="large")
    with left:
        st.caption(literal(t("What the family allows")))
        st.html(one_head(mask_picture(mask, queries.visible, keys.visible, t), len(keys)))
        weights_files(f"mask_{asked.kind}", mask.astype(np.float64), axes, mask)
    with right:
        st.caption(literal(t("What layer {layer}, head {head} does", layer=asked.layer, head=asked.head)))
        head = weights[asked.layer, asked.head].astype(np.float64)
        st.html(one_head(weights_picture(head, axes, t, mask=mask), len(keys)))
        weights_files(f"weights_{asked.kind}_layer{asked.layer}_head{asked.head}", head, axes, mask)
