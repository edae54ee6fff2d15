"""A check that a class can run on the model while it learns: does the future leak into its outputs?"""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st

from explorer.influence import Influence
from explorer.models.influence import influence
from explorer.training.live.examples import Examples
from explorer.training.live.run import LiveRun
from explorer.types import Message
from explorer.ui.influence_part import AXES, influence_picture, told
from explorer.ui.live_lab import Asked
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes


@dataclass(frozen=True)
class Leak:
    """What a check found on a run, and at which step."""

    run: LiveRun
    step: int
    found: Influence


def leak_part(asked: Asked, run: LiveRun, examples: Examples) -> None:
    """A button, and what it found: judged by the right mask, whatever the model is trained with."""
    if examples.probe.decoder is None:
        return
    with st.expander(t("Check the mask: does the future leak?")):
        words = Message(
            "Each token in turn is replaced by another, and the outputs before it must not move. With the causal mask "
            "off they do: the model has seen the answer."
        )
        st.markdown(literal(t(words)))
        st.button(
            t("Check now"), key="check", disabled=run.learner is None, on_click=_check, args=(asked, run, examples)
        )
        leak = st.session_state.get("leak")
        if isinstance(leak, Leak) and leak.run is run:
            _draw(leak, examples)
        elif run.learner is None:
            st.caption(literal(t("The model has to learn for a moment first.")))


def _check(asked: Asked, run: LiveRun, examples: Examples) -> None:
    learner = run.learner
    if learner is not None:
        example = examples.mistaken(examples.probe, asked.dials)
        st.session_state["leak"] = Leak(run, learner.steps, influence(learner.loaded, example, "decoder"))


def _draw(leak: Leak, examples: Examples) -> None:
    stream = examples.probe.output
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.html(influence_picture(leak.found, examples.probe, Axes(stream.visible, stream.visible, words=AXES)))
    with right:
        st.caption(sentence(Message("Measured at step {n}.", {"n": leak.step})))
        told(leak.found, examples.probe)
