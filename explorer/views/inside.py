"""Inside one step: what the new position looks at in each layer, what each layer would say, how the cache lies."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def looked_at(weights: NDArray[np.floating], pieces: Sequence[str], say: Say) -> str:
    """The weights (L,K) of one position as a row for each layer, the last layer on top, over the pieces (K)."""
    rows = [
        (str(layer), [(f"{weight:.3f}", "", float(weight)) for weight in weights[layer]])
        for layer in reversed(range(len(weights)))
    ]
    return _grid(rows, pieces, Message("layer"), Message("What the last position looks at, layer by layer"), say)


def lens_grid(
    ids: NDArray[np.int64], probabilities: NDArray[np.floating], pieces: Sequence[str], names: dict[int, str], say: Say
) -> str:
    """The most probable token (L+1,T) of each layer at each position, the model's own answer on top, over the pieces
    (T) that were read there. names: a readable piece for each id."""
    rows = []
    for layer in reversed(range(len(ids))):
        name = say(Message("input")) if layer == 0 else str(layer - 1)
        cells = [
            (f"{names[int(id)]}  {p:.3f}", names[int(id)], float(p))
            for id, p in zip(ids[layer], probabilities[layer], strict=True)
        ]
        rows.append((name, cells))
    return _grid(rows, pieces, Message("layer"), Message("What each layer would say next, at each position"), say)


Cell = tuple[str, str, float]
"""What is told on hover, what is written, and how deep the colour is, from 0 to 1."""


def _grid(
    rows: Sequence[tuple[str, Sequence[Cell]]], pieces: Sequence[str], corner: Message, title: Message, say: Say
) -> str:
    head = "".join(f'<th scope="col"><span>{escape(piece)}</span></th>' for piece in pieces)
    body = "".join(f'<tr><th scope="row">{escape(name)}</th>{"".join(map(_cell, cells))}</tr>' for name, cells in rows)
    written = any(cell[1] for _, cells in rows for cell in cells)
    return (
        f'<div class="xp inside scroll {"words" if written else "heat"}"><table>'
        f'<caption class="said">{escape(say(title))}</caption>'
        f'<thead><tr><th scope="col">{escape(say(corner))}</th>{head}</tr></thead><tbody>{body}</tbody></table></div>'
    )


def _cell(cell: Cell) -> str:
    told, written, depth = cell
    return f'<td style="--v:{depth:.3f}"{attribute("title", told)}>{escape(written)}</td>'
