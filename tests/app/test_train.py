"""The train page: tasks, dials and buttons; the thread itself is tested in tests/training/test_live_run.py."""

from __future__ import annotations

import time

import pytest
from streamlit.testing.v1 import AppTest

from explorer.training.live.run import LiveRun, State
from explorer.training.live.tasks import TASKS
from tests.app.conftest import Open, words

PATIENCE = 180.0
"""Seconds that a slow machine may take."""


def run_on(app: AppTest) -> LiveRun:
    """The visitor's training."""
    run = app.session_state["live"]
    assert isinstance(run, LiveRun)
    return run


def until_step(app: AppTest, step: int) -> AppTest:
    deadline = time.monotonic() + PATIENCE
    while run_on(app).watch().step < step:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return app.run()


def buttons(app: AppTest) -> list[str]:
    return [button.key for button in app.button if button.key in {"start", "pause", "reset"}]


@pytest.mark.parametrize("key", TASKS)
def test_each_task_is_drawn_before_anything_is_trained(open_anywhere: Open, key: str) -> None:
    app = open_anywhere("train", task=key)
    assert not app.exception
    assert not app.error
    assert "even guess" in words(app)
    assert "Press Start" in words(app)
    assert buttons(app) == ["start", "reset"]


def test_it_learns_pauses_goes_on_and_begins_again(open_anywhere: Open) -> None:
    app = open_anywhere("train", task="reversal")
    app.button(key="start").click().run()
    assert buttons(app) == ["pause", "reset"]
    until_step(app, 2)
    assert "It learns" in words(app)
    app.button(key="pause").click().run()
    first = run_on(app)
    deadline = time.monotonic() + PATIENCE
    while first.state is not State.PAUSED:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    app.run()
    assert "Paused at step" in words(app)
    assert buttons(app) == ["start", "reset"]
    app.button(key="reset").click().run()
    assert run_on(app) is not first
    assert "Press Start" in words(app)


def test_a_mistake_is_switched_on_while_it_learns_and_found_by_the_check(open_anywhere: Open) -> None:
    app = open_anywhere("train", task="reversal")
    app.button(key="start").click().run()
    until_step(app, 1)
    app.button(key="check").click().run()
    assert "the change there is exactly 0" in words(app)
    app.text_input(key="mistake").set_value("causal_mask_off").run()
    assert "falls to almost 0" in words(app)
    assert run_on(app).dials.mistake == "causal_mask_off"
    app.button(key="check").click().run()
    assert "yet the output changes there" in words(app)
    run_on(app).pause()


def test_the_dials_turn_the_run_at_hand(open_anywhere: Open) -> None:
    app = open_anywhere("train", task="poem")
    run = run_on(app)
    app.text_input(key="learning_rate").set_value("0.01").run()
    app.number_input(key="rate").set_value(0.4).run()
    assert run_on(app) is run
    assert (run.dials.rate, run.dials.hidden) == (0.01, 0.4)


def test_another_task_pauses_the_first(open_anywhere: Open) -> None:
    app = open_anywhere("train", task="reversal")
    app.button(key="start").click().run()
    first = run_on(app)
    app.text_input(key="task").set_value("numbers").run()
    assert run_on(app).task.family == "Transformer"
    deadline = time.monotonic() + PATIENCE
    while first.state in (State.WAITING, State.RUNNING):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def test_a_text_that_is_too_short_is_told_with_its_length(open_anywhere: Open) -> None:
    app = open_anywhere("train", task="tale")
    app.text_area(key="text").set_value("Once upon a time").run()
    assert "16" in app.error[0].value
    assert "Paste a longer one" in app.error[0].value
