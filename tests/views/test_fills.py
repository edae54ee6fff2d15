"""Gaps being filled as a table of passes."""

from __future__ import annotations

from explorer.filling import Fill
from explorer.types import Candidate
from explorer.views.fills import fill_table


def test_a_row_for_each_pass(read):
    one = (Candidate(5, "<b>", 0.75, 0.75), Candidate(6, "x", 0.25, 0.25))
    fills = [Fill(3, 5, "<b>", 0.75, one, 1), Fill(1, 6, "x", 0.5, one, 2)]
    page = read(fill_table(["a", "[MASK]", "c", "[MASK]"], [1, 3], fills, str))
    assert [[cell.text for cell in cells] for _, cells in page.rows] == [
        ["pass", "0", "1", "2", "3"],
        ["0", "a", "▢", "c", "▢"],
        ["1", "a", "▢", "c", "<b> 0.75"],
        ["2", "a", "x 0.50", "c", "<b>"],
    ]
    assert [cell.attributes.get("class") for cell in page.rows[3][1]] == [None, None, "new", None, None]
    assert page.rows[2][1][4].attributes["title"] == "<b>  0.750\nx  0.250"
