"""Pictures of the Transformer page as text."""

import re

import numpy as np

from explorer.alignment import Alignment
from explorer.exposure import FreeRun
from explorer.first_loss import WAYS, FirstLoss
from explorer.memory_mask import LeftOut, Run
from explorer.views.alignment import alignment_picture
from explorer.views.exposure import exposure_table
from explorer.views.first_loss import first_loss_table, shapes_line
from explorer.views.memory_mask import memory_figures, memory_picture
from explorer.views.smoothing import smoothing_bars
from tests.fakes import LetterTokenizer


def test_a_smoothed_target_of_8000() -> None:
    html = smoothing_bars(0.9 + 0.1 / 8000, 0.1 / 8000, 8000, str)
    assert re.findall(r"</span>([\d.]+)</td>", html) == ["0.9000125", "0.0000125", "0.0999875"]
    assert "all 7,999 others together" in html


def test_each_target_has_its_strongest_line_and_weak_ones_are_left_out() -> None:
    found = Alignment(np.array([[0.96, 0.04], [0.3, 0.7]]), np.ones(2), ("<a", "b"), ("x", "y"))
    html = alignment_picture(found, str)
    assert re.findall(r"--w:([\d.]+)", html) == ["0.960", "0.300", "0.700"]
    assert html.count('class="best"') == 2
    assert 'aria-label="Alignment: x → &lt;a, y → b"' in html


def test_wrong_guesses_are_marked_by_a_sign() -> None:
    found = FreeRun((11, 12), (11, 13), np.array([0.5, 2.0]), (14,), np.array([0.5]))
    html = exposure_table(found, LetterTokenizer(), str)
    assert re.findall(r"≠ (\w)", html) == ["d", "c"]
    assert html.count("<td>–</td>") == 2


def test_first_losses_stand_beside_ln_v() -> None:
    shapes = ((2, 10), (2, 10, 512), (2, 8), (2, 8, 512), (2, 8, 8000))
    found = FirstLoss(WAYS[0], 18.0, 0.25, 8000, shapes)
    html = first_loss_table([found], 9.0, str)
    assert re.findall(r"--v:([\d.]+)", html) == ["1.0000", "0.5000"]
    far = first_loss_table([FirstLoss(WAYS[3], 90.0, 1.0, 8000, shapes)], 9.0, str)
    assert re.findall(r"--v:([\d.]+)", far) == ["1.0000", "0.3333"]
    assert "90.000</td>" in far
    assert "<td>25%</td><td>8,000</td>" in html
    assert "memory <b>(2, 10, 512)</b>" in shapes_line(found, str)


def test_weight_on_pads_is_marked_as_an_error() -> None:
    logits = np.zeros((1, 3), dtype=np.float32)
    alone = Run(logits, np.array([1.0]), np.array([[1.0]], dtype=np.float32))
    masked = Run(logits, np.array([1.0]), np.array([[1.0, 0.0]], dtype=np.float32))
    bare = Run(logits + 0.5, np.array([1.5]), np.array([[0.6, 0.4]], dtype=np.float32))
    found = LeftOut(1, ("a", "∅"), ("x",), alone, masked, bare)
    html = memory_picture(found, str)
    assert html.count("class=closed") == 1
    assert html.count("class=wrong") == 1
    assert "<td>1.5000</td><td>0.500000</td><td>40.0%</td>" in memory_figures(found, str)
