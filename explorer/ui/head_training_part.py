"""A linear head trained in the page: how its loss and its share of right answers went, and what it says of examples
that it has never seen."""

from __future__ import annotations

import pandas as pd
import streamlit as st

from explorer.types import Message
from explorer.ui.controls import Asked
from explorer.ui.head_says import STEPS, own_head, trains_here
from explorer.ui.words import sentence, t


def head_training_part(asked: Asked) -> None:
    """Under the data: the head that they teach, if the reader has asked for one."""
    if not trains_here(asked):
        return
    if not st.session_state.get("own_head"):
        st.caption(t("Switch on “Put a head on this model” above, and these examples train one."))
        return
    st.header(t("A head trained on these examples"), anchor=False)
    trained = own_head(asked)
    if trained is None:
        return
    points, (taught, held) = trained.learned.points, trained.counts
    last = points[-1]
    given = {"taught": taught, "held": held, "steps": STEPS, "size": trained.learned.head.weights.size}
    st.markdown(
        sentence(Message("Learned from {taught} examples in {steps} steps; held out: {held}. Weights: {size}.", given))
    )
    if last.right is not None and last.held_right is not None:
        shares = {"taught": last.right, "held": last.held_right}
        told = Message("Right on what it learned from: {taught:.0%}; on what was held out: {held:.0%}.", shares)
        st.markdown(sentence(told))
    table = pd.DataFrame(
        {
            t("step"): [point.step for point in points],
            t("loss, learned from"): [point.loss for point in points],
            t("loss, held out"): [point.held_loss for point in points],
        }
    )
    st.line_chart(table, x=t("step"), height=220)
    columns = [t("line"), t("text"), t("wanted"), t("said")]
    st.dataframe(pd.DataFrame(trained.held, columns=columns), hide_index=True)
    st.caption(
        t(
            "So few examples are soon known by heart: the loss on them falls on while that of the held-out ones stands "
            "or rises. Only the held-out share says what was learned."
        )
    )
