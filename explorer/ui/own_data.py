"""The data of a page's objective: typed, pasted or uploaded; at first the app's own."""

from __future__ import annotations

import streamlit as st

from explorer.raw_data import SHAPES
from explorer.ready_data import READY
from explorer.types import InputProblem
from explorer.ui.upload_field import upload_field
from explorer.ui.words import literal, t
from explorer.uploads import LARGEST, Upload, read_upload

KINDS = ["jsonl", "json", "csv", "tsv", "txt", "conll"]


def own_data(key: str) -> Upload:
    """The data as they stand now, wherever on the page their field is drawn."""
    given = st.session_state.get(f"file_{key}")
    if given is not None:
        try:
            return read_upload(given.name, given.getvalue())
        except InputProblem:
            pass
    return Upload("", str(st.session_state.get(f"data_{key}", READY[key]))[:LARGEST])


def data_fields(key: str) -> Upload:
    """The field and the place for a file; a file takes the field's place."""
    left, right = st.columns([3, 1], gap="medium")
    with right:
        upload = upload_field(f"file_{key}", t("or a file"), KINDS, t("The first 8 MB are read; UTF-8 is safest."))
    with left:
        st.text_area(
            t("JSON lines or CSV, one example a line"),
            READY[key],
            height=188,
            key=f"data_{key}",
            persist_state="session",
            help=literal(t("For instance {line}", line=SHAPES[key].example)),
            disabled=upload is not None,
        )
    return own_data(key)
