"""What is typed shows at once, stays when the language or the page changes, and can be sent on as a link."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models]
both = pytest.mark.parametrize("language", ["en", "ko"])

TEXT = "the cat sat on the mat"
PUBLISHED = "google-bert/bert-base-uncased"


@both
def test_typing_changes_rows_and_mask(reader) -> None:
    reader.open("gpt", model="openai-community/gpt2", text="the cat")
    expect(reader.row("input").locator("b")).to_have_text(["the", "·cat"])
    expect(reader.part("mask_cell").locator("td.open")).to_have_count(3)
    reader.write("text", "the cat sat on")
    expect(reader.row("input").locator("b")).to_have_text(["the", "·cat", "·sat", "·on"])
    expect(reader.row("compared").locator("b")).to_have_text(["·cat", "·sat", "·on"])
    expect(reader.part("mask_cell").locator("td.open")).to_have_count(10)


def test_another_setting_is_another_example(reader) -> None:
    reader.open("bert", text=TEXT, rate=0)
    expect(reader.row("input").get_by_text("[MASK]")).to_have_count(0)
    reader.write("rate", "1")
    expect(reader.row("compared").locator("b")).to_have_text(TEXT.split())


def test_a_ready_example_fills_all_fields(reader) -> None:
    reader.open("bert", model=PUBLISHED)
    reader.choose("example", "Sentence pair")
    expect(reader.field("text_b")).to_have_value("he likes to play")
    expect(reader.row("compared").locator("b")).to_have_text(["hairy", "play"])


def test_the_other_language_keeps_text_and_settings(reader) -> None:
    reader.open("bert")
    reader.write("text", TEXT)
    reader.write("rate", "0.4")
    reader.write("seed", "5")
    reader.switch("whole_word")
    pieces = reader.row("input").all_inner_texts()
    question = reader.tab.locator(".question").inner_text()
    for name in ("한국어", "English"):
        reader.choose("lang_shown", name)
        expect(reader.field("text")).to_have_value(TEXT)
        expect(reader.field("rate")).to_have_value("0.40")
        expect(reader.field("seed")).to_have_value("5")
        expect(reader.field("whole_word")).to_be_checked()
        expect(reader.row("input")).to_have_text(pieces, use_inner_text=True)
        assert (reader.tab.locator(".question").inner_text() == question) == (name == "English")


@both
def test_a_page_that_one_returns_to_is_as_one_left_it(reader) -> None:
    reader.open("bert")
    reader.write("text", TEXT)
    reader.write("rate", "0.4")
    reader.switch("is_next")
    reader.go("masks")
    reader.write("length", "7")
    reader.go("bert")
    expect(reader.field("text")).to_have_value(TEXT)
    expect(reader.field("rate")).to_have_value("0.40")
    expect(reader.field("is_next")).not_to_be_checked()
    reader.go("masks")
    expect(reader.field("length")).to_have_value("7")
    reader.go("gpt")
    expect(reader.field("text")).to_have_value(TEXT)


def test_the_address_holds_text_and_settings(reader) -> None:
    reader.open("bert", text=TEXT, select="2,6", rate=0.5)
    expect(reader.field("rate")).to_have_value("0.50")
    expect(reader.row("input").locator("b")).to_have_text(
        ["[CLS]", "the", "[MASK]", "sat", "on", "the", "[MASK]", "[SEP]"]
    )
    reader.write("text", "the dog")
    reader.write("rate", "1")
    expect(reader.tab).to_have_url(re.compile(r"rate=1(&|$)"))
    sent_on = reader.tab.url
    pieces = reader.row("input").all_inner_texts()
    reader.visit(sent_on, "bert")
    expect(reader.field("text")).to_have_value("the dog")
    expect(reader.row("input")).to_have_text(pieces, use_inner_text=True)


@pytest.mark.parametrize(
    ("language", "page", "name", "value", "kept"),
    [
        ("ko", "bert", "rate", "7", "0.15"),
        ("en", "bert", "seed", "many", "0"),
        ("en", "masks", "length", "1000", "5"),
        ("ko", "prefix_lm", "prefix", "-4", "0"),
    ],
)
def test_a_bad_value_in_the_address_is_told_and_left_out(reader, page, name, value, kept) -> None:
    reader.open(page, **{name: value})
    told = reader.told().filter(has_text=reader.part(name).get_by_test_id("stWidgetLabel").inner_text())
    expect(told).to_contain_text(value)
    expect(told).to_contain_text(reader.say("The address of this page asked for it; the page goes on without it."))
    expect(reader.field(name)).to_have_value(kept)
