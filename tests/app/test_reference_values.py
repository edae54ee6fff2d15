"""The lectures' examples on the pages, number by number: each is a press on a ready example away, or a typed text.

The models are the published ones, of which tokenizer and config are enough.
"""

from __future__ import annotations

import re
from html import unescape

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open, words

pytestmark = pytest.mark.models

BERT, CASED, GPT2 = "google-bert/bert-base-uncased", "google-bert/bert-base-cased", "openai-community/gpt2"
SQUAD = "distilbert/distilbert-base-cased-distilled-squad"
BART, LARGE = "facebook/bart-base", "facebook/bart-large"
NONE = "−100 "
CHOSEN = (
    "17 positions 3 targets (outputs 2, 3, 12)",
    f"label, as passed {2 * NONE}dog 3899 is 2003 {8 * NONE}the 1996 {4 * NONE}",
)
PAIR = (
    "11 positions",
    "segment 0 0 0 0 0 0 1 1 1 1 1",
    "[CLS] 101 my 2026 dog 3899 is 2003 [MASK] 103 [SEP] 102 he 2002 likes 7777 to 2000 play 2377 [SEP] 102",
    f"label, as passed {4 * NONE}hairy 15892 {4 * NONE}play 2377 {NONE}",
)
NAMES = (
    "[CLS] 101 E 142 ##ui 6592 ##su 6385 ##k 1377 Chung 17838 works 1759 at 1120 Google 7986 [SEP] 102",
    f"label, as passed {NONE}B-PER 1 {3 * NONE}I-PER 2 O 0 O 0 B-ORG 3 {NONE}",
)
TOWER = (
    "28 positions 2 targets (outputs 23)",
    f"label, as passed {23 * NONE}start, end 0 {4 * NONE}",
    "Characters 52 to 57 of the context",
    "(28, 768) each of 28 outputs → qa_outputs 768 × 2",
)
CATS = (
    "I 40 ·like 588 ·cats 11875 . 13 <|endoftext|> 50256",
    "5 positions 4 targets (outputs 0–3)",
)
CAPITAL = (
    "15 positions 3 targets (outputs 11–13)",
    f"label, as passed {12 * NONE}·Paris 6342 . 13 <|endoftext|> 50256",
)
HEADLINE = (
    "11 source positions 15 target positions 15 targets (outputs 0–14)",
    "</s> 2 <s> 0 UN 4154 ·Chief 1231",
)
APPLE = (
    "<s> 0 I 100 ·ate 14964 ·an 41 ·apple 15162",
    "label, as passed I 100 ·ate 14964 ·an 41 ·apple 15162 </s> 2",
)
LAST = "classification_head.out_proj 768 × 2"

VALUES: tuple[tuple[str, dict[str, str], int | None, tuple[str, ...]], ...] = (
    ("bert", {"model": BERT, "text": "The capital of France is [MASK]."}, None, ("9 positions", "6 7 8", "[MASK] 103")),
    ("bert", {"model": BERT}, 0, CHOSEN),
    ("bert", {"model": BERT}, 1, PAIR),
    ("fine_tuning", {"objective": "sequence_classification", "model": BERT}, 1, ("14 positions 1 target (output 0)",)),
    ("fine_tuning", {"objective": "sequence_classification", "model": BERT}, 1, (f"segment{8 * ' 0'}{6 * ' 1'}",)),
    ("fine_tuning", {"objective": "sequence_classification", "model": BERT}, 3, ("the loss is the squared error",)),
    ("fine_tuning", {"objective": "sequence_classification", "model": BART}, None, (LAST,)),
    ("fine_tuning", {"objective": "token_classification", "model": CASED}, 0, NAMES),
    ("fine_tuning", {"objective": "question_answering", "model": SQUAD}, 4, TOWER),
    ("gpt", {"model": GPT2}, 0, ("9 positions 8 targets (outputs 0–7)",)),
    ("gpt", {"model": GPT2, "text": "The capital of France is Paris."}, None, ("7 positions 6 targets (outputs 0–5)",)),
    ("gpt", {"model": GPT2}, 2, ("8 positions 4 targets (outputs 0–3)",)),
    ("gpt", {"model": GPT2, "objective": "packed_lm"}, 0, CATS),
    ("sft", {"model": GPT2}, 0, CAPITAL),
    ("bart", {"model": LARGE}, 4, HEADLINE),
    ("transformer", {"model": BART}, 0, APPLE),
)


def plain(app: AppTest) -> str:
    """All words without tags, one space between them."""
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", unescape(words(app).replace("&lt;", "‹").replace("&gt;", "›"))))


def written(text: str) -> str:
    return text.replace("<", "‹").replace(">", "›").strip()


@pytest.mark.parametrize(("page", "fields", "chip", "values"), VALUES)
def test_the_page_shows_the_numbers(
    open_page: Open, page: str, fields: dict[str, str], chip: int | None, values
) -> None:
    app = open_page(page, **fields)
    if chip is not None and app.session_state["example"] != chip:
        app.pills(key="example").set_value(chip).run()
    assert not app.error
    told = plain(app)
    for value in values:
        assert written(value) in told


def test_the_first_loss_and_the_smallest_check(open_page: Open) -> None:
    app = open_page("transformer", model="google-t5/t5-small", part="first")
    told = plain(app)
    assert "near ln 8000 = 8.987" in told
    assert "(2, 10) memory (2, 10, 512) decoder input (2, 8) states (2, 8, 512) logits (2, 8, 8000)" in told
    first = re.search(r"as nn\.Linear makes it ([\d.]+)", told)
    assert first is not None
    assert 9.1 <= float(first[1]) <= 9.3
    assert "begins at 2.1303, near ln 8 = 2.079" in told
    assert "changes the outputs before it by 0.00000000" in told
