"""Every page stands by itself: a link from outside opens it, in the language of the browser or of the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from explorer.ui.frame import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.models]

HANGUL = re.compile("[가-힣]")
TEXT = "the cat sat on the mat"
OWN_TEXT = {"tokens", "transformer", "bert", "gpt", "prefix_lm", "bart", "t5", "attention", "generate", "compare"}
"""Pages that show what somebody types into their first field."""
CHANGED = {
    "masks": ("length", "7"),
    "bert": ("rate", "0.40"),
    "prefix_lm": ("prefix", "2"),
    "bart": ("seed", "3"),
    "t5": ("rate", "0.30"),
    "loss": ("count", "4"),
    "exercises": ("code_shown", "mask-2-5"),
}
"""A field of some pages that gets another value before the link is made."""
PICTURES = {
    "home": ".family figcaption",
    "tokens": ".chips li",
    "masks": ".matrix tbody td",
    "attention": ".matrix tbody td, .st-key-use_other, .st-key-fetch",
    "generate": ".written li:not(.next)",
    "loss": ".worked td",
    "train": ".learned li",
    "exercises": ".exercise",
    "compare": ".rows td, .side-by-side td",
    "status": ".house td",
}
"""The cells of a page's main picture, or the way to weights that it needs; every other page has token rows."""

ROWS = ".rows tr:not(.losses) td"
"""Losses come later than the other rows."""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_shared_link_gives_the_same_page_in_another_browser(reader, other_reader) -> None:
    """The link is copied in one browser and opened, cold, in a browser of the other language."""
    reader.open("home", lang=reader.language)
    for page in PAGES:
        if page != "home":
            reader.go(page)
        if page in OWN_TEXT and reader.field("text").input_value() != TEXT:
            reader.write("text", TEXT)
        if page in CHANGED:
            reader.write(*CHANGED[page])
        drawn = reader.tab.locator(PICTURES.get(page, ROWS))
        expect(drawn.first).to_be_visible()
        cells = drawn.all_inner_texts()
        other_reader.visit(reader.link(), page)
        expect(other_reader.tab.locator(PICTURES.get(page, ROWS))).to_have_text(cells, use_inner_text=True)
        asked = other_reader.tab.locator(".question")
        expect(asked).to_have_text(reader.tab.locator(".question").inner_text(), use_inner_text=True)
        assert bool(HANGUL.search(asked.inner_text())) == (reader.language == "ko")
        expect(other_reader.part("lang_shown").get_by_role("radio", checked=True)).to_have_text(
            {"en": "English", "ko": "한국어"}[reader.language]
        )


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_link_without_a_language_opens_in_the_browsers(reader) -> None:
    reader.open("masks")
    assert bool(HANGUL.search(reader.tab.locator(".question").inner_text())) == (reader.language == "ko")


def test_a_link_with_a_long_text_brings_all_of_it(reader, other_reader) -> None:
    text = "나는 어제 학교에 갔습니다. " * 200
    reader.open("bert", rate=0.4)
    reader.write("text", text)
    other_reader.language = "en"
    other_reader.visit(reader.link(), "bert")
    expect(other_reader.field("text")).to_have_value(text)
    expect(other_reader.field("rate")).to_have_value("0.40")
    cells = reader.row("input").all_inner_texts()
    expect(other_reader.row("input")).to_have_text(cells, use_inner_text=True)


def test_the_link_decides_the_language(reader) -> None:
    reader.language = "ko"
    reader.open("masks", lang="ko")
    expect(reader.tab.locator(".question")).to_have_text(HANGUL)


def test_the_language_of_a_link_follows_to_the_next_pages(reader) -> None:
    reader.language = "ko"
    reader.open("masks", lang="ko")
    for page in ("bert", "home", "masks"):
        reader.go(page)
        expect(reader.tab.locator(".question")).to_have_text(HANGUL)
    reader.choose("lang_shown", "English")
    reader.language = "en"
    reader.go("tokens")


def test_an_unknown_language_is_the_browsers(reader) -> None:
    reader.open("masks", lang="xx")
    expect(reader.part("lang_shown").get_by_role("radio", checked=True)).to_have_text("English")


def test_three_clicks_from_home_to_the_own_sentence_on_bert(reader) -> None:
    reader.open("home")
    reader.tab.get_by_test_id("stMain").get_by_role("link", name="BERT", exact=True).click()
    reader.arrived("bert")
    reader.field("text").click()
    reader.field("text").fill("a sentence of my own")
    with reader.run():
        reader.tab.locator("h1").click()
    for word in ("a", "sentence", "of", "my", "own"):
        expect(reader.part("rows").get_by_text(word, exact=True).first).to_be_visible()
