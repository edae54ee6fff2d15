"""Every page stands by itself: a link from outside opens it, in the language of the browser or of the link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from explorer.ui.frame import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.models]

HANGUL = re.compile("[가-힣]")
PICTURES = {
    "home": ".family .mini",
    "tokens": ".chips li",
    "masks": ".matrix tbody td",
    "attention": ".matrix tbody td, .st-key-use_other, .st-key-fetch",
    "generate": ".written li",
    "loss": ".worked td",
}
"""The main picture of a page, or the way to weights that it needs; every other page has token rows."""


@pytest.mark.parametrize("language", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_a_cold_link_opens_the_page(reader, page) -> None:
    reader.open(page)
    expect(reader.tab.locator(PICTURES.get(page, ".rows tr.input td")).first).to_be_visible()
    assert bool(HANGUL.search(reader.tab.locator(".question").inner_text())) == (reader.language == "ko")
    expect(reader.part("lang_shown").get_by_role("radio", checked=True)).to_have_text(
        {"en": "English", "ko": "한국어"}[reader.language]
    )


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
