"""What a reader takes home: every file of a page, made as the server makes it, away from the page and its session."""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import sys
from collections.abc import Callable
from html.parser import HTMLParser
from importlib.metadata import version
from threading import Thread

import nbformat
import numpy as np
import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from explorer.needs import install_lines
from explorer.ui.words import say_in
from explorer.views.takeaway_notes import comments, worded
from tests.app.conftest import Open

NASTY = (
    "The cat sat.",
    "a \"quoted\" 'word' and a back\\slash",
    "two\nlines\tand a tab",
    "나는 밥을 먹었다 \N{SLICE OF PIZZA}",
    '"""; raise SystemExit\n</pre><script>alert(1)</script> {curly} %d',
)


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
    """The code in the fold, which asks for the packages that it imports, and has its comments in Korean too."""
    code = next(each.value for each in app.code if each.language == "python")
    asks_for_what_it_imports(code)
    for note in comments(worded(code, say_in("ko"))):
        assert re.search(r"[가-힣]|^[\w ]+: \w+, [\w./-]+$", note), note
    return str(code)


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


def asks_for_what_it_imports(code: str) -> None:
    """Parsed as Python, apart from how the line that installs is made."""
    tree = ast.parse(code)
    tops = {alias.name.split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    tops |= {str(node.module).split(".")[0] for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    given = [each for call in calls if isinstance(call.func, ast.Attribute) and call.func.attr == "from_pretrained"
             for each in ast.walk(call)]  # fmt: skip
    inside = [each for each in given if isinstance(each, ast.Call) and isinstance(each.func, ast.Name)]
    tops |= {each.args[0].value for each in inside if each.func.id == "find_spec"}
    tops |= (
        {"gguf", "torch"} if any(isinstance(each, ast.keyword) and each.arg == "gguf_file" for each in given) else set()
    )
    wanted = {"numpy" if top == "explorer" else top for top in tops - sys.stdlib_module_names}
    asked = re.findall(r"([\w.-]+)==([\w.]+)", "\n".join(install_lines(code)))
    assert {name.replace("-", "_") for name, _ in asked} == wanted
    for name, pinned in asked:
        assert pinned == version(name).partition("+")[0]


def taken(open_anywhere: Open, page: str, lang: str = "en", **fields: str) -> str:
    """Opens the page with its fold open; its code."""
    app = open_anywhere(page, lang, {"take_home": True}, **fields)
    assert not app.exception
    assert not app.error, app.error[0].value
    return snippet(app)


class Page(HTMLParser):
    """The tags and the text of a report."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.said = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.said += f"{data}\n"  # what stands in two elements is no word


def stands_alone(html: str) -> Page:
    """The report, which runs no script and asks no network."""
    page = Page(html)
    assert not {tag for tag, _ in page.tags} & {"script", "link", "iframe", "img"}
    for _, attributes in page.tags:
        assert not {name for name in attributes if name in {"src", "href"} or name.startswith("on")}
    assert not re.search(r"""url\((?!["']?data:)|@import""", html)
    return page


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def close(ours: object, theirs: object) -> None:
    """Numbers of the page and of the code; None is no number."""
    found = theirs.tolist() if hasattr(theirs, "tolist") else theirs
    np.testing.assert_allclose(np.array(found, dtype=float), np.array(ours, dtype=float), rtol=1e-5, atol=1e-5)
