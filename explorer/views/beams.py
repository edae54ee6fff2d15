"""A beam search as a tree: a column for each step, a box for each text that was open, finished or pruned there."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from typing import Protocol

from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.said import said_table
from explorer.views.style import attribute

WIDE, HIGH, GAP = 108, 44, 40
"""Size of a box, and the room between columns, in pixels of the picture."""

FATES: dict[str, Message] = {
    "open": Message("written on"),
    "finished": Message("finished"),
    "pruned": Message("pruned"),
}


class Text(Protocol):
    """A text of the search."""

    @property
    def ids(self) -> tuple[int, ...]: ...
    @property
    def log_probability(self) -> float: ...
    @property
    def score(self) -> float: ...


class Grown(Text, Protocol):
    """A text that goes on from one of the round before."""

    @property
    def parent(self) -> int: ...
    @property
    def fate(self) -> str: ...


def beam_tree(columns: Sequence[Sequence[Grown]], piece: Callable[[int], str], say: Say) -> str:
    """The rounds so far, from left to right. A line leads from the text that a box goes on from; a box tells the piece,
    the log probability of its whole text, and where it is finished its score."""
    return _Tree(columns, piece, say).html()


@dataclass(frozen=True)
class _Tree:
    columns: Sequence[Sequence[Grown]]
    piece: Callable[[int], str]
    say: Say

    def html(self) -> str:
        rows = max((len(column) for column in self.columns), default=1)
        width, height = len(self.columns) * (WIDE + GAP), rows * (HIGH + 8)
        lines = "".join(map(self._lines, range(1, len(self.columns))))
        boxes = "".join(
            self._box(number, place, each)
            for number, column in enumerate(self.columns)
            for place, each in enumerate(column)
        )
        keys = "".join(f'<li class="{fate}">{escape(self.say(word))}</li>' for fate, word in FATES.items())
        caption = self.say(Message("The beam search, step by step"))
        title = attribute("aria-label", caption)
        size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
        return (
            f'<div class="xp beams"><ul>{keys}</ul><div class="scroll" tabindex="0" role="region"{title}>'
            f'<svg {size} role="img"{title}>{lines}{boxes}</svg></div>{self._aloud(caption)}</div>'
        )

    def _aloud(self, caption: str) -> str:
        """Each box as a row: its step, its whole text, log probability, what became of it."""
        rows = (
            [
                str(number),
                "".join(map(self.piece, each.ids)),
                f"{each.log_probability:.2f}".replace("-", "−"),
                self.say(FATES[each.fate]),
            ]
            for number, column in enumerate(self.columns, 1)
            for each in column
        )
        heads = (Message("step"), Message("text"), Message("log p"), Message("what became of it"))
        return said_table(caption, [self.say(head) for head in heads], rows)

    def _lines(self, number: int) -> str:
        """From each open box of the column before to what goes on from it."""
        before = [place for place, each in enumerate(self.columns[number - 1]) if each.fate == "open"]
        left, right = (number - 1) * (WIDE + GAP) + WIDE, number * (WIDE + GAP)
        middle = (left + right) / 2
        drawn = []
        for place, each in enumerate(self.columns[number]):
            start, end = (_middle(row) for row in (before[each.parent], place))
            path = f"M{left} {start}C{middle} {start} {middle} {end} {right} {end}"
            drawn.append(f'<path class="{each.fate}" d="{path}"></path>')
        return "".join(drawn)

    def _box(self, number: int, place: int, each: Grown) -> str:
        x, y = number * (WIDE + GAP), place * (HIGH + 8)
        piece = self.piece(each.ids[-1])
        shown = escape(piece if len(piece) <= 12 else f"{piece[:11]}…")
        told = f"{each.log_probability:.2f}".replace("-", "−")
        if each.fate == "finished":
            told += f" / {each.score:.2f}".replace("-", "−")
        whole = escape("".join(map(self.piece, each.ids)))
        return (
            f'<g class="{each.fate}"><title>{whole}</title><rect x="{x + 1}" y="{y + 1}" width="{WIDE - 2}" '
            f'height="{HIGH - 2}" rx="5"></rect><text x="{x + 8}" y="{y + 18}">{shown}</text>'
            f'<text class="p" x="{x + 8}" y="{y + 35}">{told}</text></g>'
        )


def _middle(row: int) -> float:
    return row * (HIGH + 8) + HIGH / 2


def finished_table(texts: Sequence[Text], decoded: Sequence[str], say: Say) -> str:
    """The finished texts, best first: score, log probability, length, the text."""
    words = (Message("score"), Message("log p"), Message("length"), Message("text"))
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in words)
    rows = "".join(
        f"<tr><td>{each.score:.3f}</td><td>{each.log_probability:.2f}</td><td>{len(each.ids)}</td>"
        f"<td>{escape(text)}</td></tr>".replace("-", "−", 2)
        for each, text in zip(texts, decoded, strict=True)
    )
    return f'<div class="xp finished"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
