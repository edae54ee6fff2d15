"""The tokens page as values: chips, counts, the table, the text beside what is read of it."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pandas as pd
import pyarrow as pa
import pytest

from explorer.token_details import compare, details
from explorer.tokens import encode
from explorer.views.chips import MOST, counts_table, token_chips
from explorer.views.token_views import text_as_read, token_table
from tests.fakes import LetterTokenizer

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
T5 = "google-t5/t5-small"
PIZZA = "\N{SLICE OF PIZZA}"


class Chips(HTMLParser):
    """Reads a list of chips: each one's classes, hover and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.chips: list[tuple[set[str], str, list[str]]] = []
        self.feed(html)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        if tag == "li":
            given = dict(attrs)
            self.chips.append((set(given["class"].split()), given.get("title", ""), []))

    def handle_data(self, data):
        self.chips[-1][2].append(data)


def chips(text: str, tokenizer, pair: str | None = None) -> Chips:
    encoding = encode(text, tokenizer, pair)
    return Chips(token_chips(encoding, details(encoding, tokenizer), str))


def table(text: str, tokenizer) -> pd.DataFrame:
    encoding = encode(text, tokenizer)
    return token_table(encoding, details(encoding, tokenizer), str)


@pytest.mark.models
def test_a_chip_is_piece_over_id(tokenizer):
    assert [text for _, _, text in chips("a   b", tokenizer(GPT2)).chips] == [
        ["a", "64"], ["·", "220"], ["·", "220"], ["·b", "275"]
    ]  # fmt: skip


@pytest.mark.models
def test_specials_typed_specials_and_unknowns_are_told_apart(tokenizer):
    classes = [kinds for kinds, _, _ in chips(f"the [MASK] {PIZZA}", tokenizer(BERT)).chips]
    assert classes == [{"r-special"}, {"even"}, {"r-special", "typed"}, {"even", "unknown"}, {"r-special"}]


@pytest.mark.models
def test_hover_tells_bytes_and_parts(tokenizer):
    found = chips(f"I ate {PIZZA}", tokenizer(GPT2)).chips
    assert "part 2 of 3 of the character \N{SLICE OF PIZZA}" in found[3][1].splitlines()
    assert "bytes: 8d" in found[3][1].splitlines()
    assert [words[2:] for _, _, words in found] == [[], [], *([f"{PIZZA} {n}/3"] for n in (1, 2, 3))]
    assert ["part" in kinds for kinds, _, _ in found] == [False, False, False, True, True]


HOSTILE = [
    "a<b<c",
    '" onmouseover="alert(1)',
    "<img src=x onerror=alert(1)>",
    "</li></ol><script>alert(1)</script>",
    "$5 and $6 **bold** _x_ &lt;",
]


@pytest.mark.models
@pytest.mark.parametrize("name", [GPT2, BERT, T5])
@pytest.mark.parametrize("text", HOSTILE)
def test_markup_in_a_text_is_only_text(tokenizer, name, text):
    real = tokenizer(name)
    read = chips(text, real)
    assert set(read.tags) <= {"ol", "li", "b", "i", "small"}
    assert [words[0] for _, _, words in read.chips] == list(encode(text, real).visible)
    assert set(re.findall(r"</?(\w+)", text_as_read(text, f"{text} ", str))) == {"dl", "dt", "dd"}


def test_very_many_tokens_are_capped_and_said():
    found = chips("a " * (MOST + 5), LetterTokenizer()).chips
    assert len(found) == MOST + 1
    assert found[-1][2] == ["5 more tokens are in the table."]


@pytest.mark.models
def test_table_of_pizza(tokenizer):
    found = table(f"I ate {PIZZA}", tokenizer(GPT2))
    assert found["id"].tolist() == [40, 15063, 12520, 235, 243]
    assert found["piece"].tolist() == ["I", "·ate", "·⟨F0 9F⟩", "⟨8D⟩", "⟨95⟩"]
    assert found["starts at"].tolist() == [0, 1, 5, 6, 6]
    assert found["ends before"].tolist() == [1, 5, 7, 7, 7]
    assert found["bytes"].tolist() == ["49", "20 61 74 65", "20 f0 9f", "8d", "95"]
    assert found["remarks"].tolist()[3] == f"part 2 of 3 of the character {PIZZA}"


@pytest.mark.models
def test_specials_have_no_span_and_no_word(tokenizer):
    found = table("the [MASK]", tokenizer(BERT))
    assert found["starts at"].tolist() == [pd.NA, 0, 4, pd.NA]
    assert found["word"].tolist() == [pd.NA, 0, 1, pd.NA]
    assert found["remarks"].tolist() == [
        "added by the tokenizer", "", "a control token that the text itself spells", "added by the tokenizer"
    ]  # fmt: skip


@pytest.mark.models
@pytest.mark.parametrize("text", ["", "a \n\tb", "\0 \u200b\u202e", "한국어 e\u0301", "bad \ud83d x", *HOSTILE])
@pytest.mark.parametrize("name", [GPT2, BERT, T5])
def test_every_column_has_one_type(tokenizer, name, text):
    found = pa.Table.from_pandas(table(text, tokenizer(name)), preserve_index=False)
    numbers = {"position", "id", "starts at", "ends before", "word"}
    if len(found):
        assert {field.name for field in found.schema if pa.types.is_integer(field.type)} == numbers


def test_repeated_words_keep_their_rows():
    found = table("the cat saw the dog", LetterTokenizer())
    assert found["position"].tolist() == list(range(len(found)))
    assert found["piece"].tolist().count("t") == 2


@pytest.mark.models
def test_the_text_stands_beside_what_t5_reads(tokenizer):
    text = "Hi  there\nI'm good"
    html = text_as_read(text, tokenizer(T5).normalize(text), str)
    assert "<dd>Hi··there⏎I&#x27;m·good</dd>" in html
    assert "<dd>Hi·there·I&#x27;m·good</dd>" in html


def test_an_unchanged_text_is_not_shown_twice():
    assert text_as_read("same", "same", str) == ""
    assert "<dd></dd>" in text_as_read("\0", "", str)


@pytest.mark.models
def test_counts_side_by_side(tokenizer, read):
    counts = compare(f"I ate {PIZZA}", [tokenizer(BERT), tokenizer(GPT2)])
    rows = [[cell.text for cell in cells] for _, cells in read(counts_table(counts, str)).rows]
    assert rows == [
        ["tokenizer", "tokens", "added", "unknown", "tokens per word", "bytes per token"],
        [BERT, "3", "2", "1", "1.00", "3.33"],
        [GPT2, "5", "0", "0", "1.67", "2.00"],
    ]
