"""An alignment as lines from the source above to the target below, as strong as the weight."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.alignment import Alignment
from explorer.types import Message
from explorer.views.columns import characters
from explorer.views.roles import Say
from explorer.views.style import attribute

CHARACTER, GAP, HIGH, ROW = 8.5, 14, 190, 30
"""Pixels of the picture: a character, the room between tokens, the height, and of a row of tokens."""

FAINTEST = 0.05
"""Weights below it are not drawn."""


def alignment_picture(found: Alignment, say: Say) -> str:
    """Each target token has a line to every source token that gets a twentieth of its attention or more; its strongest
    one is in full colour. The same in words for those who do not see it."""
    above, wide = _places(found.source)
    below, wider = _places(found.target)
    width = max(wide, wider)
    shifts = (width - wide) / 2, (width - wider) / 2
    lines = "".join(
        _line(above[k] + shifts[0], below[s] + shifts[1], float(found.weights[s, k]), best=k == found.best[s])
        + f"<title>{escape(f'{found.target[s]} → {found.source[k]}  {found.weights[s, k]:.3f}')}</title></path>"
        for s in range(len(found.target))
        for k in range(len(found.source))
        if found.weights[s, k] >= FAINTEST
    )
    texts = _texts(found.source, above, shifts[0], ROW - 10) + _texts(found.target, below, shifts[1], HIGH - 8)
    pairs = [f"{piece} → {found.source[found.best[s]]}" for s, piece in enumerate(found.target)]
    label = attribute("aria-label", say(Message("Alignment: {pairs}", {"pairs": ", ".join(pairs)})))
    size = f'width="{width:.0f}" height="{HIGH}" viewBox="0 0 {width:.0f} {HIGH}"'
    rows = ("↑", Message("source")), ("↓", Message("target, as it must be"))
    names = "".join(f"<span>{arrow} {escape(say(word))}</span>" for arrow, word in rows)
    return (
        f'<div class="xp align"><p class="axes">{names}</p><div class="scroll" tabindex="0">'
        f'<svg {size} role="img"{label}>{lines}{texts}</svg></div></div>'
    )


def _places(pieces: Sequence[str]) -> tuple[list[float], float]:
    """The middle of each token, and the width of all."""
    middles, x = [], float(GAP)
    for piece in pieces:
        wide = max(3, characters(piece)) * CHARACTER
        middles.append(x + wide / 2)
        x += wide + GAP
    return middles, x


def _line(top: float, bottom: float, weight: float, *, best: bool) -> str:
    path = f"M{top:.0f} {ROW}C{top:.0f} {HIGH / 2:.0f} {bottom:.0f} {HIGH / 2:.0f} {bottom:.0f} {HIGH - ROW + 4}"
    kind = ' class="best"' if best else ""
    return f'<path{kind} d="{path}" style="--w:{weight:.3f}">'


def _texts(pieces: Sequence[str], middles: Sequence[float], shift: float, y: float) -> str:
    return "".join(
        f'<text x="{x + shift:.0f}" y="{y:.0f}">{escape(piece)}</text>'
        for piece, x in zip(pieces, middles, strict=True)
    )
