"""A validation loop as it goes: figures so far, and both means as lines."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from explorer.types import Message
from explorer.validation import Tally
from explorer.views.figures import number_line
from explorer.views.roles import Say
from explorer.views.written_lines import line_picture


def validation_figures(tally: Tally, say: Say) -> str:
    """Pieces, targets, the mean over all targets, perplexity, and the mean of means beside it."""
    mean, naive = _number(tally.mean, 4), _number(tally.mean_of_means, 4)
    parts = (
        (f"{tally.scored:,}", Message("pieces")),
        (f"{tally.targets:,}", Message("targets")),
        (mean, Message("mean loss over all targets")),
        (_number(tally.perplexity, 2), Message("perplexity")),
        (naive, Message("mean of means") if naive == mean else Message("mean of means, which is another number")),
    )
    return number_line(parts, say)


def validation_lines(means: NDArray[np.float64], naive: NDArray[np.float64], say: Say) -> str:
    """Both means after each piece."""
    names = say(Message("over all targets")), say(Message("mean of means"))
    lines = dict(zip(names, (means, naive), strict=True))
    title = Message("mean loss after so many pieces")
    return f'<div class="xp lines">{line_picture(lines, title, say, places=3)}</div>'


def _number(value: float | None, places: int) -> str:
    return "–" if value is None else f"{value:,.{places}f}"
