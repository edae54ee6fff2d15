"""Beside the picture of a head: its figures, and bars of what is looked at most."""

from __future__ import annotations

import re

import numpy as np

from explorer.looking import head_figures
from explorer.types import Message
from explorer.views.grid import Axes
from explorer.views.heads import head_line, one_head, seen_bars
from explorer.views.tables import weights_table

CAUSAL = np.tril(np.ones((2, 2), dtype=bool))
WEIGHTS = np.array([[[[1.0, 0.0], [0.25, 0.75]]]], dtype=np.float32)
AXES = Axes(("a", "<b>"), ("a", "<b>"))


def plain(html: str) -> str:
    return re.sub(r"<[^>]+>", "", html)


def test_figures_are_measured_sums_the_largest_pair_and_the_entropy():
    line = head_line((head_figures(WEIGHTS[0, 0], CAUSAL), AXES), str)
    assert plain(line) == (
        "1.0000 sum of each row1.000 largest weight (0 a → 0 a)0.28 mean entropy, in nats (spread evenly: 0.35)"
    )


def test_sums_that_differ_are_both_told():
    off = WEIGHTS[0, 0] * np.array([[1.0], [1.5]], dtype=np.float32)
    line = head_line((head_figures(off, CAUSAL), AXES), str)
    assert "<b>1.0000 – 1.5000</b>" in line
    assert "(1 &lt;b&gt; → 1 &lt;b&gt;)" in line


def test_dashes_while_the_weights_are_awaited():
    assert plain(head_line(None, str)) == "– sum of each row– largest weight– mean entropy, in nats"


def test_bars_largest_first_and_the_rest_together(read):
    row = np.array([0.02, 0.4, 0.05, 0.1, 0.03, 0.3, 0.1])
    page = read(seen_bars(row, ["a", "b", "c", "a", "d", "<i>", "b"], Message("looks at"), str))
    assert [[cell.text for cell in cells] for _, cells in page.rows] == [
        ["1", "b", "", "0.400"],
        ["5", "<i>", "", "0.300"],
        ["3", "a", "", "0.100"],
        ["6", "b", "", "0.100"],
        ["2", "c", "", "0.050"],
        ["", "all 2 others", "", "0.050"],
    ]
    assert page.kinds == [""] * 5 + ["rest"]
    assert page.rows[0][1][2].inside[0]["style"] == "--v:0.4000"


def test_few_keys_have_no_rest(read):
    page = read(seen_bars(np.array([0.5, 0.5]), ["a", "a"], Message("looks at"), str))
    assert [cells[1].text for _, cells in page.rows] == ["a", "a"]


def test_the_picture_knows_how_many_keys_share_its_room():
    assert one_head("<p></p>", 7) == '<div class="xp one-head" style="--keys:7"><p></p></div>'


def test_the_table_has_a_row_for_each_pair_and_keeps_equal_tokens_apart():
    table = weights_table(WEIGHTS[0, 0], Axes(("a", "a"), ("a", "a")), str, CAUSAL)
    assert table.to_numpy().tolist() == [
        [0, "a", 0, "a", 1.0, True],
        [0, "a", 1, "a", 0.0, False],
        [1, "a", 0, "a", 0.25, True],
        [1, "a", 1, "a", 0.75, True],
    ]
    assert [str(kind) for kind in table.dtypes][4:] == ["float64", "bool"]
