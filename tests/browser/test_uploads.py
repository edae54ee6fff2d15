"""Files that are no data: too large, no text, another encoding. All is told in words, and the page goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

pytestmark = [pytest.mark.browser, pytest.mark.models]

TITLE = "From raw data to a batch"
LARGE = "The file {name} has {size:.1f} MB; its first {limit:.0f} MB are read."
NO_TEXT = "The file {name} is no text. Upload a plain text file, such as .txt, .csv or .jsonl."
OLD = "The file {name} is not UTF-8. It was read as CP949; save it as UTF-8 to be sure."


@pytest.mark.parametrize("language", ["ko"])
def test_files_that_are_no_data_are_told(reader, tmp_path: Path) -> None:
    (tmp_path / "large.jsonl").write_bytes(b'{"text": "a cat"}\n' * 2_800_000)
    (tmp_path / "picture.txt").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    (tmp_path / "old.csv").write_bytes("text\n안녕하세요\n".encode("cp949"))
    reader.open("t5")
    reader.unfold(TITLE)
    told = reader.tab.get_by_test_id("stAlert")
    for name, words in (("large.jsonl", LARGE), ("picture.txt", NO_TEXT), ("old.csv", OLD)):
        reader.tab.locator("input[type=file]").set_input_files(tmp_path / name)
        given = {"name": name, "size": 50.4, "limit": 8.0}
        expect(told.filter(has_text=reader.say(words).format(**given))).to_be_visible()
    expect(reader.tab.locator(".xp.plans")).to_be_visible()
