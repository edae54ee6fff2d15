"""The token rows of an Example as boxes for a picture: bands of columns one under the other, so that they fit a page.

Each column is a position: its number, what is read there, what must be said there, and the loss.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from explorer.types import Example, Message, Scores, Stream
from explorer.views.columns import characters, column_widths
from explorer.views.roles import LOOKS, Say

NAMES, BAND = 150, 1100
"""Pixels for the names of the rows, and for the columns of a band at most."""

SIGN, AIR = 7.3, 14
"""Pixels of a character, and beside a text."""

LOW, HIGH, GAP = 20, 38, 18
"""Pixels of a row of one line, of one with an id below, and between two bands."""

PLAIN, LOSS_FILL, LOSS_INK, NO_FILL = "#566073", "#fdeee2", "#9a3f00", "none"


@dataclass(frozen=True)
class Box:
    """A box with a text, and a smaller one under it; told: what it says when it is pointed at."""

    x: float
    y: float
    width: float
    height: float
    text: str
    small: str = ""
    fill: str = NO_FILL
    ink: str = PLAIN
    told: str = ""


@dataclass(frozen=True)
class Strip:
    """A picture of boxes."""

    title: str
    width: float
    height: float
    boxes: tuple[Box, ...]


@dataclass(frozen=True)
class Row:
    """A row before it has its place: a name, its height, and a box without a place for each column."""

    name: str
    height: float
    cells: Sequence[Box]


def rows_strip(example: Example, title: str, say: Say, scores: Scores | None = None) -> Strip:
    """The encoder where there are two stacks, then the stack whose outputs are compared."""
    boxes: list[Box] = []
    y = 0.0
    if example.encoder is not None and example.decoder is not None:
        read = Message("encoder input")
        y = _place(boxes, [_numbers(example.encoder, say), _read(example.encoder, read, say)], y)
    name = Message("input") if example.decoder is None or example.encoder is None else Message("decoder input")
    rows = [_numbers(example.output, say), _read(example.output, name, say), _said(example, say)]
    if scores is not None:
        rows.append(_losses(example, scores, say))
    y = _place(boxes, rows, y)
    width = max((box.x + box.width for box in boxes), default=0.0)
    return Strip(title, max(width, 8 * len(title)), y, tuple(boxes))


def _place(boxes: list[Box], rows: Sequence[Row], y: float) -> float:
    """Puts the rows into bands from y down; gives where they end."""
    widths = [SIGN * width + AIR for width in column_widths(*[[cell.text for cell in row.cells] for row in rows])]
    for start, end in pairwise(_breaks(widths)):
        for row in rows:
            boxes.append(Box(0, y, NAMES, row.height, row.name))
            x = float(NAMES)
            for cell, width in zip(row.cells[start:end], widths[start:end], strict=True):
                boxes.append(replace(cell, x=x, y=y, width=width - 2, height=row.height - 2))
                x += width
            y += row.height
        y += GAP
    return y


def _breaks(widths: Sequence[float]) -> list[int]:
    """Where bands begin, and the end of the last.

    >>> _breaks([500.0, 500.0, 500.0, 2000.0, 10.0])
    [0, 2, 3, 4, 5]
    """
    places, room = [0], float(BAND)
    for at, width in enumerate(widths):
        if width > room and at > places[-1]:
            places.append(at)
            room = float(BAND)
        room -= width
    return [*places, len(widths)] if widths else [0]


def _numbers(stream: Stream, say: Say) -> Row:
    return Row(say(Message("position")), LOW, [_box(str(t)) for t in range(len(stream))])


def _read(stream: Stream, name: Message, say: Say) -> Row:
    """Each piece over its id, in the colours and with the sign of its role."""
    cells = []
    for piece, id, role in zip(stream.visible, stream.ids.tolist(), stream.roles, strict=True):
        look = LOOKS[role]
        small = f"{look.sign} {id}"
        cells.append(_box(piece, small, look.light.fill, look.light.ink, f"{piece}: {say(look.word)}"))
    return Row(say(name), HIGH, cells)


def _said(example: Example, say: Say) -> Row:
    """What must be said, empty where there is no loss."""
    cells = [_box("")] * len(example.output)
    for target in example.targets:
        cells[target.position] = _box(target.predicts, str(target.predicts_id), LOSS_FILL, LOSS_INK, target.predicts)
    return Row(say(Message("must say")), HIGH, cells)


def _losses(example: Example, scores: Scores, say: Say) -> Row:
    cells = [_box("")] * len(example.output)
    for target, loss in zip(example.targets, scores.losses.tolist(), strict=True):
        cells[target.position] = _box(f"{loss:.2f}", ink=LOSS_INK, told=f"{loss:.6f}")
    return Row(say(Message("loss")), LOW, cells)


def _box(text: str, small: str = "", fill: str = NO_FILL, ink: str = PLAIN, told: str = "") -> Box:
    """A box that has no place yet."""
    return Box(0, 0, 0, 0, text, small, fill, ink, told)


def clipped(text: str, width: float) -> str:
    """As much of the text as the width in pixels holds.

    >>> clipped("unbelievable", 60.0)
    'unbeli…'
    """
    most = int((width - 4) / SIGN)
    if characters(text) <= most:
        return text
    while text and characters(text) > most - 1:
        text = text[:-1]
    return text + "…"
