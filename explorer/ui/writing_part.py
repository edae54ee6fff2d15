"""A text written token by token. Sliders cut the distribution that is there; only a step makes the model read on."""

from __future__ import annotations

import time

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.errors import StreamlitAPIException

from explorer import generation
from explorer.generation import Session
from explorer.models import tokenizer
from explorer.prompts import SHOTS
from explorer.sampling import Sampled
from explorer.sharing import IDS
from explorer.tokens import visible_pieces
from explorer.types import InputProblem, Message, SamplingSettings
from explorer.ui.clickable import clickable
from explorer.ui.controls import labelled
from explorer.ui.further_part import further_part
from explorer.ui.generate_lab import FIELDS, Writing, writing_now
from explorer.ui.line import in_line
from explorer.ui.reload_part import outlive_reload
from explorer.ui.sampling_fields import Pace, SamplingFields, ask_sampling
from explorer.ui.visits import leave, take_along
from explorer.ui.words import literal, sentence, t
from explorer.ui.writing_steps import BUTTONS, answer, click
from explorer.views.candidates import stages_line, step_picture
from explorer.views.writing import draw_line, figures, written


def writing_part(writing: Writing) -> DeltaGenerator:
    """Everything that changes with a step: the text, buttons, sliders, candidates, the draw, and what looks further.
    Gives a place for what is to be said while the prompt is not read yet."""
    if writing.session is None:
        return _draw()
    _draw_alone()
    return st.empty()


@st.fragment
def _draw_alone() -> None:
    """Steps and sliders draw only this part of the page, and each token that is owed draws it once more."""
    began = time.monotonic()
    with in_line():
        _draw()
    if writing_now().busy:
        pause = float(st.session_state.get("pause", Pace.pause)) if writing_now().owed else 0.0
        time.sleep(max(0.0, pause - (time.monotonic() - began)))
        try:
            st.rerun(scope="fragment")
        except StreamlitAPIException:
            # The whole page is being drawn, which is the case after a change outside this part.
            st.rerun()


def _draw() -> DeltaGenerator:
    text = st.container()
    row = st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center")
    settings, _ = ask_sampling(writing_now().asked.stack)
    leave(FIELDS)
    problem = answer(settings)
    if problem is not None:
        st.error(sentence(labelled(problem.message, SamplingFields)))
    writing = writing_now()
    if writing.session is not None:
        take_along({IDS: " ".join(map(str, writing.session.generation.ids))} if writing.tree.nodes else {})
        outlive_reload(writing, writing.session)
    with text:
        _text(writing)
    with row:
        _buttons(writing)
    with st.container(key="candidates"):
        st.header(t("Candidates for the next token"), anchor=False)
        # A container keeps its old picture until the new one is there.
        place = st.empty() if writing.session is None else st.container()
    if writing.session is not None:
        try:
            _coming(writing.session, settings, place)
        except InputProblem as problem:
            place.error(sentence(labelled(problem.message, SamplingFields)))
        further_part(writing, writing.session, settings)
    return place


def _text(writing: Writing) -> None:
    """The text so far, and what its beginning means. A click on a token goes back to where it was chosen."""
    words = tokenizer(writing.asked.model)
    controls = frozenset(visible_pieces(sorted(words.special_ids), words))
    session = writing.session
    if session is None:
        begun = visible_pieces(words.encode(writing.asked.prompt).ids, words)
        st.html(written(begun, (), t, controls=controls, more=False))
        return
    made, source = session.generation, session.handle.source_ids
    begun = visible_pieces(session.opening, words)
    read = () if source is None else visible_pieces(source, words)
    more = made.stopped is None
    drawn = written(begun, made.steps, t, source=read, controls=controls, more=more, clickable=True)
    clickable(drawn, "written", click)
    for note in (*made.notes, *_remarks(session)):
        st.caption(sentence(note))


def _remarks(session: Session) -> list[Message]:
    """What of the text is not whole yet, and what the model no longer reads."""
    found = []
    if session.generation.prompt in {each.text for each in SHOTS}:
        weights = {"n": f"{session.facts.parameters:,}"}
        found.append(
            Message("From no example to three only the input changes; the {n} weights stay as they are.", weights)
        )
    if session.facts.stack == "encoder-decoder" and st.session_state["greedy"]:
        found.append(
            Message(
                "An encoder-decoder answers what it has read, so Greedy is on at first: always the most probable "
                "token. Switch it off to draw."
            )
        )
    if session.pending:
        given = {"count": session.pending}
        found.append(Message("The last {count} tokens are bytes of a character that is not whole yet.", given))
    if session.forgotten:
        read = {"count": session.forgotten, "left": len(session.handle)}
        found.append(
            Message(
                "The model no longer reads the first {count} tokens. "
                "It has read the other {left} anew, from position 0.",
                read,
            )
        )
    return found


def _buttons(writing: Writing) -> None:
    """Step, many steps or an end to them, back, all back; the figures of the text so far."""
    session = writing.session
    steps = () if session is None else session.generation.steps
    able = session is not None and session.generation.stopped is None
    full = session is not None and not able and not session.ended
    names = [
        "step",
        *(["stop"] if writing.busy else ["step_10", "play"]),
        "undo",
        "reset",
        *(["forget"] if full else []),
    ]
    with st.container(horizontal=True, width="content"):
        for name in names:
            st.button(
                literal(t(BUTTONS[name])),
                key=name,
                type="primary" if name == "step" else "secondary",
                disabled=not able
                if name in {"step", "step_10", "play"}
                else name != "forget" and not writing.tree.nodes,
            )
    st.html(figures(steps, t), width="content")


def _coming(session: Session, settings: SamplingSettings, place: DeltaGenerator) -> None:
    """What could come next and what the draw takes; where the text has ended, the step that ended it."""
    before = generation.undo(session) if session.ended else session
    sampled = generation.look(before, settings)
    step = generation.coming(before, settings, sampled)
    able = session.generation.stopped is None
    picture = step_picture(step.candidates, sampled, settings, t, chosen=step.chosen, clickable=able)
    with place.container():
        clickable(picture, "step_picture", click)
    if able:
        _append()
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.header(t("The draw"), anchor=False)
        st.html(draw_line(step, t))
        if session.generation.stopped is not None:
            st.markdown(sentence(session.generation.stopped))
    with right:
        _order(sampled, settings)


def _append() -> None:
    """A line for a text that is to be written in place of a draw."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(t("Click a token to take it, or write on yourself:"), width="content")
        st.text_input(
            t("A text to append"),
            key="append",
            label_visibility="collapsed",
            placeholder=t("a text, then Enter"),
            on_change=_note_text,
            width=260,
        )


def _note_text() -> None:
    text = st.session_state["append"]
    st.session_state["append"] = ""
    if text:
        click(f"append:{text}")


def _order(sampled: Sampled, settings: SamplingSettings) -> None:
    st.header(t("Order applied"), anchor=False)
    st.html(stages_line(sampled, settings, t))
    for note in sampled.notes:
        st.caption(sentence(note))
