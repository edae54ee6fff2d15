"""What a command answers: a value that can say itself as one JSON object, or in lines for a reader."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from explorer.records import plain
from explorer.types import Message


class Answer(Protocol):
    """The answer of one command; only what is asked for is made."""

    def values(self) -> Mapping[str, object]:
        """The JSON object, with arrays, roles and messages still as they are."""
        ...

    def lines(self) -> Iterable[str]:
        """The same for a reader."""
        ...


def as_json(answer: Answer) -> str:
    """One JSON object in ASCII, so that it survives every terminal. What is no finite number is null."""
    return json.dumps(plain(answer.values()), allow_nan=False)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Lines with aligned columns: numbers to the right, text to the left; None is a dash, floats have four places.

    >>> list(table(["piece", "id"], [("dog", 3899), ("a", None)]))
    ['piece    id', 'dog    3899', 'a         -']
    """
    body = [list(row) for row in rows]
    columns = list(zip(*body, strict=True)) if body else [()] * len(heads)
    right = [all(isinstance(cell, (int, float)) or cell is None for cell in column) for column in columns]
    cells = [list(heads), *([_cell(cell) for cell in row] for row in body)]
    widths = [max(map(_width, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (
            f"{' ' * (width - _width(cell)) if left else ''}{cell}{'' if left else ' ' * (width - _width(cell))}"
            for cell, width, left in zip(row, widths, right, strict=True)
        )
        yield "  ".join(padded).rstrip()


def said(title: str, messages: Iterable[Message]) -> Iterator[str]:
    """The messages, one a line, each behind its title."""
    return (f"{title}: {message}" for message in messages)


def counted(count: int, noun: str) -> str:
    """The number with its noun.

    >>> counted(1, "target"), counted(2, "target")
    ('1 target', '2 targets')
    """
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def _cell(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.4f}" if isinstance(value, float) else str(value)


def _width(text: str) -> int:
    """Columns on a terminal: wide characters take two, marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in text
    )
