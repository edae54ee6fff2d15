"""Branches, shading and running lines as data, from steps to check by hand."""

from __future__ import annotations

import math
import re

import numpy as np

from explorer.tree import EMPTY, Tree
from explorer.types import Candidate, Message, SamplingSettings, Step
from explorer.views.branches import branch, branch_tree
from explorer.views.writing import shaded
from explorer.views.written_lines import line_picture, running_lines
from explorer.whole_text import Loop, running

PLAIN = SamplingSettings()


def step(id: int, piece: str, p: float = 0.5, **more: object) -> Step:
    return Step(id, piece, piece, 1.5, p, p, 0.3, (Candidate(id, piece, p, p, rank=12),), **more)


def tree() -> Tree:
    """ "a b c" and, after a step back to "a", "a d" with d taken by hand."""
    whole = EMPTY.grown(step(1, "a"), PLAIN).grown(step(2, "b"), PLAIN).grown(step(3, "c", 0.25), PLAIN)
    return whole.back(2).grown(step(4, "d", 0.1, by_hand=True), PLAIN)


def test_each_branch_begins_where_it_parts(read):
    page = read(branch_tree(tree(), str, clickable=True))
    rows = [[cell.text for cell in cells] for _, cells in page.rows[1:]]
    # log(.5 * .5 * .25) = -2.77, log(.5 * .1) = -3.00; the shared a stands unseen before d
    assert rows == [["1", "−2.8", "a 0.50 b 0.50 c 0.25"], ["2", "−3.0", "a d 0.10"]]
    assert [kind for kind, _ in page.rows[1:]] == ["", "here"]


def test_each_token_of_the_tree_can_be_gone_to():
    html = branch_tree(tree(), str, clickable=True)
    assert re.findall(r'data-click="([^"]+)"', html) == ["node:0", "node:1", "node:2", "node:3"]
    assert re.findall(r'<b class="([^"]*)"', html) == ["on", "", "", "on end hand"]
    assert "data-click" not in branch_tree(tree(), str)


def test_one_branch_beside_another():
    html = branch(tree().steps(2), 1, str)
    assert re.findall(r'<b class="(\w+)"[^>]*>(\w)', html) == [("shared", "a"), ("own", "b"), ("own", "c")]
    # log(.0625) = -2.77, of b and c alone log(.125) = -2.08; 8 to the power 1/2
    assert re.findall(r"<li><b>([^<]+)</b>", html) == ["−2.8", "−2.1", "2.8"]
    assert re.findall(r"<li><b>([^<]+)</b>", branch(tree().steps(2), 3, str)) == ["−2.8", "0.0", "–"]


def test_shades():
    steps = [step(1, "a", 0.25), step(2, "b", 0.75)]

    def shown(shade: str) -> list[tuple[str, str]]:
        return re.findall(r"--v:([\d.]+).*?<small>([^<]+)<", shaded(steps, str, shade, 100), re.DOTALL)

    assert shown("probability") == [("0.750", "0.25"), ("0.250", "0.75")]
    assert shown("rank") == [(f"{math.log(12) / math.log(100):.3f}", "12")] * 2
    assert shown("entropy") == [(f"{1.5 / math.log(100):.3f}", "1.5")] * 2


def test_loops_and_tokens_taken_by_hand_are_marked():
    steps = [step(1, "a"), step(2, "b", by_hand=True), step(3, "c")]
    html = shaded(steps, str, "probability", 100, [Loop(1, 1, 2)])
    assert re.findall(r'<li class="(told[^"]*)"', html) == ["told", "told hand again", "told again"]
    assert "taken by hand" in html
    assert "no step yet" in shaded([], str, "rank", 100)


def test_running_lines():
    html = running_lines(running([step(1, "a", 0.5), step(2, "b", 0.125)]), str)
    assert re.findall(r"<span>([^<]+)</span>", html) == ["−0.7", "−2.8", "1", "2", "4.0", "2.0", "1", "2"]
    assert re.findall(r'points="([^"]+)"', html) == ["0.0,4.0 600.0,116.0", "0.0,116.0 600.0,4.0"]


def test_what_is_no_number_is_left_out_of_a_line():
    html = line_picture({"on": np.array([1.0, np.inf, 3.0]), "off": np.array([2.0])}, Message("ms"), str)
    assert re.findall(r'points="([^"]+)"', html) == ["0.0,116.0 600.0,4.0", "0.0,60.0 8,60.0"]
    assert re.findall(r'<li class="(l\d)">(\w+)', html) == [("l0", "on"), ("l1", "off")]


def test_hostile_pieces_are_shown_literally(read, hostile):
    grown = EMPTY
    for id, piece in enumerate(hostile.output.visible):
        grown = grown.grown(step(id, piece), PLAIN)
    html = branch_tree(grown, str) + branch(grown.steps(), 0, str) + shaded(grown.steps(), str, "rank", 100)
    page = read(html)
    assert not {tag for tag, _ in page.tags} & {"img", "script"}
