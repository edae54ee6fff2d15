"""A text written token by token. Sliders cut the distribution that is there; only a step makes the model read on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import generation
from explorer.generation import Session
from explorer.models import tokenizer
from explorer.tokens import visible_pieces
from explorer.types import InputProblem, Message, SamplingSettings, Step
from explorer.ui.controls import NARROW
from explorer.ui.generate_lab import SAMPLING, Writing
from explorer.ui.presses import presses
from explorer.ui.words import literal, sentence, t
from explorer.views.candidates import candidate_bars, stages_line
from explorer.views.writing import draw_line, written

BUTTONS = {"step": Message("Step"), "step_10": Message("Step ×10"), "undo": Message("Back"), "reset": Message("Reset")}


@st.fragment
def write() -> None:
    """Everything that changes with a step: the text, buttons, sliders, candidates, the draw."""
    place = st.empty()
    row = st.container(horizontal=True, vertical_alignment="center")
    settings = _sliders()
    try:
        for name in _pressed():
            _act(name, settings, place)
        session = _writing().session
        _show(session, place)
        _buttons(session, row)
        left, right = st.columns([3, 2], gap="large")
        with left:
            _candidates(session, settings)
        with right:
            _draw(session, settings)
    except InputProblem as problem:
        st.error(sentence(problem.message))


def _writing() -> Writing:
    writing = st.session_state["writing"]
    assert isinstance(writing, Writing)  # noqa: S101 - for the type checker
    return writing


def _pressed() -> Sequence[str]:
    """Buttons pressed since the last run, in order. Where no browser counts the presses, Streamlit tells of one."""
    return presses(tuple(BUTTONS), _writing().seen, "presses") or [
        name for name in BUTTONS if st.session_state.get(name)
    ]


def _act(name: str, settings: SamplingSettings, place: DeltaGenerator) -> None:
    """One press. The session is kept after each token, so that nothing is lost if the run is cut short."""
    writing = replace(_writing(), seen=_writing().seen + 1)
    st.session_state["writing"] = writing
    if name == "undo":
        _keep(generation.undo(writing.session))
    elif name == "reset":
        while _writing().session.generation.steps:
            _keep(generation.undo(_writing().session))
    for _ in range({"step": 1, "step_10": 10}.get(name, 0)):
        _keep(generation.step(_writing().session, settings))
        _show(_writing().session, place)


def _keep(session: Session) -> None:
    st.session_state["writing"] = replace(_writing(), session=session)


def _show(session: Session, place: DeltaGenerator) -> None:
    """The text so far."""
    made = session.generation
    pieces = visible_pieces(made.prompt_ids, tokenizer(made.model.name))
    place.html(written(pieces, made.steps, t, more=made.stopped is None))


def _buttons(session: Session, row: DeltaGenerator) -> None:
    """Step, back, reset, and the figures of the text so far."""
    made = session.generation
    for name, words in BUTTONS.items():
        step = name.startswith("step")
        row.button(
            literal(t(words)),
            key=name,
            type="primary" if name == "step" else "secondary",
            disabled=made.stopped is not None if step else not made.steps,
        )
    row.markdown(sentence(_figures(made.steps)))
    for note in (*made.notes, *([made.stopped] if made.stopped else [])):
        st.caption(sentence(note))


def _figures(steps: Sequence[Step]) -> Message:
    if not steps:
        return Message("no step yet")
    logs = np.log([step.p_model for step in steps])
    given = {
        "n": len(steps),
        "ms": round(steps[-1].milliseconds),
        "logp": round(float(logs.sum()), 2),
        "perplexity": round(float(np.exp(-logs.mean())), 2),
    }
    return Message("step {n} · {ms} ms · log p {logp} · perplexity {perplexity}", given)


def _sliders() -> SamplingSettings:
    """The filters in the order in which they are applied; what is off says so by its value."""
    first, second, third, fourth, fifth = st.columns(5)
    with first:
        penalty = _slider("repetition_penalty", t("Repetition penalty"), 1.0, 2.0, t("1 is off."))
    with second:
        temperature = _slider("temperature", t("Temperature"), 0.0, 2.0, t("Divides the logits; 0 is greedy."))
    with third:
        top_k = st.slider(t("Top-k"), 0, 100, SAMPLING.top_k, 1, key="top_k", bind="query-params", help=t("0 is off."))
    with fourth:
        top_p = _slider("top_p", t("Top-p"), 0.05, 1.0, t("1 is off."))
    with fifth:
        min_p = _slider("min_p", t("Min-p"), 0.0, 1.0, t("0 is off."))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        seed = st.number_input(t("Seed"), 0, 2**31 - 1, SAMPLING.seed, key="seed", bind="query-params", width=NARROW)
        greedy = st.toggle(
            t("Greedy"), SAMPLING.greedy, key="greedy", bind="query-params", help=t("Always the most probable token.")
        )
    return SamplingSettings(temperature, top_k, top_p, min_p, penalty, greedy, seed)


def _slider(name: str, label: str, low: float, high: float, help: str) -> float:
    start = float(getattr(SAMPLING, name))
    return st.slider(label, low, high, start, 0.05, key=name, bind="query-params", help=help)


def _candidates(session: Session, settings: SamplingSettings) -> None:
    """What could come next, before and after the filters."""
    st.subheader(t("Candidates for the next token"), anchor=False)
    found = generation.candidates(session, settings)
    st.html(candidate_bars(found, settings, t))
    with st.expander(t("Table and CSV")):
        from explorer.views.tables import candidate_table, csv

        table = candidate_table(found, settings, t)
        st.dataframe(table, hide_index=True)
        st.download_button(t("Download as CSV"), csv(table), "candidates.csv", "text/csv")


def _draw(session: Session, settings: SamplingSettings) -> None:
    """How the last token was drawn, and what the filters do now, in their order."""
    steps = session.generation.steps
    st.subheader(t("The last draw"), anchor=False)
    if steps:
        st.html(draw_line(steps[-1], t))
    else:
        st.markdown(literal(t("Nothing has been drawn yet. Press Step.")))
    st.subheader(t("Order applied"), anchor=False)
    sampled = generation.look(session, settings)
    st.html(stages_line(sampled, settings, t))
    for note in sampled.notes:
        st.caption(sentence(note))
    with st.expander(t("The text written so far")):
        st.code(session.text, language=None, wrap_lines=True)
