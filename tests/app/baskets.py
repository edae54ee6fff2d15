"""What a reader takes home: every file of a page, made as the server makes it, away from the page and its session."""

from __future__ import annotations

import json
from collections.abc import Callable
from threading import Thread

import nbformat
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

Files = dict[str, str | bytes]


class Basket:
    """The files that a page offers, by the end of their names."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.makers: dict[str, Callable[[], str | bytes]] = {}
        button = st.download_button

        def noted(label: str, data: Callable[[], str | bytes], file_name: str, *given: object, **how: object) -> bool:
            self.makers[file_name] = data
            return button(label, data, file_name, *given, **how)

        monkeypatch.setattr(st, "download_button", noted)

    def has(self, name: str) -> bool:
        """Whether there is a file whose name ends like this."""
        return any(file.endswith(name) for file in self.makers)

    def make(self, name: str) -> str | bytes:
        """The file whose name ends like this."""
        # The fold comes last on each page.
        [*_, made] = [make for file, make in self.makers.items() if file.endswith(name)]
        found: list[str | bytes] = []
        worker = Thread(target=lambda: found.append(made()))
        worker.start()
        worker.join()
        return found[0]

    def text(self, name: str) -> str:
        """The same as text."""
        made = self.make(name)
        return made if isinstance(made, str) else made.decode("utf-8-sig")

    def numbers(self) -> dict:
        """The JSON file."""
        return json.loads(self.text(".json"))


def snippet(app: AppTest) -> str:
    """The code in the fold."""
    return next(each.value for each in app.code if each.language == "python")


def run(code: str) -> dict:
    """What the code leaves behind when it is run by itself."""
    left: dict[str, object] = {}
    exec(compile(code, "taken home", "exec"), left)
    return left


def run_notebook(text: str) -> dict:
    """The same for the cells of a notebook, in order; what they install is here."""
    book = nbformat.reads(text, as_version=4)
    nbformat.validate(book)
    left: dict[str, object] = {}
    for cell in book.cells:
        if cell.cell_type == "code" and not cell.source.startswith("%pip install"):
            exec(compile(cell.source, "cell", "exec"), left)
    return left
