"""GPT-1's joint loss on the loss page."""

from __future__ import annotations

from functools import partial
from math import log

import streamlit as st

from explorer.loss import joint_loss
from explorer.ui.loss_parcel import Further
from explorer.ui.words import literal, t
from explorer.views.joint import joint_picture
from explorer.views.loss_code import joint_code

WORDS = ("It", "rains", "Delim", "Streets", "are", "wet")
"""A pair of texts, as for entailment, between Start and Extract."""


def joint_part() -> Further:
    """Three sliders, where the losses lie, and their sum. Gives what is to take home of it."""
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
    task = 0.0 - log(p) + 0.0
    picture = partial(joint_picture, WORDS, task, language, weight)
    st.html(picture(t))
    return Further(
        joint_code(p, language, weight), {"task": task, "joint": joint_loss(task, language, weight)}, picture
    )
