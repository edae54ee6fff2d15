"""The table of all families, and the signs that mark what differs."""

from __future__ import annotations

import re

import pytest

from explorer.comparison import Columns
from explorer.objectives import Texts
from explorer.types import Message
from explorer.views.compared import Line, compared_table
from explorer.views.rows import token_rows
from tests.examples import make

pytestmark = pytest.mark.models

BERT, GPT2 = "google-bert/bert-base-uncased", "openai-community/gpt2"


def test_a_family_shows_its_share_its_shift_and_its_passes(tokenizer) -> None:
    made = make("causal_lm", tokenizer(GPT2), Texts("the cat sat"))
    html = compared_table([Line(Message("GPT"), Message("1"), made)], str)
    assert "--share:67%" in html
    assert "2 of 3" in html
    assert "the model, inside its loss" in html
    assert html.count("<figure>") == 1


def test_a_sentence_that_cannot_be_used_says_why_and_is_escaped() -> None:
    why = Message("{model} has none", {"model": "<b>x</b>"})
    html = compared_table([Line(Message("T5"), Message("1"), None, why)], str)
    assert "&lt;b&gt;x&lt;/b&gt; has none" in html
    assert "<b>x</b>" not in html


def test_marked_columns_carry_a_sign_and_no_others(tokenizer) -> None:
    made = make("masked_lm", tokenizer(BERT), Texts("the cat sat"), {"select": "2"})
    html = token_rows(made, str, marked=Columns(output=frozenset({2, 3})))
    assert re.findall("<mark>(.*?)</mark>", html) == ["≠ 2", "≠ 3"]
    assert "<mark>" not in token_rows(made, str)


def test_brief_rows_leave_out_the_labels_as_passed(tokenizer) -> None:
    made = make("causal_lm", tokenizer(GPT2), Texts("the cat sat"))
    rows = re.findall('<tr class="(.*?)"', token_rows(made, str, brief=True))
    assert rows == ["position", "input", "compared"]
    assert "passed" in token_rows(made, str)
