"""Gaps being filled, pass by pass."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from explorer.types import Candidate, Message
from explorer.views.roles import Say
from explorer.views.style import attribute


class Filled(Protocol):
    """One gap filled."""

    @property
    def position(self) -> int: ...
    @property
    def piece(self) -> str: ...
    @property
    def probability(self) -> float: ...
    @property
    def candidates(self) -> tuple[Candidate, ...]: ...
    @property
    def round(self) -> int: ...


def fill_table(pieces: Sequence[str], gaps: Sequence[int], fills: Sequence[Filled], say: Say) -> str:
    """A row for each pass over the text with its gaps: what it filled stands out with its probability, what was filled
    before stays, what is still open is empty."""
    last = max((fill.round for fill in fills), default=0)
    head = "".join(f'<th scope="col"><span>{position}</span></th>' for position in range(len(pieces)))
    rows = "".join(_row(number, pieces, gaps, fills, say) for number in range(last + 1))
    caption, corner = (escape(say(word)) for word in (Message("The text after each pass"), Message("pass")))
    return (
        f'<div class="xp inside scroll words fills"><table><caption class="said">{caption}</caption>'
        f'<thead><tr><th scope="col">{corner}</th>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _row(number: int, pieces: Sequence[str], gaps: Sequence[int], fills: Sequence[Filled], say: Say) -> str:
    done = {fill.position: fill for fill in fills if fill.round <= number}
    cells = []
    for position, piece in enumerate(pieces):
        fill = done.get(position)
        if fill is None:
            cells.append(f"<td>{'▢' if position in gaps else escape(piece)}</td>")
            continue
        told = "\n".join(f"{one.piece}  {one.p_model:.3f}" for one in fill.candidates)
        new = f' class="new" style="--v:{fill.probability:.3f}"' if fill.round == number else ""
        small = f"<small>{fill.probability:.2f}</small>" if fill.round == number else ""
        cells.append(f"<td{new}{attribute('title', told)}>{escape(fill.piece)}{small}</td>")
    return f'<tr><th scope="row">{number}</th>{"".join(cells)}</tr>'
