"""One head beside its picture: a line of figures, and bars of what is looked at most."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.looking import HeadFigures, most_seen
from explorer.types import Message
from explorer.views.grid import Axes
from explorer.views.roles import Say
from explorer.views.style import attribute

SHOWN = 5
"""Bars that are drawn; all other keys share one more."""


def head_line(head: tuple[HeadFigures, Axes] | None, say: Say) -> str:
    """What the rows add up to, as measured; the pair with the largest weight; how spread a row is on average. Dashes
    while the weights are awaited."""
    parts = _AWAITED if head is None else _figures(*head)
    items = "".join(f"<li><b>{escape(number)}</b> {escape(say(word))}</li>" for number, word in parts)
    return f'<ul class="xp figures">{items}</ul>'


_AWAITED = (
    ("–", Message("sum of each row")),
    ("–", Message("largest weight")),
    ("–", Message("mean entropy, in nats")),
)


def _figures(figures: HeadFigures, axes: Axes) -> Iterable[tuple[str, Message]]:
    pair = {"query": axes.query(figures.query), "key": axes.key(figures.key)}
    spread = {"even": f"{figures.even:.2f}"}
    yield _sums(figures), Message("sum of each row")
    yield f"{figures.largest:.3f}", Message("largest weight ({query} → {key})", pair)
    yield f"{figures.entropy:.2f}", Message("mean entropy, in nats (spread evenly: {even})", spread)


def _sums(figures: HeadFigures) -> str:
    """Smallest and largest row sum, once where four places do not tell them apart."""
    least, most = f"{figures.least:.4f}", f"{figures.most:.4f}"
    return least if least == most else f"{least} – {most}"


def one_head(picture: str, keys: int) -> str:
    """The picture of a head, or the mask in its place, in the room that the page gives it."""
    return f'<div class="xp one-head" style="--keys:{keys}">{picture}</div>'


def seen_bars(
    row: NDArray[np.floating], keys: Sequence[str], caption: Message, say: Say, columns: Sequence[str] = ()
) -> str:
    """The keys that get the most of a row of weights (K,), and what is left for all others; a full bar is 1. columns:
    what stands before each key, its position unless given otherwise."""
    order = most_seen(row, SHOWN)
    bars = [_bar(columns[key] if columns else str(key), keys[key], float(row[key])) for key in order]
    others = len(keys) - len(order)
    if others:
        rest = float(row.sum()) - sum(float(row[key]) for key in order)
        words = say(Message("all {n} others", {"n": others}))
        bars.append(_bar("", words, max(0.0, rest), "rest"))
    title = escape(say(caption))
    return f'<div class="xp seen"><table><caption>{title}</caption><tbody>{"".join(bars)}</tbody></table></div>'


def _bar(index: str, piece: str, weight: float, kind: str = "") -> str:
    name = f"<span{attribute('title', piece)}>{escape(piece)}</span>"
    return (
        f'<tr class="{kind}"><td>{escape(index)}</td><th scope="row">{name}</th>'
        f'<td><i class="bar" style="--v:{weight:.4f}"></i></td><td>{weight:.3f}</td></tr>'
    )
