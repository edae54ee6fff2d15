"""A training in its thread: it starts, pauses, goes on, waits for a place, and never outstays its visitor."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
import torch

from explorer.learning import Dials
from explorer.training.live import run as live
from explorer.training.live.run import LiveRun, Places, State
from explorer.training.live.tasks import TASKS
from tests.training.test_live import turned

TASK = replace(turned(3, 3), rows=4)
PATIENCE = 120.0
"""Seconds that a slow machine may take."""


def until(true: Callable[[], bool], *watched: LiveRun) -> None:
    """Waits, watching these runs as their pages do."""
    deadline = time.monotonic() + PATIENCE
    while not true():
        for run in watched:
            run.watch()
        assert time.monotonic() < deadline
        time.sleep(0.01)


def threads() -> int:
    return sum(thread.name == "live" for thread in threading.enumerate())


@pytest.fixture
def begin() -> Iterator[Callable[[Places], LiveRun]]:
    """Starts a run in some places; afterwards all have ended."""
    runs: list[LiveRun] = []

    def start(places: Places, task=TASK, text: str = "") -> LiveRun:
        runs.append(LiveRun(task, Dials(task.rate), text, places=places))
        runs[-1].start()
        return runs[-1]

    yield start
    for run in runs:
        run.pause()
    until(lambda: threads() == 0)


def test_it_pauses_and_goes_on_from_there(begin) -> None:
    run = begin(Places(1))
    until(lambda: run.watch().step >= 3)
    run.pause()
    until(lambda: run.state is State.PAUSED and threads() == 0)
    paused = run.watch()
    time.sleep(0.1)
    assert run.watch() is paused
    run.start()
    until(lambda: run.watch().step > paused.step)
    assert run.state is State.RUNNING


def test_a_pause_taken_back_at_once_leaves_one_thread(begin) -> None:
    run = begin(Places(2))
    until(lambda: run.watch().step >= 1)
    for _ in range(20):
        run.pause()
        run.start()
    step = run.watch().step
    until(lambda: run.watch().step > step)
    assert threads() == 1


def test_dials_are_turned_while_it_learns(begin) -> None:
    run = begin(Places(1))
    until(lambda: run.watch().step >= 2)
    run.turn(Dials(0.1, None, "causal_mask_off"))
    until(lambda: len(run.watch().changes) == 2)
    (first, before), (later, after) = run.watch().changes
    assert (first, before) == (0, Dials(TASK.rate))
    assert later >= 2
    assert after.rate == 0.1


def test_another_run_begins_afresh_with_the_same_weights(begin) -> None:
    places = Places(2)
    one, other = begin(places), begin(places)
    until(lambda: min(run.watch().step for run in (one, other)) >= 1)
    assert one.learner.loaded.module is not other.learner.loaded.module
    until(lambda: min(len(run.watch().held_out) for run in (one, other)) >= 1)
    assert one.watch().held_out.losses[0] == other.watch().held_out.losses[0]


def test_the_third_of_two_places_waits_and_follows(begin) -> None:
    places = Places(2)
    one, two, three, four = (begin(places) for _ in range(4))
    until(lambda: one.watch().step >= 1 and two.watch().step >= 1, three, four)
    assert [run.state for run in (three, four)] == [State.WAITING] * 2
    assert [run.number for run in (one, two, three, four)] == [0, 0, 1, 2]
    assert threads() == 2
    three.pause()
    assert (three.state, four.number) == (State.PAUSED, 1)
    one.pause()
    until(lambda: four.watch().step >= 1, two)
    assert four.number == 0


def test_who_leaves_gives_the_place_back(begin, monkeypatch) -> None:
    monkeypatch.setattr(live, "ALONE", 0.3)
    places = Places(1)
    gone, waits = begin(places), begin(places)
    until(lambda: waits.watch().step >= 1)
    assert gone.state is State.PAUSED
    until(lambda: threads() == 0)
    assert waits.state is State.PAUSED


def test_who_leaves_while_waiting_waits_no_more(begin, monkeypatch) -> None:
    monkeypatch.setattr(live, "ALONE", 0.3)
    places = Places(1)
    learns, gone, waits = (begin(places) for _ in range(3))
    until(lambda: waits.number == 1, learns, waits)
    assert gone.state is State.PAUSED


def test_its_time_ends(begin, monkeypatch) -> None:
    monkeypatch.setattr(live, "LONGEST", 0.2)
    run = begin(Places(1))
    until(lambda: run.watch() is not None and run.state is State.OVER)
    assert run.watch().seconds >= 0.2
    run.start()
    assert run.state is State.OVER


def test_what_went_wrong_is_told_in_words(begin) -> None:
    run = begin(Places(1), TASKS["tale"], "too short")
    until(lambda: run.state is State.FAILED)
    assert "9 characters" in str(run.problem)


def test_threads_of_others_keep_their_cores(begin) -> None:
    before = torch.get_num_threads()
    torch.set_num_threads(3)
    run = begin(Places(1))
    until(lambda: run.watch().step >= 1)
    found: list[int] = []
    other = threading.Thread(target=lambda: found.append(torch.get_num_threads()))
    other.start()
    other.join()
    torch.set_num_threads(before)
    assert found == [3]
