"""The pictures of a training: they keep their size, say their numbers, and show every text literally."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.learning import Curve, Dials, Look, Recorder, Sample, Snapshot
from explorer.types import Message
from explorer.views.learning import Frame, learning_curve, learning_figures, sample_table

FRAME = Frame(4.0, 3.0)
LOOK = Look(10, 2.0, 1.5, 0.25, (), Dials(0.003), {}, ended=0.5)
SEEN = Snapshot(
    100,
    12.4,
    Curve(np.array([50, 100]), np.array([5.0, 2.5])),
    Curve(np.array([100]), np.array([9.0])),
    LOOK,
    None,
    ((0, Dials(0.003)), (50, Dials(0.1))),
)
SCORE = Message("words named right")


def points(html: str) -> list[str]:
    return re.findall(r'points="([^"]*)"', html)


def test_losses_lie_between_the_top_and_0_and_larger_ones_at_the_top() -> None:
    html = learning_curve(SEEN, FRAME, str)
    assert points(html) == ["150.0,0.0 300.0,120.0", "300.0,0.0"]
    assert "training loss 2.50" in html
    assert "held-out loss 9.00" in html


def test_the_two_lines_without_learning_are_named() -> None:
    html = learning_curve(SEEN, FRAME, str)
    assert 'style="--y:20.00%"><span>even guess, ln V = 4.00' in html
    assert 'style="--y:40.00%"><span>frequencies only, H = 3.00' in html


def test_a_change_is_marked_and_the_beginning_is_none() -> None:
    assert re.findall(r'class="change" x1="([\d.]+)"', learning_curve(SEEN, FRAME, str)) == ["150.0"]


def test_before_the_first_step_there_are_dashes() -> None:
    html = learning_curve(Snapshot(), FRAME, str)
    assert points(html) == ["", ""]
    assert "training loss –" in html
    assert "<b>–</b>" in learning_figures(Snapshot(), 0.9, SCORE, str)


@pytest.mark.parametrize(
    ("look", "reached", "told"),
    [
        (LOOK, None, ["100", "12 s", "25%", "50%"]),
        (replace(LOOK, ended=None, follows=0.75), 11.6, ["100", "12 s", "25%", "75%"]),
    ],
)
def test_the_figures_of_now(look: Look, reached: float | None, told: list[str]) -> None:
    html = learning_figures(replace(SEEN, look=look, reached=reached), 0.9, SCORE, str)
    assert re.findall(r"<b>(.*?)</b>", html) == told
    assert ("90% after 12 s" in html) is (reached is not None)


def test_samples_keep_their_rows_and_are_judged_in_words() -> None:
    html = sample_table([Sample("one", "일", "일", True), Sample("two", "삼", "이", False)], str, rows=4, judged=True)
    assert html.count("<tr>") == 5
    assert "✓ yes" in html
    assert "✗ no" in html


def test_free_writing_is_not_judged() -> None:
    html = sample_table([Sample("the c", "at sat")], str, rows=1, judged=False)
    assert "wanted" not in html
    assert "✗" not in html


def test_hostile_text_is_shown_literally() -> None:
    html = sample_table([Sample("<img src=x>", '"><script>', "<b>", False)], str, rows=1, judged=True)
    assert not re.search(r"<(img|script|b)\b", html)


def test_a_long_training_has_no_longer_curve() -> None:
    recorder = Recorder()
    for step in range(1, 5001):
        recorder.add(step, 1.0 if step <= 2500 else 0.0)
    curve = recorder.curve()
    assert 120 <= len(curve) <= 240
    assert curve.losses[0] == 1.0
    assert curve.losses[-1] == 0.0
    assert (np.diff(curve.steps) > 0).all()
    assert abs(curve.losses.mean() - 0.5) < 0.02
