"""In Korean no English sentence reaches a page, and no message of ours stands there untranslated."""

from __future__ import annotations

import pytest

from explorer.ui.frame import PAGES
from explorer.ui.words import catalogue
from explorer.views.takeaway_notes import comments
from tests.app.conftest import Open
from tests.english import english, labels, parts, told

HANGUL = range(0xAC00, 0xD7A4)


@pytest.mark.models
@pytest.mark.parametrize("page", PAGES)
def test_a_korean_page_has_no_english_sentence(open_page: Open, page: str):
    app = open_page(page, "ko")
    typed = parts(each.value for each in app.text_area)
    said = list(told(app))
    assert any(ord(sign) in HANGUL for text in said for sign in text)
    assert {text: found for text in said if (found := english(text, typed))} == {}
    ours = {english for english, korean in catalogue("ko").items() if english != korean}
    assert [text for text in said if " " in text.strip() and text.strip() in ours] == []
    assert [label for label in labels(app) if label in ours] == []


@pytest.mark.models
@pytest.mark.parametrize(
    ("page", "part", "first"),
    [("loss", "batches", "이미 있는 값에 더합니다"), ("transformer", "memory", "(S, S)  True = 보지 못함")],
)
def test_code_on_a_korean_page_has_korean_comments(open_page: Open, page: str, part: str, first: str):
    app = open_page(page, "ko", {"accumulation": True}, part=part, model="google-t5/t5-small")
    [code] = [each.value for each in app.code if each.language == "python"]
    found = list(comments(code))
    assert found[0] == first
    assert all(any(ord(sign) in HANGUL for sign in comment) for comment in found)


@pytest.mark.models
def test_an_english_page_is_seen_through(open_page: Open):
    app = open_page("masks", "en")
    said = set(told(app))
    # A field, a picture, a sentence under it, a hover.
    wanted = {"Padding tokens", "queries: look ↓", "Click a cell: it says why it is open or closed.", "closed"}
    assert wanted <= said
    assert "Padding tokens" in set(labels(app))
    assert len([text for text in said if english(text)]) > 10


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Click a cell: it says why.", ["Click a cell", "it says why"]),
        ("교사 강요(teacher forcing in training)입니다.", []),
        ("모델 google-bert/bert-base-uncased 를 엽니다", []),
        ("답은 the cat sat on the mat", []),
        ("손실 loss over the steps", ["loss over the steps"]),
        ("BERT, GPT, T5", []),
        ("`st.columns of many words`", []),
    ],
)
def test_a_sentence_is_told_from_names_terms_and_code(text: str, found: list[str]):
    assert english(text, ("the cat sat on the mat",)) == found
