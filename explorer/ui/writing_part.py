"""A text written token by token. Sliders cut the distribution that is there; only a step makes the model read on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from explorer import generation
from explorer.generation import Session
from explorer.models import tokenizer
from explorer.models.sources import WHEELS, locate
from explorer.sampling import Sampled
from explorer.tokens import visible_pieces
from explorer.types import InputProblem, Message, SamplingSettings, Step
from explorer.ui.generate_lab import FIELDS, Writing, current, keep
from explorer.ui.presses import presses
from explorer.ui.sampling_fields import ask_sampling
from explorer.ui.tables import table_with_csv
from explorer.ui.visits import leave
from explorer.ui.words import literal, sentence, t
from explorer.views.candidates import stages_line, step_picture
from explorer.views.writing import draw_line, figures, written
from explorer.views.writing_code import writing_code

MANY = 10
"""Steps of the button for several."""

BUTTONS = {
    "step": Message("Step"),
    "step_10": Message("Step ×10"),
    "stop": Message("Stop"),
    "undo": Message("Undo"),
    "reset": Message("Reset"),
}


def writing_part(writing: Writing) -> DeltaGenerator:
    """Everything that changes with a step: the text, buttons, sliders, candidates, the draw. Gives a place for what is
    to be said while the prompt is not read yet."""
    if writing.session is None:
        return _draw()
    _draw_alone()
    return st.empty()


@st.fragment
def _draw_alone() -> None:
    """Steps and sliders draw only this part of the page, and each token that is owed draws it once more."""
    _draw()
    if _writing().owed:
        try:
            st.rerun(scope="fragment")
        except StreamlitAPIException:
            # The whole page is being drawn, which is the case after a change outside this part.
            st.rerun()


def _draw() -> DeltaGenerator:
    text = st.container()
    row = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    settings = ask_sampling()
    leave(FIELDS)
    _answer(settings)
    writing = _writing()
    with text:
        _text(writing)
    with row:
        _buttons(writing)
    left, right = st.columns([3, 2], gap="large")
    with left.container(key="candidates"):
        st.subheader(t("Candidates for the next token"), anchor=False)
        place = st.empty()
    if writing.session is not None:
        try:
            _coming(writing, settings, place, right)
        except InputProblem as problem:
            place.error(sentence(problem.message))
    return place


def _writing() -> Writing:
    writing = current()
    assert writing is not None  # noqa: S101 - for the type checker
    return writing


def _answer(settings: SamplingSettings) -> None:
    """Do what was pressed since the last run, then write one of the tokens that are still owed."""
    try:
        for name in _pressed():
            keep(replace(_writing(), seen=_writing().seen + 1))
            _press(name, settings)
        if _writing().owed:
            keep(replace(_writing(), owed=_writing().owed - 1))
            _step(settings)
    except InputProblem as problem:
        keep(replace(_writing(), owed=0))
        st.error(sentence(problem.message))


def _pressed() -> Sequence[str]:
    """Buttons pressed since the last run, in order. Where no browser counts the presses, Streamlit tells of one."""
    return presses(tuple(BUTTONS), _writing().seen, "presses") or [
        name for name in BUTTONS if st.session_state.get(name)
    ]


def _press(name: str, settings: SamplingSettings) -> None:
    """One press. The text is kept after each token, so that nothing is lost if the run is cut short."""
    if name == "step":
        _step(settings)
        return
    writing = _writing()
    keep(replace(writing, owed=writing.owed + MANY if name == "step_10" else 0))
    if name == "undo":
        _back(1)
    elif name == "reset":
        _back(len(writing.used))


def _step(settings: SamplingSettings) -> None:
    writing = _writing()
    if writing.session is None:
        return
    further = generation.step(writing.session, settings)
    stopped = further.generation.stopped is not None
    used = (*writing.used, settings)[: len(further.generation.steps)]
    keep(replace(writing, session=further, used=used, owed=0 if stopped else writing.owed))


def _back(count: int) -> None:
    for _ in range(count):
        writing = _writing()
        if writing.session is not None:
            keep(replace(writing, session=generation.undo(writing.session), used=writing.used[:-1]))


def _text(writing: Writing) -> None:
    """The text so far, and what its beginning means."""
    words = tokenizer(writing.asked.model)
    session = writing.session
    if session is None:
        st.html(written(visible_pieces(words.encode(writing.asked.prompt).ids, words), (), t, more=False))
        return
    made, source = session.generation, session.handle.source_ids
    begun = visible_pieces(session.handle.ids[: session.begun], words)
    read = () if source is None else visible_pieces(source, words)
    st.html(written(begun, made.steps, t, source=read, more=made.stopped is None))
    for note in made.notes:
        st.caption(sentence(note))


def _buttons(writing: Writing) -> None:
    """Step, ten steps or an end to them, back, all back; the figures of the text so far."""
    session = writing.session
    steps = () if session is None else session.generation.steps
    able = session is not None and session.generation.stopped is None
    names = ("step", "stop" if writing.owed else "step_10", "undo", "reset")
    with st.container(horizontal=True, width="content"):
        for name in names:
            st.button(
                literal(t(BUTTONS[name])),
                key=name,
                type="primary" if name == "step" else "secondary",
                disabled=not able if name in {"step", "step_10"} else not steps,
            )
    st.html(figures(steps, t), width="content")


def _coming(writing: Writing, settings: SamplingSettings, place: DeltaGenerator, right: DeltaGenerator) -> None:
    """What could come next and what the draw takes; where the text has ended, the step that ended it."""
    session = writing.session
    assert session is not None  # noqa: S101 - for the type checker
    before = generation.undo(session) if session.ended else session
    step, sampled = generation.coming(before, settings), generation.look(before, settings)
    place.html(step_picture(step.candidates, sampled, settings, t, chosen=step.chosen))
    with right:
        st.subheader(t("The draw"), anchor=False)
        st.html(draw_line(step, t))
        if session.generation.stopped is not None:
            st.markdown(sentence(session.generation.stopped))
        st.subheader(t("Order applied"), anchor=False)
        st.html(stages_line(sampled, settings, t))
        for note in sampled.notes:
            st.caption(sentence(note))
        _table(step, settings, sampled)
        _text_and_code(session, writing.used or (settings,))


def _table(step: Step, settings: SamplingSettings, sampled: Sampled) -> None:
    from explorer.views.tables import candidate_table

    with st.expander(t("Table and CSV")):
        table_with_csv(candidate_table(step.candidates, settings, t, sampled), "candidates")


def _text_and_code(session: Session, used: Sequence[SamplingSettings]) -> None:
    """The text as text, and code that writes it."""
    with st.expander(t("The text written so far")):
        st.code(session.text, language=None, wrap_lines=True)
    with st.expander(t("Code that writes this text")):
        begun, source = session.handle.ids[: session.begun], session.handle.source_ids
        st.code(writing_code(_place(session.generation.model.name), begun, used, source), language="python")


def _place(model: str) -> str:
    """Where the code finds the model: on the Hub, or the quantised file in a package."""
    weights = locate(model).weights
    if weights is None or weights.origin != "wheel" or not weights.packed:
        return repr(model)
    package, file = WHEELS[model]
    return f'find_spec("{package}").submodule_search_locations[0], gguf_file="{file}"'
