"""What each token counts for in a mean of several batches: blocks as wide as their share, one line for each mean."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from explorer.averages import Averages, Floats
from explorer.loss import LossResult
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def shares_picture(found: Averages, say: Say) -> str:
    """Two lines of blocks: all tokens the same, and all batches the same. A block holds the token's loss."""
    token, batch = (
        Message("Every token counts the same: the mean over targets"),
        Message("Every batch counts the same: the mean of means"),
    )
    lines = _figure(found.batches, found.by_token, token, found.combined.mean, say)
    lines += _figure(found.batches, found.by_batch, batch, found.combined.mean_of_means, say)
    return f'<div class="xp shares">{lines}</div>'


def _figure(
    batches: Sequence[LossResult], shares: Sequence[Floats], title: Message, mean: float | None, say: Say
) -> str:
    number = "–" if mean is None else f"{mean:.4f}"
    blocks = "".join(_batch(*each, n, say) for n, each in enumerate(zip(batches, shares, strict=True), 1))
    words = escape(say(title))
    return (
        f"<figure><figcaption><span>{words}</span><b>{number}</b></figcaption>"
        f'<div class="blocks" role="img"{attribute("aria-label", f"{say(title)}: {number}")}>{blocks}</div></figure>'
    )


def _batch(batch: LossResult, shares: Floats, number: int, say: Say) -> str:
    tokens = "".join(_token(float(loss), float(share)) for loss, share in zip(batch.per_position, shares, strict=True))
    title = attribute("title", say(Message("batch {number}", {"number": number})))
    return f'<div class="batch" style="--w:{float(shares.sum()):.5f}"{title}>{tokens}</div>'


def _token(loss: float, share: float) -> str:
    if np.isnan(loss):
        return '<i class="ignored">−100</i>'
    return f'<i style="--w:{share:.5f}"><b>{loss:g}</b><small>{share:.1%}</small></i>'
