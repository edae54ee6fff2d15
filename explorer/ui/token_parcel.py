"""What there is to take home of the tokens page: one text through several tokenizers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from explorer.models.in_code import loading
from explorer.records import tokens_record
from explorer.token_details import TokenCount
from explorer.types import Message
from explorer.ui.example_parcel import given
from explorer.ui.take_home_part import Parcel
from explorer.views.chips import counts_table
from explorer.views.roles import Say
from explorer.views.token_code import token_code

if TYPE_CHECKING:
    import pandas as pd


def token_parcel(
    counts: Sequence[TokenCount], chips: Callable[[str, Say], str], table: Callable[[Say], pd.DataFrame]
) -> Parcel:
    """chips: the picture of a tokenizer's tokens, by its name; table: of all tokens."""
    text = counts[0].encoding.text
    return Parcel(
        "tokens",
        Message("Tokens"),
        "",
        token_code(text, {count.name: loading(count.name, weights=False) for count in counts}),
        lambda: {"text": text, "tokenizers": {count.name: _record(count) for count in counts}},
        table,
        lambda say: [
            (say(Message("Text")), given(text)),
            (say(Message("Tokenizers")), counts_table(counts, say)),
            *((count.name, chips(count.name, say)) for count in counts),
        ],
    )


def _record(count: TokenCount) -> dict[str, object]:
    names = ("tokens", "added", "unknown", "characters", "size", "tokens_per_word", "bytes_per_token")
    return tokens_record(count.encoding) | {name: getattr(count, name) for name in names}
