"""On a phone only the boxes made for it scroll sideways; columns stay in line; all is legible, dark or light."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from explorer.ui.frame import PAGES

pytestmark = [pytest.mark.browser, pytest.mark.models]

LONG = "The quick brown fox jumps over the lazy dog; 나는 학교에 갑니다. \N{SLICE OF PIZZA} " * 12
OVERHANG = """() => Math.max(
  document.documentElement.scrollWidth - innerWidth,
  ...[...document.querySelectorAll("[data-testid=stMain]")].map((box) => box.scrollWidth - box.clientWidth),
)"""
"""Pixels by which the page is wider than the screen."""

EDGES = """(table) => [...table.rows]
  .filter((row) => row.cells.length === table.rows[0].cells.length)
  .map((row) => [...row.cells].slice(1).map((cell) => cell.getBoundingClientRect()))
  .map((boxes) => boxes.map(({ left, width }) => [left, width]))"""
"""Left edge and width of each cell, row by row, without the names of the rows."""

CONTRAST = """(part) => {
  const brush = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });
  const light = (colours) => {
    for (const colour of colours) { brush.fillStyle = colour; brush.fillRect(0, 0, 1, 1); }
    const [r, g, b] = [...brush.getImageData(0, 0, 1, 1).data]
      .map((c) => c / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const grounds = [];
  for (let at = part; at; at = at.parentElement ?? at.getRootNode().host) {
    grounds.unshift(getComputedStyle(at).backgroundColor);
  }
  const [low, high] = [light(grounds), light([...grounds, getComputedStyle(part).color])].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
}"""
"""Contrast of a part's text with what is painted behind it, as WCAG 2 defines it."""

TEXTS = [
    "h1",
    ".question",
    "[data-testid=stSidebar] a p",
    "[data-testid=stSidebar] .group",
    ".st-key-text label p",
    ".st-key-text textarea",
    ".st-key-rate input",
    ".rows tr.position th[scope=col]",
    ".rows tr.input th",
    ".rows tr.input td.r-kept b",
    ".rows tr.input td.r-masked b",
    ".rows tr.input td.r-special b",
    ".rows td.label b",
    ".rows td.label i",
    ".legend li",
    ".figures li",
    ".matrix th[scope=row]",
    "[data-testid=stExpander] summary p",
    "[data-testid=stExpander] li",
]


def test_nothing_is_wider_than_a_phone(reader) -> None:
    reader.open("home")
    for page in PAGES:
        if page != "home":
            reader.go(page)
        reader.tab.set_viewport_size({"width": 390, "height": 800})
        # Tables that are drawn on a canvas follow the screen a moment later.
        reader.tab.wait_for_function(f"({OVERHANG})() <= 0")
        reader.tab.set_viewport_size({"width": 1280, "height": 900})


def test_long_rows_scroll_in_their_own_box(reader) -> None:
    reader.tab.set_viewport_size({"width": 390, "height": 800})
    reader.open("t5")
    boxes = reader.tab.locator(".rows")
    expect(boxes).to_have_count(2)
    for box in boxes.all():
        assert box.evaluate(
            "box => box.scrollWidth > box.clientWidth && box.getBoundingClientRect().right <= innerWidth"
        )
        name = box.locator("th[scope=row]").first
        before = name.bounding_box()["x"]
        box.evaluate("box => { box.scrollLeft = 200; }")
        # The names stay in sight; only the gap between two cells goes.
        assert name.bounding_box()["x"] == pytest.approx(before, abs=4)


def test_the_cells_of_a_column_stand_in_line(reader) -> None:
    reader.open("bert", text=LONG)
    for page, tables in (("bert", 1), ("gpt", 1), ("bart", 2)):
        if page != "bert":
            reader.go(page)
        expect(reader.field("text")).to_have_value(LONG)
        expect(reader.tab.locator(".rows table")).to_have_count(tables)
        for table in reader.tab.locator(".rows table").all():
            edges = table.evaluate(EDGES)
            assert len(edges) >= 2
            assert len(edges[0]) > 100
            for row in edges[1:]:
                assert row == [pytest.approx(edge, abs=0.5) for edge in edges[0]]


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_all_is_legible(reader, theme) -> None:
    reader.tab.emulate_media(color_scheme=theme)
    reader.open("bert")
    dark = reader.tab.locator("[data-testid=stApp]").evaluate("app => getComputedStyle(app).backgroundColor")
    assert dark == {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 19, 25)"}[theme]
    contrasts = {text: reader.tab.locator(text).first.evaluate(CONTRAST) for text in TEXTS}
    assert {text: ratio for text, ratio in contrasts.items() if ratio < 4.5} == {}
