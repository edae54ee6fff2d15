"""Input that cannot be used: a sentence in the page's language, the input kept, no traceback."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models]
both = pytest.mark.parametrize("language", ["en", "ko"])
korean = pytest.mark.parametrize("language", ["ko"])

HANGUL = re.compile("[가-힣]")
NO_TEXT = "There is no text. Type a sentence to see what the model is fed."
TOO_LONG = "The text has {count} characters; the page reads the first {limit} of them."
HALF = "The text holds {sign}, which stands for half a character (a lone surrogate) or for bytes that are no text."
NO_JSON = "The messages are not valid JSON: line {line}, column {column}: {problem}."
TYPE_HALF = r"""field => {
  const write = Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, "value").set;
  write.call(field, "bad \ud83d x");
  field.dispatchEvent(new Event("input", { bubbles: true }));
}"""
"""No keyboard writes half a character, but a clipboard may."""


@both
def test_no_text(reader) -> None:
    reader.open("bert")
    for text in ("", "  \n "):
        reader.write("text", text)
        expect(reader.told()).to_have_text(reader.say(NO_TEXT))
        expect(reader.field("text")).to_have_value(text)
    reader.go("t5")
    expect(reader.told()).to_have_text(reader.say(NO_TEXT))


@korean
def test_a_hundred_thousand_characters(reader) -> None:
    text = "word " * 20_000
    reader.open("bert")
    reader.write("text", text)
    told = reader.say(TOO_LONG).format(count=len(text), limit=20_000)
    expect(reader.told().filter(has_text=told)).to_have_count(1)
    expect(reader.row("input")).to_have_count(512)
    expect(reader.field("text")).to_have_value(text)
    reader.write("text", "short again")
    expect(reader.row("input")).to_have_count(4)


@korean
def test_half_a_character(reader) -> None:
    reader.open("gpt")
    reader.field("text").evaluate(TYPE_HALF)
    reader.hand_in("text")
    expect(reader.told()).to_have_text(reader.say(HALF).format(sign="\ufffd"))
    expect(reader.field("text")).to_have_value("bad \ufffd x")
    expect(reader.row("input").locator("b").last).to_have_text("·x")


def test_half_a_character_in_the_address(reader) -> None:
    reader.visit(f"{reader.url}/gpt?text=bad%20%ED%A0%BD%20x", "gpt")
    expect(reader.told()).to_have_text(HALF.format(sign="\ufffd"))
    expect(reader.row("input").locator("b").last).to_have_text("·x")


@both
def test_broken_chat_json(reader) -> None:
    reader.open("sft")
    reader.unfold("Or messages, as JSON")
    broken = '[{"role": "user", "content": }]'
    reader.write("messages", broken)
    expect(reader.told()).to_have_text(
        reader.say(NO_JSON).format(line=1, column=30, problem="Expecting value"), use_inner_text=True
    )
    expect(reader.field("messages")).to_have_value(broken)
    expect(reader.field("messages")).to_be_visible()


@korean
def test_an_unknown_model(reader) -> None:
    reader.open("bert", text="the cat")
    for name in ("no/such model <b>", "nobody/nothing"):
        reader.write("model", name)
        expect(reader.told()).to_contain_text(name)
        expect(reader.told()).to_contain_text(HANGUL)
        expect(reader.field("model")).to_have_value(name)
        expect(reader.field("text")).to_have_value("the cat")
    reader.press("use_other")
    expect(reader.told()).to_have_count(0)
    expect(reader.field("text")).to_have_value("the cat")
    expect(reader.row("input").first).to_be_visible()
