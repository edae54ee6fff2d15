"""The same weights run with a causal, a prefix and a full mask: loss and attention side by side."""

from __future__ import annotations

import numpy as np
import streamlit as st

from explorer.influence import MASKS
from explorer.models.catalog import parts
from explorer.settings import knobs
from explorer.types import Example, Message
from explorer.ui.attention_lab import Asked, Seen, reading
from explorer.ui.controls import control
from explorer.ui.files import weights_files
from explorer.ui.influence_part import NAMES, PrefixLength, masked
from explorer.ui.measured import awaited, measured
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import weights_picture

REMARKS = {
    "causal": Message("Nobody looks ahead: what a model that writes was trained with."),
    "prefix": Message("The first positions see one another; the rest is as before."),
    "full": Message("Everybody sees the next token: the loss says nothing about how well the model predicts."),
}


def three_masks_part(asked: Asked, _: Seen) -> None:
    """Three columns, one a mask."""
    if asked.kind != "decoder" or asked.example.encoder is not None:
        st.markdown(literal(t("Choose a decoder-only model: its weights can be run with any mask.")))
        return
    st.markdown(literal(t("The same weights and the same text; only the mask differs.")))
    length = control("prefix_length", knobs(PrefixLength)["prefix_length"], PrefixLength)
    examples = {name: masked(asked.example, name, length) for name in MASKS}
    for example in examples.values():
        reading(asked.model, example)  # begun for all before the first is waited for
    for (name, example), column in zip(examples.items(), st.columns(3, gap="medium"), strict=True):
        with column:
            st.header(t(NAMES[name]), anchor=False)
            _column(asked, example, name)


def _column(asked: Asked, example: Example, name: str) -> None:
    """Loss where the model has the head for it, and the chosen head under this mask."""
    seen = awaited(reading(asked.model, example))
    if seen is None:
        return
    if "language model" in parts(asked.model) and example.n_targets:
        scores = measured(("score", example), asked.model, lambda run, model, _: run.score(model, example))
        if scores is not None and scores.mean is not None:
            told = {"loss": f"{scores.mean:.3f}", "count": example.n_targets}
            st.markdown(sentence(Message("Mean loss {loss} over {count} targets", told)))
    weights = seen.attention["decoder"].weights[asked.layer, asked.head].astype(np.float64)
    pieces, mask = example.output.visible, example.masks.decoder
    axes = Axes(pieces, pieces)
    st.html(one_head(weights_picture(weights, axes, t, mask=mask), len(pieces)))
    st.caption(literal(t(REMARKS[name])))
    weights_files(f"mask_{name}_layer{asked.layer}_head{asked.head}", weights, axes, mask)
