"""Exercises in the browser: with the mouse, quick clicks and all, with the keyboard alone, from a shared address."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.test_clicking import FOCUSED

pytestmark = [pytest.mark.browser, pytest.mark.models]


def part(reader, mark: str) -> Locator:
    """Something on the sheet that can be clicked."""
    return reader.part("sheet").locator(f'[data-click="{mark}"]')


def test_quick_clicks_all_count_and_a_wrong_cell_is_explained(reader) -> None:
    reader.open("exercises", code="loss-2-2")
    for at in (11, 12, 13, 14):
        part(reader, f"cell:0:{at}").click()
    for at in (11, 12, 13, 14):
        expect(part(reader, f"cell:0:{at}")).to_have_attribute("aria-pressed", "true")
    reader.press("check")
    expect(reader.told()).to_have_text(re.compile(r"14\s+of\s+15"))
    [reason] = reader.part("sheet").locator(".why li").all()
    expect(reason).to_have_text(re.compile("^output 14.*nothing follows the last position"))
    part(reader, "cell:0:14").click()
    expect(part(reader, "cell:0:14")).to_have_attribute("aria-pressed", "false")
    reader.press("check")
    expect(reader.told()).to_have_text(re.compile(r"15\s+of\s+15"))


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_keyboard_alone_does_an_exercise(reader) -> None:
    reader.open("exercises", code="stages-1-1")
    # The tab key passes over what is not drawn yet.
    for mark in ("cell:0:0", "put:0:temperature"):
        expect(part(reader, mark)).to_be_visible()
    reader.field("code_shown").focus()
    keyboard = reader.tab.keyboard
    tab_to(reader, "cell:0:0")
    tab_to(reader, "put:0:temperature")
    keyboard.press("Enter")
    expect(part(reader, "cell:1:0")).to_have_attribute("aria-current", "true")
    assert reader.tab.evaluate(FOCUSED) == "put:0:temperature"
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(part(reader, "cell:1:0")).to_have_text(re.compile("top-p"))
    for _ in range(5):
        if "st-key-check" in reader.tab.evaluate(
            "() => document.activeElement.closest('[class*=st-key-]')?.className ?? ''"
        ):
            break
        keyboard.press("Tab")
    with reader.run():
        keyboard.press("Enter")
    expect(reader.told()).to_have_text(re.compile(r"2\D+2"))


def tab_to(reader, mark: str) -> None:
    for _ in range(20):
        if reader.tab.evaluate(FOCUSED) == mark:
            return
        reader.tab.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {mark}")


def test_arrows_walk_over_the_cells_of_a_mask(reader) -> None:
    reader.open("exercises", code="mask-1-3")
    part(reader, "cell:0:0").focus()
    for key in ("Enter", "ArrowDown", "Enter", "ArrowRight", "Enter"):
        reader.tab.keyboard.press(key)
    for row, column in ((0, 0), (1, 0), (1, 1)):
        expect(part(reader, f"cell:{row}:{column}")).to_have_class(re.compile(r"\bopen\b"))
    expect(part(reader, "cell:2:0")).to_have_class(re.compile(r"\bclosed\b"))


def test_the_address_holds_the_exercise(reader) -> None:
    reader.open("exercises")
    reader.write("code_shown", "output-2-8")
    expect(reader.tab).to_have_url(re.compile(r"code=output-2-8"))
    asked = reader.tab.locator("h2").first.inner_text()
    reader.open("exercises", code="output-2-8")
    expect(reader.tab.locator("h2").first).to_have_text(asked)


ROOM = """(cell) => {
  const sign = getComputedStyle(cell, "::after"), top = cell.getBoundingClientRect().top;
  return cell.querySelector("b").getBoundingClientRect().top - top - parseFloat(sign.top) - parseFloat(sign.fontSize);
}"""


def test_the_sign_of_a_marked_cell_does_not_lie_on_its_piece(reader) -> None:
    reader.open("exercises", code="output-2-8")
    part(reader, "put:0:-100").or_(part(reader, "put:1:-100")).first.click()
    reader.press("check")
    cells = reader.part("sheet").locator(".rows :is(.right, .wrong)")
    expect(cells.first).to_be_visible()
    assert [cell.evaluate(ROOM) >= 0 for cell in cells.all()] == [True] * cells.count()


def test_in_presentation_the_sheet_comes_first(reader) -> None:
    reader.tab.set_viewport_size({"width": 1440, "height": 900})
    reader.open("exercises", code="mask-2-17", large="true")
    expect(reader.field("code_shown")).to_be_hidden()
    assert part(reader, "cell:3:3").bounding_box()["y"] < 860
    buttons = [reader.tab.locator(f".st-key-{key} button").first for key in ("show_controls", "show_leave", "share")]
    assert len({round(button.bounding_box()["y"]) for button in buttons}) == 1
    reader.press("show_controls")
    expect(reader.field("code_shown")).to_be_visible()
