"""The beam tree, ways side by side and counted draws as data."""

from __future__ import annotations

import re

from explorer.beam import Continuation, Hypothesis
from explorer.strategies import Drawn, Strategy, Written
from explorer.types import Candidate, Message, Step
from explorer.views.beams import beam_tree, finished_table
from explorer.views.strategies import count_bars, ways

PIECES = ["a", "b", "<i>", "a·very·long·piece"]


def tree() -> str:
    first = (Continuation((0,), -0.5, -0.5, 0, "open"), Continuation((1,), -1.0, -1.0, 0, "open"))
    second = (
        Continuation((1, 2), -1.5, -0.75, 1, "finished"),
        Continuation((0, 3), -2.0, -1.0, 0, "open"),
        Continuation((0, 1), -2.5, -1.25, 0, "pruned"),
    )
    return beam_tree([first, second], PIECES.__getitem__, str)


def test_boxes_tell_piece_sum_and_where_finished_the_score():
    told = re.findall(r'<g class="(\w+)">.*?<text [^>]*>([^<]+)</text><text class="p" [^>]*>([^<]+)</text>', tree())
    assert told == [
        ("open", "a", "−0.50"),
        ("open", "b", "−1.00"),
        ("finished", "&lt;i&gt;", "−1.50 / −0.75"),
        ("open", "a·very·long…", "−2.00"),
        ("pruned", "b", "−2.50"),
    ]


def test_lines_lead_from_the_text_that_is_gone_on_from():
    # Boxes stand 52 apart and their middles are at 22: from the second to the first, from the first to the others.
    paths = re.findall(r'<path class="(\w+)" d="M108 (\S+)C\S+ \S+ \S+ \S+ \S+ (\S+)"', tree())
    assert paths == [("finished", "74.0", "22.0"), ("open", "22.0", "74.0"), ("pruned", "22.0", "126.0")]


def test_finished_texts(read):
    page = read(finished_table([Hypothesis((1, 2), -1.5, -0.75)], ["b <i> - c"], str))
    assert [cell.text for cell in page.rows[1][1]] == ["−0.750", "−1.50", "2", "b <i> - c"]


def test_ways_side_by_side():
    step = Step(1, "<b>", "x", 1.0, 0.25, 0.5, 0.1, ())
    found = Written(Strategy(Message("Greedy"), None), (step, step), "xx", None)
    html = ways([found], str)
    assert "<h3>Greedy</h3>" in html
    assert "&lt;b&gt;" in html
    # log(1/16) = -2.77; perplexity 4
    assert "log p −2.8 · perplexity 4.0" in html


def test_counts_against_what_is_expected(read):
    counts = [Drawn(Candidate(1, "a", 0.6, 0.6), 50, 60.0), Drawn(Candidate(2, "b", 0.4, 0.4), 45, 40.0)]
    html = count_bars(counts, 100, str)
    assert re.findall(r"--v:([\d.]+)", html) == ["0.8333", "0.7500"]
    assert re.findall(r"--at:([\d.]+)", html) == ["1.0000", "0.6667"]
    assert "5 draws fell on other tokens." in html
    assert [cell.text for cell in read(html).rows[1][1]] == ["a", "", "50", "60.0"]
