"""A few positions with their labels on the loss page: the mean is over those that have one."""

from __future__ import annotations

from functools import partial

import streamlit as st

from explorer.by_hand import read_positions
from explorer.records import loss_record
from explorer.types import InputProblem
from explorer.ui.loss_parcel import Further
from explorer.ui.words import literal, sentence, t
from explorer.views.by_hand import positions_table
from explorer.views.loss_code import positions_code

ROWS = "2 1 0.1 0.5 0.3\n0.5 2.5 0.2 0.1 0.8\n0.3 0.1 3 0.4 0.2"
"""The lectures' three positions: with the labels 0 1 2 the mean is 0.431481."""


def positions_part() -> Further | None:
    """The fields, then each position's loss and the mean. Gives what is to take home of it."""
    left, right = st.columns([2, 1], gap="large")
    rows = left.text_area(t("Logits, a line for each position"), ROWS, key="rows", bind="query-params", height=110)
    labels = right.text_input(t("Labels"), "0 1 2", key="labels", bind="query-params")
    right.caption(literal(t("Write −100 in place of a label: that position leaves the sum and the count.")))
    try:
        given = read_positions(rows, labels)
        st.html(positions_table(given, t))
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None
    for warning in given.result.warnings:
        st.warning(sentence(warning))
    return Further(positions_code(given), loss_record(given.result), partial(positions_table, given))
