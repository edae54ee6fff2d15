"""Cross-attention as an alignment on the Transformer page."""

from __future__ import annotations

import streamlit as st

from explorer.alignment import align
from explorer.models.catalog import catalogue, parts
from explorer.types import Example, Message
from explorer.ui.attention_lab import reading
from explorer.ui.clickable import clickable
from explorer.ui.measured import awaited
from explorer.ui.words import literal, sentence, t
from explorer.views.alignment import alignment_picture

OWN = "explorer/transformer"
"""The translation model that comes with the app."""


def alignment_part(model: str, example: Example) -> None:
    """The layer, and the lines from source to target."""
    if not weights_here(model):
        return
    seen = awaited(reading(model, example))
    if seen is None:
        return
    weights = seen.attention["cross"].weights  # (L,H,S,T)
    layers = len(weights)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        layer = st.number_input(t("Layer"), 0, layers - 1, layers - 1, key="align_layer", width=124)
        words = t("Words only")
        hide = st.toggle(words, True, key="align_words", help=t("Without control tokens, on which much weight rests."))
    found = align(weights[layer], example, hide_special=hide)
    clickable(alignment_picture(found, t), "alignment")
    given = {"layer": int(layer), "share": float(found.kept.mean())}
    st.caption(
        sentence(
            Message(
                "Layer {layer}, the mean over its heads. The source tokens shown get {share:.0%} of the attention; "
                "each row is divided by what it gives them. Each output stands under the token that it must say.",
                given,
            )
        )
    )


def weights_here(model: str) -> bool:
    """Whether the model can be asked; says what is missing where not."""
    if "language model" in parts(model):
        return True
    lacks = Message("{model} has no weights on this machine, so there is nothing to see here.", {"model": model})
    st.markdown(sentence(lacks))
    if OWN not in (each.name for each in catalogue()):
        given = {"model": OWN, "command": "python -m explorer train transformer"}
        absent = Message("{model}, the translation model of the app, is not here yet; {command} makes it.", given)
        st.markdown(sentence(absent))
    else:
        st.markdown(literal(t("Choose a model with weights above.")))
    return False
