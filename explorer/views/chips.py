"""The tokens of one text as chips in reading order, and what several tokenizers make of the same text."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.pieces import reveal
from explorer.token_details import TokenCount, TokenDetail
from explorer.types import Encoding, Message, Role
from explorer.views.roles import Say, role_class
from explorer.views.style import attribute

MOST = 2000
"""The most chips that are drawn; the table has every token."""


def token_chips(encoding: Encoding, details: Sequence[TokenDetail], say: Say) -> str:
    """Each token as its readable piece over its id; words alternate in shade, control tokens carry their sign, those
    that the text spelled out are outlined, and tokens that share a character stand close together and name it."""
    chips = "".join(_chip(encoding, detail, say) for detail in details[:MOST])
    if len(details) > MOST:
        rest = Message("{n} more tokens are in the table.", {"n": len(details) - MOST})
        chips += f'<li class="rest">{escape(say(rest))}</li>'
    label = attribute("aria-label", say(Message("The tokens in order")))
    return f'<ol class="xp chips"{label}>{chips}</ol>'


def _chip(encoding: Encoding, detail: TokenDetail, say: Say) -> str:
    t = detail.position
    kinds = [role_class(Role.SPECIAL)] if encoding.special[t] else ["odd" if (detail.word or 0) % 2 else "even"]
    kinds += ["typed"] if encoding.typed[t] else []
    kinds += ["unknown"] if detail.unknown else []
    kinds += ["part"] if any(part.number > 1 for part in detail.parts) else []
    title = attribute("title", "\n".join([detail.visible, *about(encoding, detail, say)]))
    shares = "".join(f"<small>{escape(reveal(p.character))} {p.number}/{p.of}</small>" for p in detail.parts)
    return f'<li class="{" ".join(kinds)}"{title}><b>{escape(detail.visible)}</b><i>{detail.id}</i>{shares}</li>'


def about(encoding: Encoding, detail: TokenDetail, say: Say) -> list[str]:
    """What there is to know of a token, one line each."""
    lines = [say(Message("position {position}, id {id}", {"position": detail.position, "id": detail.id}))]
    if detail.piece != detail.visible:
        lines.append(say(Message("in the vocabulary: {piece}", {"piece": detail.piece})))
    if detail.span is not None:
        lines.append(say(Message("characters {start} to {end}", {"start": detail.span[0], "end": detail.span[1]})))
    if detail.text and not detail.text.isascii():
        lines.append(" ".join(detail.code_points))
    if detail.data and (detail.parts or not detail.text.isascii()):
        lines.append(say(Message("bytes: {bytes}", {"bytes": detail.data.hex(" ")})))
    return lines + remarks(encoding, detail, say)


def remarks(encoding: Encoding, detail: TokenDetail, say: Say) -> list[str]:
    """What makes a token other than an ordinary piece, one line each."""
    lines = [
        say(
            Message(
                "part {number} of {of} of the character {character}",
                {"number": part.number, "of": part.of, "character": reveal(part.character)},
            )
        )
        for part in detail.parts
    ]
    if detail.unknown:
        lines.append(say(Message("not in the vocabulary")))
    if encoding.typed[detail.position]:
        lines.append(say(Message("a control token that the text itself spells")))
    elif encoding.special[detail.position]:
        lines.append(say(Message("added by the tokenizer")))
    return lines


def counts_table(counts: Sequence[TokenCount], say: Say) -> str:
    """One row a tokenizer: tokens of the text, added ones, unknown ones, per word, bytes a token."""
    heads = (
        Message("tokenizer"),
        Message("tokens"),
        Message("added"),
        Message("unknown"),
        Message("tokens per word"),
        Message("bytes per token"),
    )
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    most = max((count.tokens for count in counts), default=0) or 1
    rows = "".join(_count_row(count, most) for count in counts)
    caption = escape(say(Message("The same text through several tokenizers")))
    return (
        f'<div class="xp counts"><table><caption class="said">{caption}</caption>'
        f"<thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>"
    )


def _count_row(count: TokenCount, most: int) -> str:
    cells = (count.added, count.unknown, _ratio(count.tokens_per_word), _ratio(count.bytes_per_token))
    bar = f'<i class="bar" style="--v:{count.tokens / most:.4f}"></i>'
    return (
        f'<tr><th scope="row">{escape(count.name)}</th><td>{bar}<span>{count.tokens}</span></td>'
        f"{''.join(f'<td>{cell}</td>' for cell in cells)}</tr>"
    )


def _ratio(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
