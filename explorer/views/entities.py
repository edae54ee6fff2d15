"""A sentence with its names marked: as they should be, and as a model has found them; then word for word."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.entities import Entity
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def marked_text(title: Message, words: Sequence[str], names: Sequence[Entity], say: Say) -> str:
    """The words with each name in a frame, its kind behind it. A name that begins with an I- has a dashed frame."""
    parts, at = [], 0
    for name in names:
        parts += [escape(word) for word in words[at : name.first]]
        inner = escape(" ".join(words[name.first : name.last + 1]))
        told = "" if name.begun else attribute("title", say(Message("begins with I- in place of B-")))
        parts.append(
            f"<mark{'' if name.begun else ' class=odd'}{told}>{inner} <small>{escape(name.kind)}</small></mark>"
        )
        at = name.last + 1
    parts += [escape(word) for word in words[at:]]
    return f'<div class="xp names"><small>{escape(say(title))}</small><p>{" ".join(parts)}</p></div>'


def word_table(words: Sequence[str], wanted: Sequence[str], said: Sequence[tuple[str, float] | None], say: Say) -> str:
    """A column for each word: the tag it should have, and the tag said of it with its probability; None: the word has
    no token."""
    head = "".join(f'<th scope="col">{escape(word)}</th>' for word in words)
    should = "".join(f"<td>{escape(tag)}</td>" for tag in wanted)
    does = "".join(_said(tag, found) for tag, found in zip(wanted, said, strict=True))
    names = [escape(say(word)) for word in (Message("word"), Message("should be"), Message("said"))]
    caption = escape(say(Message("The tag of each word, as it should be and as the head says")))
    return (
        f'<div class="xp tagged"><div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table>'
        f'<caption class="said">{caption}</caption><tr><th scope="row">{names[0]}</th>{head}</tr>'
        f'<tr><th scope="row">{names[1]}</th>{should}</tr><tr><th scope="row">{names[2]}</th>{does}</tr>'
        "</table></div></div>"
    )


def _said(tag: str, found: tuple[str, float] | None) -> str:
    if found is None:
        return "<td>–</td>"
    right = found[0] == tag
    sign = "✓" if right else "✗"
    return (
        f'<td class="{"right" if right else "wrong"}">{escape(found[0])} <b aria-hidden="true">{sign}</b>'
        f"<small>{found[1]:.2f}</small></td>"
    )
