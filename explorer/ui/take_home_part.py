"""What a reader takes home from a page, in one fold: the code of its numbers and, as files, a notebook, a table, the
numbers, the page itself and its pictures.

A file is made when it is asked for, away from the page: it knows no session, so the language and the address of the
page are taken along.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.metadata import version
from typing import TYPE_CHECKING

import streamlit as st

from explorer.records import plain
from explorer.types import Message
from explorer.ui.files import File, file_row, table_file
from explorer.ui.share_part import here
from explorer.ui.words import language, say_in, t
from explorer.views.roles import Say
from explorer.views.takeaway import notebook, report

if TYPE_CHECKING:
    import pandas as pd

CODE = Message("Code that gives these numbers")
LINES, HIGH = 24, 560
"""Lines of code that are shown whole; more scroll in a box of so many pixels."""


@dataclass(frozen=True)
class Parcel:
    """What there is to take home. name: of the files; about: one line under the title; code: empty where there is none;
    record: the numbers, for JSON; table: the same for a spreadsheet; parts: heading and HTML of each part of the page;
    pictures: what each shows, and its files."""

    name: str
    title: Message
    about: str
    code: str
    record: Callable[[], dict[str, object]]
    table: Callable[[Say], pd.DataFrame]
    parts: Callable[[Say], list[tuple[str, str]]]
    pictures: Sequence[tuple[str, Sequence[File]]] = ()


def take_home(pack: Callable[[], Parcel]) -> None:
    """The fold; nothing is packed until it is opened."""
    with st.expander(t("Take it home"), key="take_home", on_change="rerun", icon=":material/download:") as box:
        if box.open:
            parcel = pack()
            if parcel.code:
                st.caption(t(CODE))
                long = parcel.code.count("\n") > LINES
                st.code(parcel.code, language="python", height=HIGH if long else "content")
            file_row(_files(parcel, say_in(language()), language(), _address()), t("To download"))
            for words, files in parcel.pictures:
                file_row(files, words)


def _address() -> str:
    return f"{(st.context.url or '').rstrip('/')}?{here().query}"


def _files(parcel: Parcel, say: Say, code: str, address: str) -> list[File]:
    """The files that every page has. code: of the language."""
    name = parcel.name

    def book() -> str:
        return notebook(say(parcel.title), parcel.about, parcel.code, (version("torch"), version("transformers")))

    def numbers() -> str:
        return json.dumps(plain(parcel.record()), ensure_ascii=False, allow_nan=False) + "\n"

    def page() -> str:
        title = " · ".join(filter(None, [say(parcel.title), parcel.about]))
        parts = [*parcel.parts(say), *([(say(CODE), f"<pre>{escape(parcel.code)}</pre>")] if parcel.code else [])]
        return report(title, code, parts, say(Message("Made from {address}", {"address": address})))

    files = [
        File(say(Message("Notebook")), f"{name}.ipynb", "application/x-ipynb+json", book),
        table_file(name, say(Message("Table as CSV")), lambda: parcel.table(say)),
        File(say(Message("Numbers as JSON")), f"{name}.json", "application/json", numbers),
        File(say(Message("Page as one file")), f"{name}.html", "text/html", page),
    ]
    return files if parcel.code else files[1:]
