"""One exercise on the page: the question, the cells to fill in, the buttons, the score of the session."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import streamlit as st

from explorer.exercises import Exercise, grade
from explorer.exercises.desk import Desk, Tally, begin, check, press, solve, untouched
from explorer.types import Message
from explorer.ui.clickable import clicks, collecting
from explorer.ui.exercise_parcel import exercise_parcel
from explorer.ui.made import drawn
from explorer.ui.take_home_part import take_home
from explorer.ui.words import literal, sentence, t
from explorer.views.exercises import exercise_picture
from explorer.views.rows import token_rows

SHEET = "sheet"


@st.fragment
def exercise_part(exercise: Exercise) -> None:
    """Presses draw only this part of the page."""
    desk = _desk(exercise)
    st.header(literal(t(exercise.question)), anchor=False)
    for text in exercise.words:
        st.code(text, language=None, wrap_lines=True)
    if exercise.cells:
        collecting(exercise_picture(exercise, desk, t), SHEET, desk.seen)
        st.caption(t("Keys: Tab goes from part to part, the arrows from cell to cell, Enter presses."))
    else:
        st.text_area(t("Your answer, for yourself"), key="own_answer", persist_state="session")
    with st.container(horizontal=True, gap="small", key="exercise_buttons"):
        _buttons(exercise, desk)
    _outcome(exercise, desk)
    _score(exercise)
    if desk.solved or (desk.checked is not None and not grade(exercise, desk.checked).wrong):
        take_home(lambda: exercise_parcel(exercise))


def _desk(exercise: Exercise) -> Desk:
    """The reader's desk with every press since it was last drawn."""
    kept = st.session_state.get("desk")
    if not isinstance(kept, Desk) or kept.code != exercise.code or kept.answers.keys() != exercise.start.keys():
        kept = begin(exercise, kept.seen if isinstance(kept, Desk) else 0)
    for mark in clicks(SHEET, kept.seen):
        kept = replace(press(kept, exercise, mark), seen=kept.seen + 1)
    st.session_state["desk"] = kept
    return kept


def _tally() -> Tally:
    kept = st.session_state.get("tally")
    return kept if isinstance(kept, Tally) else Tally()


def _buttons(exercise: Exercise, desk: Desk) -> None:
    def button(words: Message, key: str, action: Callable[[Exercise], None], *, on: bool, main: bool = False) -> None:
        st.button(
            t(words),
            key=key,
            type="primary" if main else "secondary",
            disabled=not on,
            on_click=action,
            args=(exercise,),
        )

    if exercise.cells:
        button(Message("Check"), "check", _check, on=not desk.solved, main=True)
        button(Message("Hint"), "hint", _hint, on=desk.hints < len(exercise.hints))
        button(Message("Show the solution"), "solution", _solve, on=not desk.solved)
        button(Message("Start over"), "start_over", _start_over, on=True)
    else:
        button(Message("Show a model answer"), "solution", _solve, on=not desk.solved, main=True)


def _check(exercise: Exercise) -> None:
    desk = _desk(exercise)
    if untouched(desk, exercise):
        st.session_state["desk"] = replace(desk, early=True)
        return
    desk, found = check(desk, exercise)
    st.session_state["desk"] = desk
    st.session_state["tally"] = _tally().add(exercise.code, found)


def _hint(exercise: Exercise) -> None:
    desk = _desk(exercise)
    st.session_state["desk"] = replace(desk, hints=desk.hints + 1)


def _solve(exercise: Exercise) -> None:
    desk = _desk(exercise)
    if exercise.cells:
        st.session_state["tally"] = _tally().add(exercise.code, check(desk, exercise)[1], shown=True)
    st.session_state["desk"] = solve(desk, exercise)


def _tell(exercise: Exercise) -> None:
    st.session_state["desk"] = replace(_desk(exercise), whole=True)


def _start_over(exercise: Exercise) -> None:
    st.session_state["desk"] = begin(exercise, _desk(exercise).seen)


def _outcome(exercise: Exercise, desk: Desk) -> None:
    """How many cells are right, the hints that were asked for, the worked solution."""
    if desk.early:
        st.info(literal(t("Nothing is filled in yet.")))
    elif desk.checked is not None:
        marks = [mark for cell in exercise.cells if (mark := desk.mark(cell)) is not None]
        given = {"right": sum(mark.right for mark in marks), "all": len(exercise.cells)}
        if given["right"] == given["all"]:
            st.success(sentence(Message("All right: {right} of {all}.", given)))
        elif given["all"] == 1:
            st.info(literal(t("Not yet. Read why, then choose again.")))
        else:
            st.info(sentence(Message("{right} of {all} are right. Change what is wrong and check again.", given)))
        untold = {mark.right for mark in marks if desk.told(mark.cell) is None}
        if len(untold) == 2:
            # Where all that nobody has touched is wrong, it is plain to see.
            st.button(t("Show what is missing"), key="missing", on_click=_tell, args=(exercise,))
    for number, hint in enumerate(exercise.hints[: desk.hints], 1):
        heading = literal(t("Hint {number}", number=number))
        st.markdown(f"**{heading}** {sentence(hint)}")
    if desk.solved:
        st.markdown("\n".join(f"- {sentence(step)}" for step in exercise.steps))
        for example in exercise.examples:
            st.html(drawn(token_rows, example))


def _score(exercise: Exercise) -> None:
    """The score of this session; an exercise counts with its first check."""
    tally = _tally()
    if tally.counted and exercise.cells:
        given = {
            "full": tally.full,
            "count": len(tally.counted),
            "right": tally.right,
            "cells": tally.cells,
            "streak": tally.streak,
            "best": tally.best,
        }
        words = Message(
            "Exercises solved at the first check: {full} of {count}. Cells: {right} of {cells}. In a row: {streak}, at "
            "best {best}.",
            given,
        )
        st.caption(sentence(words))
