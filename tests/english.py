"""Finds English sentences in what a Korean page says.

What may stand in Latin letters: names, tokens, code, an English term in brackets after its Korean one, and what
somebody typed. A sentence, or a phrase of a field, is more than that: it is told by three words in a row.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser

from streamlit.testing.v1 import AppTest

NAMES = (
    "Hugging Face Hub",
    "Okabe and Ito",
    "Byte-level BPE",
)
"""Names of three words."""

SENTENCE = re.compile(r"(?<![\w/.-])[A-Za-z][a-z'’-]*(?:,? [A-Za-z][A-Za-z'’-]*){2,}(?![\w/-])")
QUOTED = re.compile(r"`+[^`]*`+|\([^()]*\)|“[^”]*”|‘[^’]*’|\\?[<\[][^<>\[\]]*\\?[>\]]")
"""Code, brackets, quotations, control tokens."""

WORDS = {"label", "help", "body", "placeholder", "options", "formatted_options", "text", "content"}
"""Fields of Streamlit's messages to the browser that a reader reads."""


def english(text: str, typed: tuple[str, ...] = ()) -> list[str]:
    """The English sentences of a text, without what was typed."""
    for given in (*typed, *NAMES):
        text = text.replace(given, "·")
    return [found.group() for found in SENTENCE.finditer(QUOTED.sub("·", text))]


def parts(typed: Iterable[str]) -> tuple[str, ...]:
    """What was typed, whole and line by line, the longest first."""
    whole = sorted({str(text) for text in typed}, key=len, reverse=True)
    return *whole, *(line for text in whole for line in text.splitlines() if len(line.split()) > 2)


class _Reading(HTMLParser):
    """Text and names of a piece of HTML, one after the other; code and styles are left out."""

    SILENT = frozenset({"style", "script", "code", "pre", "svg"})

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []
        self.inside = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.inside += tag in self.SILENT
        for name, value in attrs:
            if name in {"title", "aria-label"} and value:
                self.found.extend(value.split("\n"))

    def handle_endtag(self, tag: str) -> None:
        self.inside -= tag in self.SILENT

    def handle_data(self, data: str) -> None:
        if not self.inside:
            self.found.append(data)


def read(html: str) -> list[str]:
    """What is read in HTML: its texts, hovers and names."""
    reading = _Reading()
    reading.feed(html)
    return reading.found


def told(app: AppTest) -> Iterator[str]:
    """All that a page says: words of elements and fields, texts of pictures."""
    for node in _nodes(app._tree):
        proto = getattr(node, "proto", None)
        kind = getattr(node, "type", "")
        if proto is None or kind == "code":
            continue
        if kind == "html":
            yield from read(proto.body)
        elif kind == "bidi_component":
            yield from _pictured(proto.json)
        else:
            yield from _fields(proto)


def labels(app: AppTest) -> list[str]:
    """The words beside the fields and on the buttons of a page."""
    protos = [getattr(node, "proto", None) for node in _nodes(app._tree)]
    return [proto.label for proto in protos if getattr(proto, "label", "")]


def _nodes(node: object) -> Iterator[object]:
    yield node
    for child in getattr(node, "children", {}).values():
        yield from _nodes(child)


def _pictured(data: str) -> Iterator[str]:
    given = json.loads(data or "{}")
    for name, value in given.items() if isinstance(given, dict) else ():
        if name == "html":
            yield from read(value)
        elif isinstance(value, str) and name != "query":
            yield value


def _fields(proto: object) -> Iterator[str]:
    """Strings of a message, and of the messages in it, under names that readers see."""
    for field, value in proto.ListFields() if hasattr(proto, "ListFields") else ():
        values = [value] if isinstance(value, str) or not hasattr(value, "__iter__") else list(value)
        for each in values:
            if isinstance(each, str):
                if field.name in WORDS:
                    yield each
            else:
                yield from _fields(each)
