"""Clicks and keys on the pictures: tokens change sides, cells tell why they are open or closed."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models]

MASKED = re.compile(r"\[MASK\]")
FOCUSED = "() => document.activeElement.shadowRoot?.activeElement?.dataset.click ?? ''"
"""The part of a picture that holds the focus."""


def expect_targets(reader, *positions: int) -> None:
    """These positions have a loss, and no others."""
    count = reader.row("input").count()
    expect(reader.row("compared")).to_have_text([re.compile("." if t in positions else "^$") for t in range(count)])


def test_a_click_on_a_token_masks_it_and_another_brings_it_back(reader) -> None:
    reader.open("bert", model="google-bert/bert-base-uncased")
    expect_targets(reader, 2, 3, 12)
    with reader.run():
        reader.token(7).click()
    expect(reader.token(7)).to_have_text(MASKED)
    expect_targets(reader, 2, 3, 7, 12)
    expect(reader.tab).to_have_url(re.compile(r"select=2%2C3%2C7%2C12"))
    with reader.run():
        reader.token(7).click()
    expect(reader.token(7)).to_have_text(re.compile("likes"))
    expect_targets(reader, 2, 3, 12)
    # A special token is never masked.
    with reader.run():
        reader.token(0).click()
    expect_targets(reader, 2, 3, 12)


def test_the_keyboard_reaches_a_token_and_enter_masks_it(reader) -> None:
    reader.open("bert")
    reader.field("text").focus()
    for _ in range(40):
        reader.tab.keyboard.press("Tab")
        if reader.tab.evaluate(FOCUSED) == "pos:1":
            break
    assert reader.tab.evaluate(FOCUSED) == "pos:1"
    with reader.run():
        reader.tab.keyboard.press("Enter")
    expect(reader.token(1)).to_have_text(MASKED)
    assert reader.tab.evaluate(FOCUSED) == "pos:1"


@pytest.mark.parametrize(
    ("language", "page", "picture"), [("ko", "bert", "mask_cell"), ("en", "gpt", "mask_cell"), ("ko", "masks", "cell")]
)
def test_a_click_on_a_cell_tells_why(reader, page, picture) -> None:
    reader.open(page)
    reason = reader.cell(picture, 1, 3).get_attribute("title").splitlines()[1]
    expect(reader.tab.get_by_text(reason, exact=True)).to_have_count(0)
    with reader.run():
        reader.cell(picture, 1, 3).click()
    expect(reader.tab.get_by_test_id("stMarkdownContainer").filter(has_text=reason)).to_be_visible()
    expect(reader.cell(picture, 1, 3)).to_have_attribute("aria-selected", "true")


def test_arrow_keys_walk_over_the_mask(reader) -> None:
    reader.open("masks")
    reader.cell("cell", 0, 0).focus()
    for key in ("ArrowDown", "ArrowRight", "ArrowRight"):
        reader.tab.keyboard.press(key)
    assert reader.tab.evaluate(FOCUSED) == "cell:1:2"
    with reader.run():
        reader.tab.keyboard.press("Enter")
    expect(reader.cell("cell", 1, 2)).to_have_attribute("aria-selected", "true")


def test_arrow_keys_walk_over_tokens_and_over_a_mask_too_large_for_cells(reader) -> None:
    reader.open("bert")
    reader.token(2).focus()
    for key in ("ArrowRight", "ArrowRight", "ArrowLeft"):
        reader.tab.keyboard.press(key)
    assert reader.tab.evaluate(FOCUSED) == "pos:3"
    reader.write("text", "the cat sat on the mat " * 14)
    layers = reader.part("mask_cell").locator(".layers")
    layers.focus()
    for key in ("ArrowDown", "ArrowDown", "ArrowRight", "ArrowUp"):
        reader.tab.keyboard.press(key)
    expect(reader.part("mask_cell").locator("[aria-live]")).to_have_text(re.compile("^1 .* → 1 "))
    with reader.run():
        reader.tab.keyboard.press("Enter")
    assert layers.evaluate("layers => layers === layers.getRootNode().activeElement")
    reader.tab.keyboard.press("ArrowDown")
    expect(reader.part("mask_cell").locator("[aria-live]")).to_have_text(re.compile("^2 .* → 1 "))
