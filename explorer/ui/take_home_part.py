"""What a reader takes home from a page, in one fold: the code of its numbers and, as files, a notebook, a table, the
numbers, the page itself and its pictures.

A file is made when it is asked for, away from the page: it knows no session, so the language and the address of the
page are taken along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING

import streamlit as st

from explorer.models.in_code import files_beside, zipped
from explorer.records import plain
from explorer.types import Message
from explorer.ui.files import File, file_row, table_file
from explorer.ui.share_part import here
from explorer.ui.words import language, own_comments, say_in, t
from explorer.views.roles import Say
from explorer.views.takeaway import notebook, report

if TYPE_CHECKING:
    import pandas as pd

CODE = Message("Code that gives these numbers")
UNZIP = Message(
    "The code loads models that come with the app: download the model files from the page and unzip them in the folder "
    "where the code runs."
)
LINES, HIGH = 24, 560
"""Lines of code that are shown whole; more scroll in a box of so many pixels."""


@dataclass(frozen=True)
class Parcel:
    """What there is to take home. name: of the files; about: one line under the title; code: empty where there is none;
    record: the numbers, for JSON; table: the same for a spreadsheet; parts: heading and HTML of each part of the page;
    pictures: what each shows, and its files; empty: why the table has no rows, if so."""

    name: str
    title: Message
    about: str
    code: str
    record: Callable[[], dict[str, object]]
    table: Callable[[Say], pd.DataFrame]
    parts: Callable[[Say], list[tuple[str, str]]]
    pictures: Sequence[tuple[str, Sequence[File]]] = ()
    empty: Message | None = None


def take_home(pack: Callable[[], Parcel]) -> None:
    """The fold; nothing is packed until it is opened."""
    with st.expander(t("Take it home"), key="take_home", on_change="rerun", icon=":material/download:") as box:
        if box.open:
            given = pack()
            parcel = replace(given, code=own_comments(given.code))
            beside = files_beside(parcel.code)
            if parcel.code:
                st.caption(t(CODE))
                long = parcel.code.count("\n") > LINES
                st.code(parcel.code, language="python", height=HIGH if long else "content")
            if beside:
                st.caption(t(UNZIP))
            if parcel.empty is not None:
                st.caption(t(parcel.empty))
            own = _files(parcel, say_in(language()), language(), _address())
            file_row([*own, *_models(beside)], t("To download"))
            for words, files in parcel.pictures:
                file_row(files, words)


def _address() -> str:
    return f"{(st.context.url or '').rstrip('/')}?{here().query}"


def _files(parcel: Parcel, say: Say, code: str, address: str) -> list[File]:
    """The files that every page has. code: of the language."""
    name = parcel.name

    def book() -> str:
        about = [parcel.about, *([say(UNZIP)] if files_beside(parcel.code) else [])]
        return notebook(say(parcel.title), about, parcel.code)

    def numbers() -> str:
        return json.dumps(plain(parcel.record()), ensure_ascii=False, allow_nan=False) + "\n"

    def page() -> str:
        title = " · ".join(filter(None, [say(parcel.title), parcel.about]))
        parts = [*parcel.parts(say), *([(say(CODE), f"<pre>{escape(parcel.code)}</pre>")] if parcel.code else [])]
        return report(title, code, parts, say(Message("Made from {address}", {"address": address})))

    files = [
        File(say(Message("Notebook")), f"{name}.ipynb", "application/x-ipynb+json", book),
        replace(
            table_file(name, say(Message("Table as CSV")), lambda: parcel.table(say)),
            off="" if parcel.empty is None else say(parcel.empty),
        ),
        File(say(Message("Numbers as JSON")), f"{name}.json", "application/json", numbers),
        File(say(Message("Page as one file")), f"{name}.html", "text/html", page),
    ]
    return files if parcel.code else files[1:]


def _models(beside: Mapping[str, Path]) -> list[File]:
    """One file with all that the code loads of the app's own models."""
    if not beside:
        return []
    names = sorted({Path(name).parent.name for name in beside})
    size = ceil(sum(file.stat().st_size for file in beside.values()) / 1e6)
    words = t("Model files (ZIP, {size} MB)", size=size)
    return [File(words, f"explorer_{'_'.join(names)}.zip", "application/zip", lambda: zipped(beside))]
