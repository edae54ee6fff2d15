"""A training on the page: curve, attention and samples, drawn anew every second while it goes on."""

from __future__ import annotations

from dataclasses import dataclass
from math import log

import streamlit as st

from explorer.learning import Snapshot
from explorer.models.forward import sides
from explorer.training.live.examples import Examples
from explorer.training.live.measures import SHOWN
from explorer.training.live.mistakes import MISTAKES
from explorer.training.live.run import LiveRun, State
from explorer.types import Message
from explorer.ui.clickable import clickable
from explorer.ui.live_lab import GOING, Asked, buttons
from explorer.ui.words import sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.learning import Frame, learning_curve, learning_figures, sample_table
from explorer.views.matrix import mask_picture, weights_picture
from explorer.views.roles import legend
from explorer.views.rows import roles_shown, token_rows

EVERY = 1.0
"""Seconds between two pictures."""

LOOKS, LOOKED_AT = Message("queries: look"), Message("keys: looked at")


def live_part(asked: Asked, run: LiveRun, examples: Examples) -> None:
    """The buttons, what goes on, and an Example that it learns from."""
    st.caption(sentence(Message("What will be seen: {symptom}", {"symptom": MISTAKES[asked.dials.mistake].symptom})))
    going = run.state in GOING
    buttons(run, going=going)
    st.fragment(_watch, run_every=EVERY if going else None)(asked, run, examples, Outside(going, run.learner is None))


def example_part(asked: Asked, examples: Examples) -> None:
    """An Example as the model is fed it, its mistake included."""
    with st.expander(t("One example as the model is fed it")):
        made = examples.mistaken(examples.probe, asked.dials)
        st.html(token_rows(made, t))
        st.html(legend(roles_shown(made), t, loss=made.n_targets > 0))


@dataclass(frozen=True)
class Outside:
    """What the page took for true when the buttons and the check were drawn: whether the run goes on, and whether there
    is no model yet. The run changes at any moment, so only this tells whether they are out of date."""

    going: bool
    fresh: bool


def _watch(asked: Asked, run: LiveRun, examples: Examples, outside: Outside) -> None:
    seen = run.watch()
    _tell(run, seen)
    left, right = st.columns([6, 5], gap="large")
    with left:
        frame = Frame(log(examples.words.size), examples.entropy)
        clickable(learning_curve(seen, frame, t), "learning_curve")  # st.html takes lines out of a picture
        st.html(learning_figures(seen, asked.task.goal, asked.task.score, t))
    with right:
        st.html(_attention(asked, seen, examples))
    samples = () if seen.look is None else seen.look.samples
    st.html(sample_table(samples, t, rows=SHOWN, judged=asked.task.judged))
    if (outside.going and run.state not in GOING) or (outside.fresh and run.learner is not None):
        # What stands outside follows: the buttons, and the check, which needs a model.
        st.rerun()


def _tell(run: LiveRun, seen: Snapshot) -> None:
    """One line: what the run is doing."""
    if run.problem is not None:
        st.error(sentence(run.problem.message))
    else:
        st.caption(sentence(_doing(run, seen)))


def _doing(run: LiveRun, seen: Snapshot) -> Message:
    state = run.state
    if state is State.WAITING:
        return Message("All places of this server are taken. Your place in the line: {n}.", {"n": run.number})
    if state is State.RUNNING:
        return Message("It learns, on one core.") if seen.step else Message("Getting ready")
    if state is State.OVER:
        return Message("Its time is over. Begin again for a fresh model.")
    if seen.step:
        return Message("Paused at step {n}.", {"n": seen.step})
    return Message("Press Start: a tiny model with random weights begins to learn.")


def _attention(asked: Asked, seen: Snapshot, examples: Examples) -> str:
    """One head on a text that is kept back; before the first look, the mask in its place. Cross-attention names each
    row by what is to be written there."""
    kind = asked.task.looks
    probe = examples.probe if seen.look is None else examples.mistaken(examples.probe, seen.look.dials)
    queries, keys = sides(probe, kind)
    names = probe.label_visible if kind == "cross" else queries.visible
    mask = getattr(probe.masks, kind)
    if seen.look is None:
        return one_head(mask_picture(mask, names, keys.visible, t), len(keys))
    rows = Message("target: must be written") if kind == "cross" else LOOKS
    axes = Axes(names, keys.visible, words=(rows, LOOKED_AT))
    weights = seen.look.attention[kind].weights[asked.layer, asked.head]
    return one_head(weights_picture(weights, axes, t, mask=mask), len(keys))
