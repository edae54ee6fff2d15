"""Batches of different length on the loss page: the mean over targets, the mean of means, accumulated gradients."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.accumulation import CODE
from explorer.averages import Averages, averages, read_batches
from explorer.types import InputProblem, Message
from explorer.ui.loss_parcel import Further
from explorer.ui.words import literal, own_comments, sentence, t
from explorer.views.averages import shares_picture
from explorer.views.loss_code import averages_code


def batches_part() -> Further | None:
    """The field, the picture of the shares, what they mean for a step, and code for both ways. Gives what is to take
    home of it."""
    label = t("Losses of the tokens, | between batches, − for a token without loss")
    text = st.text_input(label, "4 | 1 1 1", key="losses", bind="query-params")
    try:
        found = averages(read_batches(text))
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None
    for warning in found.warnings:
        st.warning(sentence(warning))
    st.html(shares_picture(found, t))
    st.markdown(sentence(_told(found)))
    st.markdown(
        literal(
            t(
                "The gradient of a mean is the mean of the gradients. So the same shares say how much each token moves "
                "the weights when the batches are micro-batches whose gradients are added up before one step."
            )
        )
    )
    with st.expander(t("Code that accumulates both ways"), key="accumulation", on_change="rerun") as folded:
        if folded.open:
            st.code(own_comments(CODE), language="python")
    record = {name: getattr(found.combined, name) for name in ("mean", "mean_of_means", "n_targets")}
    return Further(averages_code(found), record, partial(shares_picture, found))


def _told(found: Averages) -> Message:
    combined = found.combined
    given = {
        "mean": combined.mean,
        "naive": combined.mean_of_means,
        "times": found.distortion,
        "n": combined.n_targets,
    }
    if combined.mean is None:
        return Message("No batch has a supervised token, so there is no mean: not 0, and not a number either.")
    if found.distortion == 1:
        return Message("All batches have the same number of targets, so both means are {mean:.4f}.", given)
    return Message(
        "Over {n} targets the mean is {mean:.4f}. The mean of means says {naive:.4f}, which is wrong: a token of the "
        "shortest batch counts {times:g} times as much as one of the longest.",
        given,
    )
