"""What a picture shows, as a table for those who have it read to them; it takes no room on the page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

MOST = 40
"""Rows by which a line is told; of a longer one every so many-th point, and the last."""


def said_table(caption: str, heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table with a head for each column; the first cell of a row names it.

    >>> said_table("Loss", ["step", "loss"], [["1", "0.5"]]).count("<td>")
    1
    """
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(name)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in cells)}</tr>'
        for name, *cells in rows
    )
    return (
        f'<div class="said"><table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def told_points(count: int) -> list[int]:
    """Which of so many points are told: all of a few, else evenly spread ones with the first and the last.

    >>> told_points(3), told_points(100)[-2:]
    ([0, 1, 2], [96, 99])
    """
    return sorted({*range(0, count, -(-count // MOST) or 1), count - 1}) if count else []
