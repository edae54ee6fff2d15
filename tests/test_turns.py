"""The line before a model: in order, fair, told while one waits; and passes made together, each with its own answer."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Hashable

import numpy as np
import pytest

from explorer.models import Runtime, turns
from explorer.models.turns import Asker, Turns, asking
from explorer.types import ModelId

GPT2, LLAMA, BART = (ModelId(f"tiny/{family}") for family in ("gpt2", "llama", "bart"))
PATIENCE = 60.0


class Left(Exception):
    """Somebody who does not want to wait any more."""


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.002)


class People:
    """Threads that act for visitors; `run` starts one and waits until it stands in the line."""

    def __init__(self, line: Turns) -> None:
        self.line, self.threads = line, []

    def run(self, who: Hashable, work: Callable[[], object], told: Callable[[int], None] = lambda _: None) -> None:
        def act() -> None:
            with asking(Asker(who, told)):
                work()

        standing = self.line.waiting
        self.threads.append(threading.Thread(target=act))
        self.threads[-1].start()
        until(lambda: self.line.waiting > standing)

    def join(self) -> None:
        for thread in self.threads:
            thread.join(PATIENCE)
            assert not thread.is_alive()


def test_nobody_has_two_turns_while_somebody_waits() -> None:
    line, had = Turns(), []
    people = People(line)

    def take(name: str) -> Callable[[], None]:
        def work() -> None:
            with line:
                had.append(name)

        return work

    with line:
        for who, name in [("A", "A1"), ("A", "A2"), ("A", "A3"), ("B", "B1"), ("C", "C1"), ("B", "B2")]:
            people.run(who, take(name))
        assert line.busy
    people.join()
    assert had == ["A1", "B1", "C1", "A2", "B2", "A3"]
    assert (line.busy, line.waiting) == (False, 0)


def test_whoever_waits_is_told_how_many_people_come_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TELL", 0.01)
    line, told = Turns(), {"B": [], "C": []}
    people = People(line)

    def pass_by() -> None:
        with line:
            pass

    with line:
        people.run("B", pass_by, told["B"].append)
        people.run("B", pass_by)
        people.run("C", pass_by, told["C"].append)
        until(lambda: bool(told["B"] and told["C"]))
    people.join()
    assert (told["B"][0], told["C"][0]) == (1, 2)


def test_a_short_wait_is_not_told() -> None:
    line, told = Turns(), []
    with asking(Asker("A", told.append)), line, line:
        pass
    assert told == []


def test_who_leaves_the_line_gives_the_place_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "TELL", 0.01)
    line, had, left = Turns(), [], []
    people = People(line)

    def leave(_: int) -> None:
        raise Left

    def wait() -> None:
        try:
            with line:
                had.append("left")
        except Left:
            left.append("left")

    def stay() -> None:
        with line:
            had.append("stayed")

    with line:
        people.run("A", wait, leave)
        until(lambda: left == ["left"] and line.waiting == 0)
        people.run("B", stay)
    people.join()
    assert had == ["stayed"]


def test_requests_that_wait_are_served_at_once_and_each_has_its_own_answer() -> None:
    line, served, answers = Turns(), [], {}
    people = People(line)

    def double(requests: list[int]) -> list[int]:
        served.append(list(requests))
        return [2 * each for each in requests]

    with line:
        for number in (1, 2, 3):
            people.run(number, lambda number=number: answers.update({number: line.together(number, double)}))
    people.join()
    assert served == [[1, 2, 3]]
    assert answers == {1: 2, 2: 4, 3: 6}
    assert line.together(5, double) == 10
    with line:
        assert line.together(6, double) == 12


def test_what_goes_wrong_together_goes_wrong_for_each_and_the_line_goes_on() -> None:
    line, failed = Turns(), []
    people = People(line)

    def fail(_: list[int]) -> list[int]:
        raise MemoryError("too much")

    def ask() -> None:
        try:
            line.together(1, fail)
        except MemoryError as problem:
            failed.append(str(problem))

    with line:
        people.run("A", ask)
        people.run("B", ask)
    people.join()
    assert failed == ["too much", "too much"]
    with line:
        assert line.busy


# -- texts side by side ----------------------------------------------------------------------------------------------


def together(run: Runtime, model: ModelId, advances: list[Callable[[], object]]) -> int:
    """Makes these calls from threads that all wait for the model at once; how many passes that took."""
    loaded, passes = run._pool.get(model), []
    hook = loaded.module.register_forward_pre_hook(lambda *_: passes.append(1))
    people = People(loaded.lock)
    with loaded.lock:
        for number, advance in enumerate(advances):
            people.run(number, advance)
    people.join()
    hook.remove()
    return len(passes)


@pytest.mark.parametrize("model", [GPT2, LLAMA])
def test_texts_of_different_length_are_read_in_one_pass_as_if_alone(model: ModelId, fresh: Runtime) -> None:
    texts = [(75, 76, 77), (2, 90, 91, 92, 93, 94, 95, 96), (80,)]
    handles = {text: fresh.prefill(model, text)[0] for text in texts}
    for id in (84, 101, 7):
        found = {}

        def advance(text: tuple[int, ...], id: int = id, found: dict = found) -> None:
            handles[text], found[text] = fresh.advance(handles[text], id)

        assert together(fresh, model, [lambda text=text: advance(text) for text in texts]) == 1
        for text in texts:
            _, alone = fresh.prefill(model, handles[text].ids)
            assert handles[text].ids[-1] == id
            assert np.abs(found[text] - alone).max() < 1e-5
            assert found[text].argmax() == alone.argmax()
            assert fresh.cache_facts(handles[text]).own[0].shape[2] == len(handles[text])


def test_a_text_that_went_back_or_lost_its_cache_is_right_beside_others(fresh: Runtime) -> None:
    first, second, third = (fresh.prefill(GPT2, ids)[0] for ids in ([75, 76, 77, 78], [80, 81], [90, 91]))
    back, _ = fresh.rewind(first, 2)
    fresh.advance(back, 60)  # the cache now holds another third id than `first`
    fresh.close(third)
    found = {}
    calls = [
        lambda handle=handle: found.update({handle.number: fresh.advance(handle, 84)[1]})
        for handle in (first, second, third)
    ]
    together(fresh, GPT2, calls)
    for handle in (first, second, third):
        _, alone = fresh.prefill(GPT2, (*handle.ids, 84))
        assert np.abs(found[handle.number] - alone).max() < 1e-5


def test_what_cannot_go_together_goes_alone(fresh: Runtime) -> None:
    handles = [fresh.prefill(BART, [2, id], [69, 70, 2])[0] for id in (75, 76)]
    found = {}
    calls = [lambda handle=handle: found.update({handle.number: fresh.advance(handle, 84)[1]}) for handle in handles]
    assert together(fresh, BART, calls) == 2
    for handle in handles:
        _, alone = fresh.prefill(BART, (*handle.ids, 84), [69, 70, 2])
        assert np.abs(found[handle.number] - alone).max() < 1e-4


@pytest.mark.parametrize("model", [GPT2, LLAMA])
def test_answers_never_cross_between_visitors(model: ModelId, fresh: Runtime) -> None:
    def write(prompt: tuple[int, ...]) -> tuple[int, ...]:
        handle, logits = fresh.prefill(model, prompt)
        for _ in range(12):
            handle, logits = fresh.advance(handle, int(logits.argmax()))
        return handle.ids

    prompts = [tuple(range(30 + 5 * number, 33 + 6 * number)) for number in range(8)]
    alone = {prompt: write(prompt) for prompt in prompts}
    assert len({ids[-6:] for ids in alone.values()}) > 4
    found: dict[tuple[int, ...], tuple[int, ...]] = {}
    threads = [threading.Thread(target=lambda each=each: found.update({each: write(each)})) for each in prompts]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert found == alone
