"""GPT-1's joint loss on the loss page."""

from __future__ import annotations

from math import log

import streamlit as st

from explorer.ui.words import literal, t
from explorer.views.joint import joint_picture

WORDS = ("It", "rains", "Delim", "Streets", "are", "wet")
"""A pair of texts, as for entailment, between Start and Extract."""


def joint_part() -> None:
    """Three sliders, where the losses lie, and their sum."""
    st.markdown(
        literal(
            t(
                "In fine-tuning, GPT-1 learned the class of a text from the output at its last token (L2), and went on "
                "learning its next tokens (L1) with half the weight."
            )
        )
    )
    with st.container(horizontal=True, gap="medium"):
        p = st.slider(t("p of the right class"), 0.01, 1.0, 0.7, 0.01, key="class_p", bind="query-params", width=220)
        language = st.slider(
            t("L1: mean loss of the next tokens"), 0.0, 11.0, 3.8, 0.1, key="lm_loss", bind="query-params", width=220
        )
        weight = st.slider(t("Weight of L1"), 0.0, 2.0, 0.5, 0.1, key="lm_weight", bind="query-params", width=220)
    st.html(joint_picture(WORDS, 0.0 - log(p) + 0.0, language, weight, t))
