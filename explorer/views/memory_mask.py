"""Cross-attention with and without its padding mask: three losses, the changes, and both matrices of weights."""

from __future__ import annotations

from html import escape

import numpy as np

from explorer.memory_mask import LeftOut, Run
from explorer.types import Message
from explorer.views.grid import Axes
from explorer.views.matrix import weights_picture
from explorer.views.roles import Say


def memory_figures(found: LeftOut, say: Say) -> str:
    """A row for each run: mean loss, largest change of a logit against the source alone, share of weight on pads."""
    heads = (
        Message("source"),
        Message("mean loss"),
        Message("largest change of a logit"),
        Message("cross-attention on pads"),
    )
    rows = (
        (Message("alone"), found.alone),
        (Message("padded, with memory_key_padding_mask"), found.masked),
        (Message("padded, without it"), found.bare),
    )
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    body = "".join(
        f'<tr><th scope="row">{escape(say(word))}</th><td>{run.mean:.4f}</td><td>{found.change(run):.6f}</td>'
        f"<td>{found.share(run):.1%}</td></tr>"
        for word, run in rows
    )
    return (
        '<div class="xp worked"><div class="scroll" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></div>"
    )


def memory_picture(found: LeftOut, say: Say) -> str:
    """The weights of the last layer, with the mask and without: what falls on a pad is marked as an error."""
    parts = ((Message("with the mask"), found.masked), (Message("without it"), found.bare))
    pictures = "".join(_weights(found, word, run, say) for word, run in parts)
    return f'<div class="xp beside">{pictures}</div>'


def _weights(found: LeftOut, title: Message, run: Run, say: Say) -> str:
    mask = np.broadcast_to(np.arange(len(found.source)) < found.length, run.weights.shape)
    picture = weights_picture(run.weights, Axes(found.target, found.source), say, mask=mask)
    return f"<figure><figcaption>{escape(say(title))}</figcaption>{picture}</figure>"
