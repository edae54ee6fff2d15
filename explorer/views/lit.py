"""The text itself, lit by one row or one column of attention: each token as strong as its weight, with a bar below."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.types import Message
from explorer.views.matrix import shares
from explorer.views.roles import Say
from explorer.views.style import attribute

STRONG = 0.55
"""Share of the scale from which the ink of a token is turned round, so that it can be read."""


def lit_text(
    pieces: Sequence[str],
    side: str,
    caption: Message,
    say: Say,
    *,
    weights: NDArray[np.floating] | None = None,
    chosen: int | None = None,
    log: bool = False,
) -> str:
    """Tokens (T,) to click; each reports side and position, as "query:3". weights (T,): NaN is not shown; chosen: the
    token in the reader's hand."""
    lit = np.zeros(len(pieces)) if weights is None else np.nan_to_num(np.asarray(weights, dtype=np.float64))
    parts = shares(lit, log=log)
    tokens = "".join(
        _token(f"{side}:{at}", at, piece, None if weights is None else (float(lit[at]), float(parts[at])), at == chosen)
        for at, piece in enumerate(pieces)
    )
    words = escape(say(caption))
    return f'<p class="soft">{words}</p><div class="tokens" role="group" aria-label="{words}">{tokens}</div>'


def _token(mark: str, at: int, piece: str, weight: tuple[float, float] | None, chosen: bool) -> str:
    told = f"{at} {piece}" if weight is None else f"{at} {piece}\n{weight[0]:.4f}"
    strong = " strong" if weight is not None and weight[1] > STRONG else ""
    light = "" if weight is None else f" style=--v:{weight[1]:.3f}"
    state = f"aria-pressed={'true' if chosen else 'false'}{light}{attribute('title', told)}"
    return f'<button class="token{strong}" data-click="{mark}" {state}>{escape(piece)}</button>'
