"""Teacher-forced and free running side by side, a row for each place of the answer."""

from __future__ import annotations

from html import escape

from explorer.exposure import FreeRun
from explorer.tokens import Tokenizer, visible_pieces
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def exposure_table(found: FreeRun, words: Tokenizer, say: Say) -> str:
    """Right token, guess and loss after the right words, what was written and the right token's loss after the model's
    own words; a sign and a mark where a guess is not the right one."""
    heads = (
        Message("output"),
        Message("right token"),
        Message("guess after the right words"),
        Message("loss"),
        Message("written after its own words"),
        Message("loss of the right token"),
    )
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    rights, guesses, written = (visible_pieces(ids, words) for ids in (found.right, found.guesses, found.written))
    rows = "".join(
        f'<tr><th scope="row">{at}</th><td><b>{escape(right)}</b></td>'
        f"{_said(guesses[at], right)}<td>{found.losses[at]:.4f}</td>"
        + (
            f"{_said(written[at], right)}<td>{found.own_losses[at]:.4f}</td>"
            if at < len(written)
            else "<td>–</td><td>–</td>"
        )
        + "</tr>"
        for at, right in enumerate(rights)
    )
    label = attribute("aria-label", say(Message("Teacher-forced and free running")))
    return (
        f'<div class="xp worked exposure"><div class="scroll" tabindex="0" role="region"{label}><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div></div>"
    )


def _said(piece: str, right: str) -> str:
    if piece == right:
        return f"<td><b>{escape(piece)}</b></td>"
    return f'<td><b class="other">≠ {escape(piece)}</b></td>'
