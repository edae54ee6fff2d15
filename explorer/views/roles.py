"""The one table of how roles look: a sign, a word and colours for light and dark; and the legend made from it.

Hues follow Okabe and Ito, "Color Universal Design" (2008), as tints under dark ink and as shades under light ink.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape

from explorer.types import Message, Role

Say = Callable[[Message], str]
"""Turns a message into words of the reader's language."""


@dataclass(frozen=True)
class Colours:
    """Fill and ink of a cell, as #rrggbb."""

    fill: str
    ink: str


@dataclass(frozen=True)
class Look:
    """How one role is told apart: sign in the corner, word in the legend, colours."""

    sign: str
    word: Message
    light: Colours
    dark: Colours


LOOKS: dict[Role, Look] = {
    Role.KEPT: Look("K", Message("kept"), Colours("#eef1f5", "#1f2937"), Colours("#252b34", "#dde3ea")),
    Role.MASKED: Look("M", Message("masked"), Colours("#475467", "#ffffff"), Colours("#c6cfdb", "#11161d")),
    Role.RANDOM: Look("?", Message("random token"), Colours("#f8eea2", "#574c00"), Colours("#55500f", "#fbf0a0")),
    Role.UNCHANGED: Look(
        "=", Message("chosen, left as it is"), Colours("#cdeee1", "#00543d"), Colours("#0d4636", "#bdf0dc")
    ),
    Role.SENTINEL: Look("#", Message("sentinel"), Colours("#f6d9e8", "#85285b"), Colours("#5a2445", "#fbd3e8")),
    Role.INSERTED: Look("+", Message("inserted"), Colours("#8fd9c0", "#003d2c"), Colours("#1a7055", "#f0fff9")),
    Role.MOVED: Look("↔", Message("moved"), Colours("#cdeafa", "#0a5075"), Colours("#12506f", "#cbebfc")),
    Role.PROMPT: Look("P", Message("prompt"), Colours("#dceaf8", "#0b4f86"), Colours("#163a63", "#cfe3fa")),
    Role.RESPONSE: Look("R", Message("response"), Colours("#fbe4c8", "#7a3e00"), Colours("#57340f", "#ffddb0")),
    Role.SPECIAL: Look("S", Message("special token"), Colours("#e6e0f2", "#4a3c78"), Colours("#3a3157", "#ddd5f5")),
    Role.PAD: Look("∅", Message("padding"), Colours("#f6f7f9", "#5d6778"), Colours("#1a1f26", "#98a2b3")),
}


def role_class(role: Role) -> str:
    """The CSS class of a role, in every picture and table.

    >>> role_class(Role.MASKED)
    'r-masked'
    """
    return f"r-{role.value}"


def role_rules() -> str:
    """CSS for all roles: fill and ink for the reader's theme, and the sign as generated content."""
    return "\n".join(
        f".xp .{role_class(role)}{{--fill:light-dark({look.light.fill},{look.dark.fill});"
        f'--role:light-dark({look.light.ink},{look.dark.ink});--sign:"{look.sign}"}}'
        for role, look in LOOKS.items()
    )


def legend(roles: Iterable[Role], say: Say, *, loss: bool = True) -> str:
    """The roles on screen, in the order of the table, each with sign and word; then what marks a loss."""
    shown = set(roles)
    entries = [
        f'<li><i class="key {role_class(role)}" aria-hidden="true"></i>{escape(say(look.word))}</li>'
        for role, look in LOOKS.items()
        if role in shown
    ]
    if loss:
        words = escape(say(Message("loss here")))
        entries.append(f'<li><i class="key loss" aria-hidden="true"></i>{words}</li>')
    return f'<ul class="xp legend">{"".join(entries)}</ul>'
