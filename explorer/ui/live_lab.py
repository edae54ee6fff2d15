"""The fields of the train page, and the one training that each visitor has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import streamlit as st

from explorer.host import forbidden, rules
from explorer.learning import NONE, Dials
from explorer.objectives import objective
from explorer.settings import knobs
from explorer.training.live.examples import Examples
from explorer.training.live.mistakes import MISTAKES
from explorer.training.live.run import LiveRun, State
from explorer.training.live.tasks import TASKS, LiveTask
from explorer.types import InputProblem, Message
from explorer.ui.choice import choose
from explorer.ui.controls import chips, control
from explorer.ui.head_fields import Shape, head_fields
from explorer.ui.leaving import hold
from explorer.ui.texts import text_field
from explorer.ui.visits import enter, leave
from explorer.ui.words import sentence, t

RATES = ("0.0001", "0.0003", "0.001", "0.003", "0.01", "0.03", "0.1")
"""Learning rates to choose from."""

GOING = (State.WAITING, State.RUNNING)


@dataclass(frozen=True)
class Asked:
    """What the reader wants to see: the task by its key, its text, the dials, and the head that is shown."""

    key: str
    text: str
    dials: Dials
    layer: int
    head: int

    @property
    def task(self) -> LiveTask:
        """The task itself."""
        return TASKS[self.key]


def ask() -> Asked:
    """Draw the task, its text and the dials."""
    key = choose("task", t("Task"), {name: t(task.title) for name, task in TASKS.items()}, next(iter(TASKS)), width=260)
    task = TASKS[key]
    start = _start(task)
    came = enter(f"train:{key}", start)
    if came and task.text and _too_short(key, str(st.session_state["text"])):
        st.session_state["text"] = task.text
    text = _text(task) if task.text else ""
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="small", key="strip"):
        rate = choose("learning_rate", t("Learning rate"), {name: name for name in RATES}, f"{task.rate:g}", width=170)
        hidden = None
        if task.hidden is not None:
            settings = objective(task.objective).Settings
            hidden = control("rate", knobs(settings)["rate"], settings)
        titles = {name: t(MISTAKES[name].title) for name in (NONE, *task.mistakes)}
        mistake = choose("mistake", t("Mistake"), titles, NONE, width=230, few=0)
        told = st.container()
        layer, head = head_fields(start, Shape(*task.heads), told, came=came, disabled=False)
    leave(start)
    return Asked(key, text, Dials(float(rate), hidden, mistake), layer, head)


def _start(task: LiveTask) -> dict[str, object]:
    """What the fields of a task begin with."""
    fields: dict[str, object] = {
        "learning_rate": f"{task.rate:g}",
        "mistake": NONE,
        "layer": task.heads[0] - 1,
        "head": 0,
    }
    if task.hidden is not None:
        fields["rate"] = task.hidden
    return {**fields, "text": task.text} if task.text else fields


def _too_short(key: str, text: str) -> bool:
    try:
        examples_of(key, text)
    except InputProblem:
        return True
    return False


def _text(task: LiveTask) -> str:
    ready = task.ready
    text = text_field("text", t("Text to learn from"), task.text, rows=4)
    chips([title for title, _ in ready], [{"text": each} for _, each in ready])
    return text


@lru_cache(maxsize=16)
def examples_of(key: str, text: str) -> Examples:
    """The Examples of a task as a training makes them, to be drawn. Raises InputProblem where the text is too short."""
    return Examples(TASKS[key], text, 0)


def run_of(asked: Asked) -> LiveRun:
    """The visitor's training of what is asked for; another one that still learns is paused."""
    run = st.session_state.get("live")
    if not isinstance(run, LiveRun) or (run.task, run.text) != (asked.task, asked.text):
        if isinstance(run, LiveRun):
            run.pause()
        run = st.session_state["live"] = LiveRun(asked.task, asked.dials, asked.text)
    run.turn(asked.dials)
    hold("live", run.pause)
    return run


def buttons(run: LiveRun, *, going: bool) -> None:
    """Start or pause, and begin again."""
    with st.container(horizontal=True, gap="small"):
        if going:
            st.button(t("Pause"), key="pause", icon=":material/pause:", on_click=run.pause)
        else:
            words = t("Go on") if run.watch().step else t("Start")
            over = run.state in (State.OVER, State.FAILED) or not rules().training
            st.button(
                words,
                key="start",
                icon=":material/play_arrow:",
                type="primary",
                disabled=over,
                on_click=_begin,
                args=(run,),
            )
        st.button(t("Begin again"), key="reset", icon=":material/restart_alt:", on_click=_reset, args=(run,))
    if not rules().training:
        st.caption(sentence(forbidden(Message("Training"), "EXPLORER_TRAINING")))


def _begin(run: LiveRun) -> None:
    """A press counts only where the host allows it: a browser may send one for a button that is off."""
    if rules().training:
        run.start()


def _reset(run: LiveRun) -> None:
    """A model with fresh weights takes the place of this one."""
    run.pause()
    st.session_state.pop("live", None)
