"""Whatever a person types is shown as it is: as no markup, no formula, no script."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from explorer.objectives import objectives

pytestmark = [pytest.mark.browser, pytest.mark.models]

TEXT = '<img src=x onerror=alert(1)> $5 and $6 **b** _x_ " onmouseover="alert(2)'
PAGES = ["bert", *sorted({item.page for item in objectives().values()} - {"bert"}), "tokens", "attention", "generate"]
BROKEN_OUT = 'img[src=x], [onerror], [onmouseover], .katex, strong:text-is("b"), em:text-is("x"), b b'
"""What the text would make of itself if it were taken for markup."""
MARKS = re.compile(r"[·▁\s]|##|<mask>|<s>|</s>")


def pieces(reader) -> str:
    """All that the pieces on the page spell, without white space and marks of the vocabulary."""
    found = reader.tab.locator(".rows b, .chips b, .written b, .matrix tbody th")
    expect(found.first).to_be_visible()
    # A row of a matrix is named by its position and its piece.
    return MARKS.sub("", "".join(re.sub(r"^\d+ ", "", piece) for piece in found.all_inner_texts())).lower()


@pytest.mark.parametrize("language", ["en", "ko"])
def test_a_text_is_shown_literally_on_every_page(reader) -> None:
    reader.open("bert", rate=0)
    reader.write("text", TEXT)
    for page in PAGES:
        if page != "bert":
            reader.go(page)
        expect(reader.field("text")).to_have_value(TEXT)
        spelled = pieces(reader)
        # The vocabulary of T5 has no "<", and span corruption cuts the text up.
        assert page in ("t5", "transformer") or MARKS.sub("", TEXT) in spelled
        for other in ("text_b", "target"):
            if reader.part(other).count():
                reader.write(other, TEXT)
        expect(reader.tab.locator(BROKEN_OUT)).to_have_count(0)
