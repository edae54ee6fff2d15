"""On the projector and on paper: presentation mode and print, where nothing that was typed is lost."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models]

TEXT = "a sentence of my own for the whole class"
COLUMNS = """(rows) => [...rows.querySelectorAll("tr.position th[scope=col]")].map((cell) => cell.innerText)"""


def test_presentation_puts_the_picture_first_and_escape_leaves_it(reader) -> None:
    reader.open("bert")
    reader.write("text", TEXT)
    sidebar, rows = reader.tab.get_by_test_id("stSidebar"), reader.tab.locator(".rows").first
    before = rows.bounding_box()["y"]
    reader.switch("large")
    expect(sidebar).to_be_hidden()
    expect(reader.field("text")).to_be_hidden()
    expect(reader.tab.locator("html")).to_have_css("font-size", "22px")
    assert rows.bounding_box()["y"] < before
    expect(reader.tab).to_have_url(re.compile("large=true"))
    reader.press("show_controls")
    expect(reader.field("text")).to_be_visible()
    reader.field("text").press("End")
    reader.field("text").press("!")
    reader.press("show_controls")
    expect(reader.field("text")).to_be_hidden()
    with reader.run():
        reader.tab.keyboard.press("Escape")
    expect(sidebar).to_be_visible()
    expect(reader.field("text")).to_have_value(f"{TEXT}!")
    expect(reader.tab.locator("html")).to_have_css("font-size", "16px")


def test_a_link_opens_presented_and_the_next_page_is_too(reader) -> None:
    reader.open("home", large="true")
    expect(reader.tab.get_by_test_id("stSidebar")).to_be_hidden()
    reader.tab.get_by_test_id("stMain").get_by_role("link", name="BERT", exact=True).click()
    reader.arrived("bert")
    expect(reader.tab.get_by_test_id("stSidebar")).to_be_hidden()
    reader.press("show_leave")
    expect(reader.tab.get_by_test_id("stSidebar")).to_be_visible()
    reader.go("masks")
    expect(reader.tab.get_by_test_id("stSidebar")).to_be_visible()


def test_on_paper_token_rows_begin_on_the_first_sheet(reader) -> None:
    """A sheet of A4 on its side has 1032 by 703 pixels within its margins."""
    reader.open("bert")
    expect(reader.part("rows").locator(".rows")).to_be_visible()
    reader.tab.set_viewport_size({"width": 1032, "height": 703})
    reader.tab.emulate_media(media="print")
    reader.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    left, right = (reader.part(key).bounding_box() for key in ("text", "text_b"))
    assert left["y"] == right["y"]
    first = reader.part("rows").locator(".rows.printed").first.bounding_box()
    assert 0 < first["y"] + first["height"] <= 703


def test_on_paper_long_rows_are_set_in_lines_and_no_column_is_lost(reader) -> None:
    reader.open("bert")
    reader.write("text", " ".join(f"word{at}" for at in range(30)))
    rows = reader.part("rows").locator(".rows")
    whole = rows.first.evaluate(COLUMNS)
    reader.tab.emulate_media(media="print")
    reader.tab.evaluate("dispatchEvent(new Event('beforeprint'))")
    lines = reader.part("rows").locator(".rows.printed")
    assert lines.count() > 1
    assert [column for line in lines.all() for column in line.evaluate(COLUMNS)] == whole
    expect(rows.first).to_be_hidden()
    for line in lines.all():
        assert line.evaluate("line => line.querySelector('table').offsetWidth <= 960")
    expect(reader.tab.get_by_test_id("stSidebar")).to_be_hidden()
    expect(reader.part("share")).to_be_hidden()
    reader.tab.evaluate("dispatchEvent(new Event('afterprint'))")
    reader.tab.emulate_media(media="screen")
    expect(lines).to_have_count(0)
    expect(rows).to_have_count(1)
    expect(rows).to_be_visible()
