"""The tokens of one text as a table, and the text beside what the tokenizer makes of it before it splits it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd

from explorer.pieces import reveal
from explorer.token_details import TokenDetail
from explorer.types import Encoding, Message
from explorer.views.chips import remarks
from explorer.views.roles import Say

LONGEST = 2000
"""The most characters of a text that are shown side by side."""


def token_table(encoding: Encoding, details: Sequence[TokenDetail], say: Say) -> pd.DataFrame:
    """One row a token. Every column has one type: whole numbers that may be missing, or text with visible spaces."""
    spans = [each.span or (None, None) for each in details]
    return pd.DataFrame(
        {
            say(Message("position")): [each.position for each in details],
            say(Message("id")): [each.id for each in details],
            say(Message("piece")): [each.visible for each in details],
            say(Message("in the vocabulary")): [each.piece for each in details],
            say(Message("text")): [reveal(each.text) if each.text else "" for each in details],
            say(Message("starts at")): pd.array([start for start, _ in spans], dtype="Int64"),
            say(Message("ends before")): pd.array([end for _, end in spans], dtype="Int64"),
            say(Message("word")): pd.array([each.word for each in details], dtype="Int64"),
            say(Message("bytes")): [each.data.hex(" ") for each in details],
            say(Message("code points")): [" ".join(each.code_points) for each in details],
            say(Message("remarks")): ["; ".join(remarks(encoding, each, say)) for each in details],
        }
    )


def text_as_read(text: str, normal: str, say: Say) -> str:
    """The text above what is left of it after normalisation, all characters visible; "" where nothing changes."""
    if text == normal:
        return ""
    rows = ((Message("your text"), text), (Message("as the tokenizer reads it"), normal))
    lines = "".join(f"<dt>{escape(say(name))}</dt><dd>{escape(_shown(given))}</dd>" for name, given in rows)
    return f'<dl class="xp as-read">{lines}</dl>'


def _shown(text: str) -> str:
    return reveal(text[:LONGEST]) + ("…" if len(text) > LONGEST else "") if text else ""
