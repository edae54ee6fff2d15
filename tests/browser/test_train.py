"""Training live, shortened: the curve grows without a press, nothing moves, a mistake shows, and it stops for good."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from explorer.training.live.tasks import TASKS
from tests.browser.reader import Reader

pytestmark = [pytest.mark.browser, pytest.mark.models]

PICTURE = ".xp.learning"
FIGURES = ".xp.figures b"
PATIENCE = 300
"""Seconds until a busy machine has loaded torch and learned a few batches."""

SCORED = "share => parseInt(document.querySelectorAll('.xp.learned b')[2].innerText) >= share"
"""Whether the score of the task, in percent, is at least `share`; false while it is not measured."""


def steps(reader: Reader) -> int:
    """The first figure under the curve."""
    return int(reader.tab.locator(FIGURES).first.inner_text().replace(",", ""))


def until_steps(reader: Reader, least: int) -> None:
    """Waits while the page draws itself anew."""
    reader.tab.wait_for_function(
        "least => Number(document.querySelector('.xp.figures b').innerText.replaceAll(',', '')) >= least",
        arg=least,
        timeout=1000 * PATIENCE,
    )


def test_a_model_learns_before_the_eyes_of_the_class(reader: Reader) -> None:
    reader.open("train", task="numbers")
    picture = reader.tab.locator(PICTURE)
    before = picture.bounding_box()
    expect(reader.tab.locator(".one-head table")).to_be_visible()
    reader.press("start")
    until_steps(reader, 10)
    expect(picture.locator("polyline.l0")).not_to_have_attribute("points", "")
    assert picture.bounding_box() == before
    reader.press("pause")
    expect(reader.part("start").get_by_role("button")).to_be_visible()
    paused = steps(reader)
    reader.press("start")
    until_steps(reader, paused + 5)
    reader.press("reset")
    # The run that is waited for may be one of those that draw the curve.
    expect(reader.tab.locator(FIGURES).first).to_have_text("0")
    assert picture.bounding_box() == before


@pytest.mark.parametrize("task", TASKS)
def test_each_task_is_learned_on_the_page(reader: Reader, task: str) -> None:
    """To half of its score; tests/training/test_live.py asks for all of it, in a minute of one core."""
    reader.open("train", task=task)
    reader.press("start")
    reader.tab.wait_for_function(SCORED, arg=100 * TASKS[task].goal / 2, timeout=1000 * PATIENCE)
    expect(reader.tab.locator(".xp.samples tbody td").nth(1)).not_to_have_text("–")
    reader.press("reset")


def test_the_leak_is_found_on_the_model_that_learns(reader: Reader) -> None:
    reader.open("train", task="reversal", mistake="causal_mask_off")
    reader.press("start")
    until_steps(reader, 5)
    reader.unfold("Check the mask: does the future leak?")
    reader.press("check")
    expect(reader.told()).to_contain_text("No path is open to")
    reader.press("reset")
