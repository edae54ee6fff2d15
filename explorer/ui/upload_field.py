"""A field that takes a text file; what the file lacks to be read is said under it."""

from __future__ import annotations

import streamlit as st

from explorer.types import InputProblem
from explorer.ui.words import sentence
from explorer.uploads import ACCEPTED, Upload, read_upload


def upload_field(key: str, label: str, kinds: list[str], help: str | None = None) -> Upload | None:
    """The file as text, or None while there is none that can be read. kinds: endings of names, such as "txt"."""
    given = st.file_uploader(label, kinds, key=key, help=help, max_upload_size=ACCEPTED)
    if given is None:
        return None
    try:
        found = read_upload(given.name, given.getvalue())
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None
    for note in found.notes:
        st.warning(sentence(note))
    return found
