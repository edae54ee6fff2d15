"""What a reader takes home: the code of a page as a notebook, and a page as one HTML file that needs nothing else."""

from __future__ import annotations

import re
from collections.abc import Sequence
from html import escape
from pathlib import Path
from typing import Any

from explorer.needs import install_lines
from explorer.views.style import stylesheet

CLICKS = re.compile(r' data-(?:click|cells)=(?:"[^"]*"|[^\s>]+)(?: tabindex="?-?\d+"?)?(?: role="button")?')
"""What makes a part of a picture answer to clicks and keys."""


def notebook(title: str, about: Sequence[str], code: str) -> str:
    """A Jupyter notebook (nbformat 4) that installs what the code needs and runs it; about: paragraphs of Markdown
    under the title."""
    import nbformat

    form: Any = nbformat.v4  # it has no types of its own
    book = form.new_notebook(
        cells=[
            form.new_markdown_cell("\n\n".join(filter(None, [f"# {title}", *about]))),
            form.new_code_cell("\n".join(install_lines(code))),
            form.new_code_cell(code.strip()),
        ],
        metadata={"language_info": {"name": "python"}, "kernelspec": {"name": "python3", "display_name": "Python 3"}},
    )
    # Random names of cells would make two files of the same page differ.
    for number, cell in enumerate(book.cells):
        cell["id"] = f"cell-{number}"
    nbformat.validate(book)
    return str(form.writes(book))


def report(title: str, language: str, parts: Sequence[tuple[str, str]], address: str) -> str:
    """One HTML file: the parts (heading, HTML) under the title, without scripts, looking as on the page. address: where
    the page itself is found."""
    # What can be clicked on the page is only looked at here.
    still = [(head, CLICKS.sub("", html)) for head, html in parts]
    sheet = Path(__file__).with_name("takeaway.css").read_text(encoding="utf-8") + stylesheet()
    body = "".join(f"<section><h2>{escape(head)}</h2>{html}</section>" for head, html in still)
    return (
        f'<!doctype html>\n<html lang="{escape(language)}"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{sheet}</style></head>"
        f'<body><h1>{escape(title)}</h1>{body}<p class="from">{escape(address)}</p></body></html>\n'
    )
