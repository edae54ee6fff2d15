"""The tokens page: one text through several tokenizers, chips, counts, what was lost on the way, and every token."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

import pandas as pd
import streamlit as st

from explorer.token_details import TokenCount, compare, details
from explorer.tokenizer import Tokenizer
from explorer.types import InputProblem, Message
from explorer.ui.controls import chips, report_address
from explorer.ui.made import drawn
from explorer.ui.models import check_models, linked, which_may
from explorer.ui.tables import table_with_csv
from explorer.ui.take_home_part import take_home
from explorer.ui.texts import text_field
from explorer.ui.token_parcel import token_parcel
from explorer.ui.visits import enter, leave
from explorer.ui.words import literal, sentence, t
from explorer.views.chips import counts_table, token_chips
from explorer.views.roles import Say
from explorer.views.token_views import text_as_read, token_table

TEXT = "Tokenizers cut unbelievable words into pieces. 나는 밥을 먹었다 \N{SLICE OF PIZZA}"
EXAMPLES = (
    (Message("Words, Korean and a picture"), TEXT),
    (Message("Numbers and prices"), "In 2024 it cost $1,234.56 and not 999."),
    (Message("Code and white space"), "def half(x):\n    return x  /  2"),
    (Message("One word in five forms"), "run runs running runner Run"),
)
"""Ready texts, the first one on the page at first."""

USUAL = ("google-bert/bert-base-uncased", "openai-community/gpt2", "google-t5/t5-small")


def ask_tokens() -> tuple[str, list[str]]:
    """Draw the fields: a text, and which tokenizers read it."""
    from explorer.models.catalog import catalogue, others_allowed, state

    names = [card.name for card in catalogue() if state(card.name) != "absent"]
    usual = [name for name in USUAL if name in names] or names[:3]
    start = {"text": TEXT, "tokenizers": usual}
    if enter("tokens", start):
        check_models("tokenizers")
    report_address()
    text = text_field("text", t("Text"), TEXT, 3)
    chips([title for title, _ in EXAMPLES], [{"text": each} for _, each in EXAMPLES])
    chosen = st.multiselect(
        t("Tokenizers"),
        [*dict.fromkeys([*names, *linked("tokenizers")])],
        default=usual,
        key="tokenizers",
        bind="query-params",
        accept_new_options=others_allowed(),
        help=which_may(),
    )
    leave(start)
    return text, chosen


def draw_tokens(text: str, names: list[str]) -> None:
    """Counts first, then each tokenizer's chips with its notes, then one table for all."""
    counts = [count for name in names if (count := _count(text, name)) is not None]
    if not counts:
        st.info(literal(t("Choose a tokenizer to see the text as it reads it.")))
        return
    st.html(counts_table(counts, t))
    for count in counts:
        st.header(literal(count.name), anchor=False)
        st.html(drawn(_chips, text, count.name))
        for note in count.encoding.notes:
            st.caption(sentence(note))
    with st.expander(t("Table and CSV")):
        table_with_csv(_table(counts, t), "tokens")
    take_home(lambda: token_parcel(counts, partial(_chips, text), partial(_table, counts)))


def _count(text: str, name: str) -> TokenCount | None:
    """The tokenizer's account of the text; a sentence where it cannot be had."""
    try:
        return _counted(text, name)
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None


@lru_cache(maxsize=64)
def _counted(text: str, name: str) -> TokenCount:
    return compare(text, [_tokenizer(name)])[0]


def _tokenizer(name: str) -> Tokenizer:
    from explorer.models import tokenizer

    return tokenizer(name)


def _chips(text: str, name: str, say: Say) -> str:
    encoding = _counted(text, name).encoding
    before = text_as_read(encoding.text, _tokenizer(name).normalize(encoding.text), say)
    return before + token_chips(encoding, details(encoding, _tokenizer(name)), say)


def _table(counts: Sequence[TokenCount], say: Say) -> pd.DataFrame:
    """One row a token, one tokenizer after the other."""
    tables = []
    for count in counts:
        table = token_table(count.encoding, details(count.encoding, _tokenizer(count.name)), say)
        table.insert(0, say(Message("tokenizer")), count.name)
        tables.append(table)
    return pd.concat(tables, ignore_index=True)
