"""Many visitors at one model: the place in the line is on the page, and who leaves takes up nothing."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace

import pytest
from streamlit.runtime.scriptrunner import get_script_run_ctx
from streamlit.testing.v1 import AppTest

from explorer import generation
from explorer.models import runtime, turns
from explorer.models.turns import Asker, asking
from explorer.types import Message, ModelId, SamplingSettings
from explorer.ui import frame, jobs, leaving, scoring, status_part
from explorer.ui.jobs import Job, stay
from explorer.ui.line import before_you
from explorer.ui.words import say_in
from tests.app.conftest import Open, picture, words

GPT2 = "tiny/gpt2"
MODEL = ModelId(GPT2)
PATIENCE = 60.0


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


@pytest.fixture
def quick(tiny_models, no_caches, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tiny models, and words for those who wait without delay."""
    monkeypatch.setattr(turns, "TELL", 0.01)


@contextmanager
def somebody_else() -> Iterator[SimpleNamespace]:
    """Somebody else has the tiny GPT-2 until `free` is set, or the block ends."""
    runtime().load(MODEL)
    line = runtime()._pool.get(MODEL).lock
    free, taken = threading.Event(), threading.Event()

    def take() -> None:
        with asking(Asker("somebody else", lambda _: None)), line:
            taken.set()
            free.wait(PATIENCE)

    thread = threading.Thread(target=take)
    thread.start()
    taken.wait(PATIENCE)
    try:
        yield SimpleNamespace(line=line, free=free)
    finally:
        free.set()
        thread.join(PATIENCE)


@pytest.fixture
def busy(quick) -> Iterator[SimpleNamespace]:
    with somebody_else() as found:
        yield found


def score(tell) -> int:
    """A job's work: one pass of the model that is busy."""
    handle, logits = runtime().prefill(MODEL, [75, 76])
    runtime().close(handle)
    return int(logits.argmax())


def test_a_job_tells_the_place_in_the_line(busy) -> None:
    job = Job(score)
    until(lambda: job.before == 1 and not job.done)
    busy.free.set()
    until(lambda: job.done)
    assert (job.before, job.result) == (0, score(None))


def test_a_job_that_nobody_looks_at_gives_up_its_place_and_begins_again_when_asked(busy, monkeypatch) -> None:
    monkeypatch.setattr(jobs, "UNWATCHED", 0.05)
    job = Job(score)
    until(lambda: busy.line.waiting == 1)
    until(lambda: busy.line.waiting == 0)
    busy.free.set()
    until(lambda: job.done)
    assert job.result == score(None)


def test_a_page_that_waits_for_a_step_says_how_many_come_first(quick, open_anywhere: Open, monkeypatch) -> None:
    app = open_anywhere("generate", model=GPT2, text="Once")
    told = []
    with somebody_else() as busy:

        def noted(people: int):
            told.append(people)
            if len(told) == 2:
                busy.free.set()
            return before_you(people)

        monkeypatch.setattr("explorer.ui.line.before_you", noted)
        app.button(key="step").click().run()
    assert not app.exception
    assert told[:2] == [1, 1]
    assert len(app.session_state["writing"].session.generation.steps) == 1


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """What has been done: pages drawn and passes over an example."""
    from explorer.models import forward

    found = SimpleNamespace(pages=[], passes=[])
    page, score = frame.page, forward.score
    monkeypatch.setattr(frame, "page", lambda key: [found.pages.append(key), page(key)])
    monkeypatch.setattr(forward, "score", lambda *given: [found.passes.append(given), score(*given)][1])
    return found


def edited(app: AppTest, text: str) -> AppTest:
    """The page after an edit that has to wait for half a second."""
    with somebody_else() as busy:
        threading.Timer(0.5, busy.free.set).start()
        app.text_area(key="text").set_value(text).run()
    assert not app.exception
    assert 'class="xp awaited"' not in words(app)
    return app


def losses(app: AppTest) -> int:
    return picture(app, "rows").count('class="bar')


def test_an_edit_costs_one_pass_and_is_drawn_once_though_the_model_is_busy(quick, open_anywhere, counted) -> None:
    app = open_anywhere("gpt", model=GPT2, text="The class has begun")
    counted.pages.clear()
    counted.passes.clear()
    edited(app, "The class goes on")
    assert (counted.pages, len(counted.passes)) == (["gpt"], 1)
    assert losses(app) == len(counted.passes[0][1].targets) > 0


def test_a_page_that_waits_too_long_is_drawn_without_losses_first(quick, open_anywhere, counted, monkeypatch) -> None:
    app = open_anywhere("gpt", model=GPT2, text="A second class has begun")
    counted.pages.clear()
    counted.passes.clear()
    monkeypatch.setattr(scoring, "PATIENCE", 0.1)
    edited(app, "The second class goes on")
    assert (counted.pages, len(counted.passes)) == (["gpt", "gpt"], 1)
    assert losses(app) == len(counted.passes[0][1].targets) > 0


