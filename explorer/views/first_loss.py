"""First losses of fresh models as bars beside ln V, and the shapes of one pass."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.first_loss import FirstLoss
from explorer.types import Message
from explorer.views.roles import Say

SHAPES = (
    Message("source"),
    Message("memory"),
    Message("decoder input"),
    Message("states"),
    Message("logits"),
)

FAR = 3.0
"""So many times ln V is the longest bar: one mistake would make all others invisible."""


def first_loss_table(found: Sequence[FirstLoss], even: float, say: Say) -> str:
    """A row for each way of building; the bar is its loss, as far as the picture goes, the outline ln V."""
    heads = (
        Message("how it is built"),
        Message("first loss"),
        Message("says the token just read"),
        Message("numbers in embedding and head"),
    )
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    longest = min(FAR * even, max(even, *(each.loss for each in found)))
    rows = "".join(
        f'<tr><th scope="row">{escape(say(each.way.title))}</th>'
        f'<td class="p"><span class="bar" aria-hidden="true"><i style="--v:{min(1.0, each.loss / longest):.4f}"></i>'
        f'<u style="--v:{even / longest:.4f}"></u></span>{each.loss:.3f}</td>'
        f"<td>{each.repeats:.0%}</td><td>{each.weights:,}</td></tr>"
        for each in found
    )
    return (
        '<div class="xp worked"><div class="scroll" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def shapes_line(found: FirstLoss, say: Say) -> str:
    """The shapes of one pass, such as source (2, 10) and memory (2, 10, 512)."""
    pairs = zip(SHAPES, found.shapes, strict=True)
    parts = "".join(f"<li>{escape(say(word))} <b>{shape}</b></li>" for word, shape in pairs)
    return f'<ul class="xp figures shapes">{parts}</ul>'
