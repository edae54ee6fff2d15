"""A smoothed target as bars: the right token, one other, and all others together."""

from __future__ import annotations

from html import escape

from explorer.types import Message
from explorer.views.roles import Say


def smoothing_bars(right: float, other: float, size: int, say: Say) -> str:
    """What one token of each kind gets, `right` and `other`; a full bar is 1."""
    rows = (
        (Message("the right token"), right, "wanted"),
        (Message("one other token"), other, ""),
        (Message("all {n} others together", {"n": f"{size - 1:,}"}), (size - 1) * other, ""),
    )
    body = "".join(
        f'<tr class="{kind}"><th scope="row"><b>{escape(say(word))}</b></th><td class="p">'
        f'<span class="bar" aria-hidden="true"><i style="--v:{value:.5f}"></i></span>{value:.7f}</td></tr>'
        for word, value, kind in rows
    )
    table = f"<table><tbody>{body}</tbody></table>"
    return f'<div class="xp worked wide"><div class="scroll" tabindex="0">{table}</div></div>'
