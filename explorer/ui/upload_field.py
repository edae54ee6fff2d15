"""A field that takes a text file; what the file lacks to be read is said under it."""

from __future__ import annotations

import streamlit as st

from explorer.host import forbidden, rules
from explorer.types import InputProblem, Message
from explorer.ui.words import sentence
from explorer.uploads import ACCEPTED, Upload, read_upload

UPLOADS = Message("Uploading files")


def upload_field(key: str, label: str, kinds: list[str], help: str | None = None) -> Upload | None:
    """The file as text, or None while there is none that can be read. kinds: endings of names, such as "txt"."""
    if not rules().uploads:
        st.caption(sentence(forbidden(UPLOADS, "EXPLORER_UPLOADS")))
        return None
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
