"""Files to take home from a page: the code as a notebook, the numbers as JSON, the page as one HTML file.

Each is made when it is asked for: a page that nobody takes home costs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from html import escape
from importlib.metadata import version

import streamlit as st

from explorer.records import plain, record
from explorer.types import Example, Message, Scores
from explorer.ui.controls import Asked
from explorer.ui.made import drawn
from explorer.ui.mask_part import KINDS, mask_drawing
from explorer.ui.share_part import here
from explorer.ui.words import language, t
from explorer.views.figures import figures_line
from explorer.views.roles import legend
from explorer.views.rows import roles_shown, token_rows
from explorer.views.takeaway import notebook, report


def take_notebook(name: str, title: str, about: str, code: str) -> None:
    """A button for the code as a notebook."""

    def made() -> str:
        return notebook(title, about, code, (version("torch"), version("transformers")))

    _button(t("Notebook"), made, f"{name}.ipynb", "application/x-ipynb+json")


def take_example(asked: Asked, made: Example, scores: Scores | None) -> None:
    """Buttons for the notebook, the numbers and the report of an Example."""
    name, title = made.objective, t(asked.objective.title)
    with st.container(horizontal=True, key="take_home"):
        take_notebook(name, title, made.model, made.code())
        _button(t("Numbers as JSON"), lambda: _numbers(asked, made), f"{name}.json", "application/json")
        _button(t("Page as one file"), lambda: _report(title, asked, made, scores), f"{name}.html", "text/html")


def _button(words: str, make: Callable[[], str], file: str, kind: str) -> None:
    st.download_button(words, make, file, kind, key=f"take_{file}", on_click="ignore")


def _numbers(asked: Asked, made: Example) -> str:
    found = plain(record(made, asked.settings, asked.seed))
    return json.dumps(found, ensure_ascii=False, allow_nan=False) + "\n"


def _report(title: str, asked: Asked, made: Example, scores: Scores | None) -> str:
    """Texts, rows, figures, masks and code, as they are on the page."""
    texts = [(box.label, getattr(asked.texts, box.name)) for box in asked.objective.boxes]
    parts = [(t(label), f'<p class="given">{escape(text)}</p>') for label, text in texts if text]
    rows = drawn(token_rows, made, scores=scores) + legend(roles_shown(made), t, loss=made.n_targets > 0)
    parts.append((t("Input, labels and loss, position by position"), rows + drawn(figures_line, made, scores=scores)))
    whom = t("Who may look at whom")
    parts += [
        (f"{whom}: {t(word)}", drawn(mask_drawing, made, kind, None))
        for kind, word in KINDS.items()
        if getattr(made.masks, kind) is not None
    ]
    parts.append((t("Code that gives these numbers"), f"<pre>{escape(made.code())}</pre>"))
    address = f"{(st.context.url or '').rstrip('/')}?{here().query}"
    return report(f"{title} · {made.model}", language(), parts, t(Message("Made from {address}", {"address": address})))
