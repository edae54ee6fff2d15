"""Several tokenizers on one text as a table: tokens, perplexity and bits per byte, with bars for what differs."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.across import Reading
from explorer.types import Message
from explorer.views.roles import Say


def across_table(readings: Sequence[Reading], bits: float, say: Say) -> str:
    """A row for each tokenizer: what it would mean if its model needed `bits` a byte, and what its model really says
    where it has weights."""
    heads = (
        Message("model"),
        Message("targets"),
        Message("bytes a target"),
        Message("perplexity at {bits} bits per byte", {"bits": f"{bits:.2f}"}),
        Message("mean loss, measured"),
        Message("perplexity, measured"),
        Message("bits per byte, measured"),
    )
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    longest = max((each.perplexity_at(bits) for each in readings), default=1.0)
    body = "".join(_row(each, bits, longest) for each in readings)
    return (
        '<div class="xp worked"><div class="scroll" tabindex="0"><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div></div>"
    )


def _row(each: Reading, bits: float, longest: float) -> str:
    would = each.perplexity_at(bits)
    bar = f'<span class="bar" aria-hidden="true"><i style="--v:{would / longest if longest else 0:.4f}"></i></span>'
    each_target = each.bytes / each.targets if each.targets else 0.0
    measured = "".join(f"<td>{_number(value)}</td>" for value in (each.mean, each.perplexity))
    return (
        f'<tr><th scope="row">{escape(each.model)}</th><td>{each.targets}</td><td>{each_target:.2f}</td>'
        f'<td class="p">{bar}{_number(would)}</td>{measured}<td class="loss">{_number(each.bits_per_byte)}</td></tr>'
    )


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.2f}" if value < 1000 else f"{value:,.0f}" if value < 1e9 else f"{value:.1e}"
