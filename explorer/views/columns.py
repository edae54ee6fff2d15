"""How wide a column of pieces is: as wide as its widest piece, between two limits, told by class and not by style."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

NARROWEST, WIDEST = 6, 14
"""Limits in characters of the monospace face; a longer piece ends in an ellipsis, the whole is in the hover."""

CHARACTER, PADDING = 0.4875, 0.9
"""In em: one character at 13/16 of the text size, and the air on both sides."""


def characters(text: str) -> int:
    """Columns of a monospace face that the text takes: 2 for a wide character, 0 for a combining one.

    >>> characters("cat"), characters("고양이"), characters("e\u0301")
    (3, 6, 1)
    """
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(sign) else 2 if unicodedata.east_asian_width(sign) in "WF" else 1 for sign in text
    )


def column_widths(*rows: Sequence[str]) -> list[int]:
    """Characters of each column, from rows of equally many texts.

    >>> column_widths(["a", "<|endoftext|>"], ["a little", ""])
    [8, 13]
    """
    return [min(max(NARROWEST, *map(characters, column)), WIDEST) for column in zip(*rows, strict=True)]


def width_rules() -> str:
    """CSS: class wN for a column N characters wide, class nN on a cell whose right neighbour is N wide."""
    rules = []
    for count in range(NARROWEST, WIDEST + 1):
        width = f"{count * CHARACTER + PADDING:.4g}em"
        rules += [f".xp .w{count}{{width:{width}}}", f".xp .n{count}{{--next:{width}}}"]
    return "\n".join(rules)
