"""Pictures of the loss page as text: escaped, with the numbers that the values have."""

import re

import numpy as np

from explorer.across import Reading
from explorer.averages import averages, read_batches
from explorer.by_hand import read_positions, work
from explorer.validation import Tally
from explorer.views.across import across_table
from explorer.views.averages import shares_picture
from explorer.views.by_hand import positions_table, worked_table
from explorer.views.joint import joint_picture
from explorer.views.validation import validation_figures, validation_lines


def test_each_token_has_a_row_with_every_step() -> None:
    html = worked_table(work([2.0, 1.0, 0.1], 0), ["<b>", "rug", "sofa"], str)
    assert "&lt;b&gt;" in html
    first = re.search(r'<tr class="wanted">.*?</tr>', html)
    assert re.findall(r"[\d.]{6}", re.sub(r"<[^>]+>", " ", first[0])) == [
        "2.0000",
        "0.0000",
        "1.0000",
        "0.6590",
        "1.0000",
        "0.4170",
    ]
    assert '<td class="loss">0.4170</td>' in html


def test_an_ignored_position_is_quiet_and_its_loss_a_dash() -> None:
    html = positions_table(read_positions("2 1\n0 3", "-100 1"), str)
    assert '<tr class="quiet"><th scope="row">0</th>' in html
    assert "sum 0.0486 / 1 targets" in html


def test_blocks_are_as_wide_as_their_shares() -> None:
    html = shares_picture(averages(read_batches("4 | 1 1 1 -")), str)
    assert re.findall(r'class="batch" style="--w:([\d.]+)"', html) == ["0.25000", "0.75000", "0.50000", "0.50000"]
    assert re.findall(r'<i style="--w:([\d.]+)"', html)[4:] == ["0.50000", "0.16667", "0.16667", "0.16667"]
    assert html.count('class="ignored"') == 2
    assert re.findall(r"</span><b>([\d.]+)</b>", html) == ["1.7500", "2.5000"]


def test_the_longest_bar_is_the_highest_perplexity() -> None:
    html = across_table([Reading("a<", 4, 8, 8.0), Reading("b", 8, 8)], 1.0, str)
    assert re.findall(r"--v:([\d.]+)", html) == ["1.0000", "0.5000"]
    assert "a&lt;" in html
    assert html.count("<td>–</td>") == 2


def test_the_joint_bar_has_both_parts() -> None:
    html = joint_picture(("a<",), 0.25, 3.0, 0.5, str)
    assert re.findall(r'class="(\w+)" style="--w:([\d.]+)"', html) == [("task", "0.25000"), ("language", "1.50000")]
    assert "L3 = L2 + 0.5 · L1 = 0.2500 + 0.5 · 3.0000 = 1.7500" in html
    assert "a&lt;" in html


def test_the_running_means_are_lines() -> None:
    tally = Tally().add(np.array([4.0])).add(np.array([1.0, 1.0, 1.0]))
    assert "<b>1.7500</b> mean loss over all targets" in validation_figures(tally, str)
    assert validation_lines(np.array([4.0, 1.75]), np.array([4.0, 2.5]), str).count("<polyline") == 2
