"""What a press or a click does to the text: one more token, another token, back, a branch. Draws nothing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from time import monotonic

import streamlit as st
from streamlit.runtime.scriptrunner import RerunException, StopException

from explorer import generation
from explorer.tree import EMPTY, ROOT, Tree
from explorer.types import InputProblem, Message, SamplingSettings
from explorer.ui.generate_lab import keep, writing_now
from explorer.ui.jobs import AT_ONCE
from explorer.ui.presses import presses

MANY, ENDLESS = 10, 10**9
"""Steps of the button for several, and of the one that goes on until it is stopped."""

BUTTONS = {
    "step": Message("Step"),
    "step_10": Message("Step ×10"),
    "play": Message("Play"),
    "stop": Message("Stop"),
    "undo": Message("Undo"),
    "reset": Message("Reset"),
    "forget": Message("Go on without the beginning"),
}


def answer(settings: SamplingSettings) -> InputProblem | None:
    """Do what was pressed and clicked since the last run, then write one of the tokens that are still owed. Gives what
    could not be done."""
    try:
        for name in _pressed():
            with _whole():
                keep(replace(writing_now(), seen=writing_now().seen + 1))
                _press(name, settings)
        for mark in writing_now().clicked if writing_now().session is not None else ():
            with _whole():
                keep(replace(writing_now(), clicked=writing_now().clicked[1:], owed=0, given=()))
                _click(mark, settings)
        if writing_now().given:
            with _whole():
                _write_again(settings)
        if writing_now().owed:
            with _whole():
                keep(replace(writing_now(), owed=writing_now().owed - 1))
                _step(settings)
    except InputProblem as problem:
        keep(replace(writing_now(), owed=0, given=(), clicked=()))
        return problem
    return None


@contextmanager
def _whole() -> Iterator[None]:
    """What is done inside happens whole or not at all: a run may be cut short while it waits for its turn with the
    model, and the run that takes its place does it then."""
    before = writing_now()
    try:
        yield
    except (RerunException, StopException):
        keep(before)
        raise


def click(mark: str) -> None:
    """Note what was clicked; the next run does it, with the settings that stand in the fields then."""
    keep(replace(writing_now(), clicked=(*writing_now().clicked, mark)))


def _pressed() -> Sequence[str]:
    """Buttons pressed since the last run, in order. Where no browser counts the presses, Streamlit tells of one."""
    return presses(tuple(BUTTONS), writing_now().seen, "presses") or [
        name for name in BUTTONS if st.session_state.get(name)
    ]


def _press(name: str, settings: SamplingSettings) -> None:
    """One press."""
    keep(replace(writing_now(), given=()))
    if name == "step":
        _step(settings)
        return
    writing = writing_now()
    more = {"step_10": writing.owed + MANY, "play": ENDLESS}
    keep(replace(writing, owed=more.get(name, 0)))
    if name == "undo":
        _turn(writing.tree.back())
    elif name == "reset":
        _turn(EMPTY)
    elif name == "forget" and writing.session is not None:
        keep(replace(writing_now(), session=generation.forget(writing.session)))


def _click(mark: str, settings: SamplingSettings) -> None:
    what, _, which = mark.partition(":")
    writing = writing_now()
    if writing.session is None:
        return
    if what == "token":
        _grow(generation.take(writing.session, settings, int(which)), settings)
    elif what == "append":
        _grow(generation.append(writing.session, settings, which), settings)
    elif what == "follow":
        _grow(generation.follow(writing.session, [int(id) for id in which.split()]), settings)
    elif what == "link":
        _turn(writing.tree.moved(ROOT))
        keep(replace(writing_now(), given=_ids(which)))
    elif what == "step":
        # The token itself is taken back, so that one sees what it was chosen from.
        _turn(writing.tree.moved((ROOT, *writing.tree.path())[int(which)]))
    elif what == "node":
        _turn(writing.tree.moved(int(which)))


def _ids(text: str) -> tuple[int, ...]:
    """The ids of a link. Raises InputProblem for what is none."""
    for each in text.split():
        if not each.isdecimal():
            raise InputProblem("The link asks for the token {id}, which is no id.", {"id": each})
    return tuple(map(int, text.split()))


def _write_again(settings: SamplingSettings) -> None:
    """As many of the tokens that a link brought as one moment has time for. A token that these settings would not
    draw, because it was taken by hand or with others, is taken by hand; a text that had gone on without its beginning
    does so again."""
    began = monotonic()
    while writing_now().given and monotonic() - began < AT_ONCE:
        writing = writing_now()
        id, *rest = writing.given
        keep(replace(writing, given=tuple(rest)))
        if writing.session is not None:
            session = generation.forget(writing.session)
            drawn = session.generation.stopped is None and generation.coming(session, settings).chosen == id
            _grow(generation.step(session, settings) if drawn else generation.take(session, settings, id), settings)


def _step(settings: SamplingSettings) -> None:
    session = writing_now().session
    if session is not None:
        _grow(generation.step(session, settings), settings)


def _grow(session: generation.Session, settings: SamplingSettings) -> None:
    """Keep a text that is some steps longer."""
    writing = writing_now()
    tree = writing.tree
    for step in session.generation.steps[len(tree.path()) :]:
        tree = tree.grown(step, settings)
    stopped = session.generation.stopped is not None
    keep(replace(writing, session=session, tree=tree, owed=0 if stopped else writing.owed))


def _turn(tree: Tree) -> None:
    """Keep the text that ends where the tree says."""
    writing = writing_now()
    if writing.session is not None and tree != writing.tree:
        keep(replace(writing, session=generation.turn(writing.session, tree.steps()), tree=tree))
