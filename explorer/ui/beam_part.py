"""Beam search from where the text is: the tree grows while the search goes on, with the rule that ends it."""

from __future__ import annotations

import time
from collections.abc import Sequence
from functools import lru_cache
from typing import cast, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import generation
from explorer.beam import EarlyStopping, Round, Search, rounds
from explorer.generation import Session
from explorer.models import tokenizer
from explorer.models.places import Progress
from explorer.tokens import visible_pieces
from explorer.types import Message, SamplingSettings
from explorer.ui.choice import choose
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing, pressed
from explorer.ui.jobs import Job
from explorer.ui.words import literal, sentence, t
from explorer.ui.writing_steps import click
from explorer.views.beams import beam_tree, finished_table

RULES: dict[EarlyStopping, Message] = {
    "first": Message("as many are finished as there are beams"),
    "likely": Message("no open text is better now"),
    "never": Message("no open text could become better"),
}


class Searching:
    """A search that goes on beside the page; `rounds` grows."""

    def __init__(self, session: Session, how: Search) -> None:
        self.rounds: list[Round] = []
        self._session, self._how = generation.beside(session), how
        self.job = Job(self._work)

    def _work(self, tell: Progress) -> int:
        self.rounds.clear()
        for number, made in enumerate(rounds(self._session, self._how), 1):
            self.rounds.append(made)
            tell(Message("step {number} of {steps}", {"number": number, "steps": self._how.steps}), None)
        return len(self.rounds)


@lru_cache(maxsize=16)
def _searching(session: Session, how: Search) -> Searching:
    return Searching(session, how)


def beam_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """The fields, the tree as far as it has grown, the finished texts; the best one can be taken."""
    if session.generation.stopped is not None:
        st.markdown(sentence(session.generation.stopped))
        return
    how = _ask()
    if not pressed(writing, "search", t("Search"), (session.generation.ids, how)):
        st.caption(t("The k most probable texts are written on side by side; nothing is drawn."))
        return
    found, place, drawn = _searching(session, how), st.empty(), 0
    while not found.job.done:
        if len(found.rounds) > drawn:
            drawn = len(found.rounds)
            _draw(found.rounds, session, place.container(), f"beam_tree_{drawn}")
        time.sleep(0.1)
    if found.job.problem is not None:
        place.error(sentence(found.job.problem.message))
        return
    _draw(found.rounds, session, place.container(), "beam_tree")
    _finished(found.rounds[-1] if found.rounds else None, session)


def _ask() -> Search:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        beams = st.slider(t("Beams"), 1, 8, 3, key="beams", width=140)
        steps = st.slider(t("Longest text"), 1, 40, 8, key="beam_steps", width=140)
        penalty = st.slider(t("Length penalty"), 0.0, 2.0, 1.0, 0.25, key="beam_penalty", width=140)
        words = {name: t(word) for name, word in RULES.items()}
        rule = choose("beam_rule", t("The search ends when"), words, "likely", width=300, few=0)
    known = next(each for each in get_args(EarlyStopping) if each == rule)
    return Search(beams, steps, penalty, cast(EarlyStopping, known))


def _draw(found: Sequence[Round], session: Session, place: DeltaGenerator, key: str) -> None:
    """The tree as far as it has grown."""
    words = tokenizer(session.generation.model.name)
    with place:
        shown = [each.continuations for each in found]
        clickable(beam_tree(shown, lambda id: visible_pieces([id], words)[0], t), key)


def _finished(last: Round | None, session: Session) -> None:
    if last is None:
        return
    if last.ended is not None:
        st.markdown(sentence(last.ended))
    words = tokenizer(session.generation.model.name)
    st.html(finished_table(last.finished, [words.decode(each.ids) for each in last.finished], t))
    if last.finished:
        ids = " ".join(map(str, last.finished[0].ids))
        st.button(literal(t("Write the best one")), key="take_best", on_click=lambda: click(f"follow:{ids}"))