def test_who_waits_goes_on_at_once_with_the_next_edit(quick, open_anywhere, counted, monkeypatch) -> None:
    app = open_anywhere("gpt", model=GPT2, text="A third class has begun")
    asked = []

    def overtaken(people: int) -> Message:
        asked.append(people)
        get_script_run_ctx().script_requests.request_stop()
        return before_you(people)

    monkeypatch.setattr(jobs, "before_you", overtaken)
    monkeypatch.setattr(jobs, "AT_ONCE", PATIENCE)
    with somebody_else():
        app.text_area(key="text").set_value("The third class goes on").run()
    assert asked == [1]
    app.run()
    assert losses(app) > 0


def test_who_waits_is_told_no_words_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "AT_ONCE", 0.0)
    monkeypatch.setattr(jobs, "LOOK", 0.01)
    end, told = threading.Event(), []
    job = Job(lambda tell: end.wait(PATIENCE))
    stay(job, SimpleNamespace(html=told.append, empty=lambda: told.append("")), 0.5)
    assert [each.count("Getting ready · 0 s") for each in told] == [1, 0]
    end.set()
    stay(job, SimpleNamespace())
    assert job.result is True


@pytest.mark.parametrize(("people", "said"), [(1, "1 person before you"), (2, "2 people before you")])
def test_the_place_in_the_line_in_words(people: int, said: str) -> None:
    assert say_in("en")(before_you(people)) == said


def test_what_a_visitor_holds_is_freed_when_they_leave(open_anywhere: Open, quick) -> None:
    app = open_anywhere("generate", model=GPT2, text="Once")
    app.button(key="step").click().run()
    assert runtime().open_caches == 1
    session = app.session_state["writing"].session
    held = next(
        each for each in leaving._here if "writing" in each.frees and each.frees["writing"].args[0].session is session
    )
    assert leaving.visitors() == len(leaving._here) > 0
    leaving._let_go(held)
    assert held not in leaving._here
    assert runtime().open_caches == 0
    app.button(key="step").click().run()
    assert len(app.session_state["writing"].session.generation.steps) == 2


def test_a_prompt_that_is_read_for_somebody_who_has_left_leaves_nothing(busy) -> None:
    job = Job(lambda _: generation.start(MODEL, "Once"))
    until(lambda: busy.line.waiting == 1)
    job.drop(generation.close)
    busy.free.set()
    until(lambda: job.done)
    until(lambda: runtime().open_caches == 0)


def test_who_left_while_the_page_was_drawn_holds_nothing(monkeypatch: pytest.MonkeyPatch, quick) -> None:
    gone = SimpleNamespace(is_active_session=lambda session: session != "gone")
    monkeypatch.setattr(leaving, "exists", lambda: True)
    monkeypatch.setattr(leaving, "get_instance", lambda: gone)
    monkeypatch.setattr(leaving, "get_script_run_ctx", lambda **_: SimpleNamespace(session_id="gone"))
    session = generation.step(generation.start(MODEL, "Once"), SamplingSettings(greedy=True))
    assert runtime().open_caches == 1
    leaving.hold("writing", partial(generation.close, session))
    assert runtime().open_caches == 0


def test_the_status_page_tells_how_the_server_stands_and_nothing_that_was_typed(open_anywhere: Open, quick) -> None:
    app = open_anywhere("generate", model=GPT2, text="a secret of mine")
    app.button(key="step").click().run()
    session = app.session_state["writing"].session
    found = status_part.standing()
    assert [each.model.name for each in found.models if each.model == MODEL] == [GPT2]
    assert (found.texts, found.learning, found.line, found.places) == (1, 0, 0, 2)
    assert found.text_bytes == 2 * 4 * 2 * 32 * len(session.handle)  # two layers, float32, keys and values, D = 32
    assert found.memory is None or found.memory > 10**7
    page = open_anywhere("status")
    assert not page.exception
    assert GPT2 in words(page)
    assert "EXPLORER_UPLOADS" in words(page)
    assert "secret" not in words(page)


def test_the_queue_of_a_busy_model_is_on_the_status_page(busy) -> None:
    job = Job(score)
    until(lambda: busy.line.waiting == 1)
    [seen] = [each for each in status_part.standing().models if each.model == MODEL]
    assert (seen.busy, seen.waiting) == (True, 1)
    busy.free.set()
    until(lambda: job.done)


def test_the_host_switches_the_status_page_off(open_anywhere: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_STATUS", "0")
    page = open_anywhere("status")
    assert not page.exception
    assert "EXPLORER_STATUS" in page.info[0].value
    assert "EXPLORER_UPLOADS" not in words(page)
