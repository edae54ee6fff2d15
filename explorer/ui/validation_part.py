"""The validation loss of an uploaded text file on the loss page, for every family."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from explorer.models.catalog import best, parts, suited
from explorer.models.checkpoint import head_for
from explorer.objectives import Objective, objective
from explorer.types import InputProblem, Message
from explorer.ui.choice import choose
from explorer.ui.clickable import clickable
from explorer.ui.loss_parcel import Further
from explorer.ui.models import models_for, use_button
from explorer.ui.upload_field import upload_field
from explorer.ui.validating import Loop, Validating
from explorer.ui.words import literal, sentence, t
from explorer.validation import OBJECTIVES, PAIRED, Tally, pieces
from explorer.views.loss_code import tally_code
from explorer.views.validation import validation_figures, validation_lines

RUNNING = "validating"
"""Where the session keeps its loop."""


def validation_part() -> Further | None:
    """The fields, start and stop, and the loss as it comes. Gives what is to take home of it."""
    asked, model, most = _ask()
    able = _able(asked, model)
    paired = asked.key in PAIRED
    told = (
        Message("A file of lines: the first text, a tab, the second text.")
        if paired
        else Message("Any text file; its paragraphs, or else its lines, are scored one by one.")
    )
    file = upload_field("validation_file", t(told), ["txt", "tsv", "md", "csv", "jsonl"])
    found: Validating | None = st.session_state.get(RUNNING)
    going = found is not None and not found.job.done
    with st.container(horizontal=True, vertical_alignment="center"):
        start = st.button(t("Start"), key="validate", type="primary", disabled=file is None or going or not able)
        st.button(t("Stop"), key="stop", disabled=not going, on_click=found.stop if found is not None else None)
    if start and file is not None:
        try:
            found = Validating(Loop(asked.key, model, pieces(file.text, most, paired=paired)))
        except InputProblem as problem:
            st.error(sentence(problem.message))
            return None
        st.session_state[RUNNING] = found
        st.rerun()
    if found is not None:
        st.fragment(_progress, run_every=0.5 if going else None)(found, going=going)
    return _further(() if found is None else tuple(found.tallies))


def _further(tallies: tuple[Tally, ...]) -> Further | None:
    """What is to take home of a file, as soon as a piece of it has a loss."""
    if not tallies or not tallies[-1].scored:
        return None
    last = tallies[-1]
    names = ("mean", "mean_of_means", "perplexity", "scored", "skipped", "targets")
    record = {name: getattr(last, name) for name in names}
    return Further(tally_code(tallies), record, partial(validation_figures, last))


def _ask() -> tuple[Objective, str, int]:
    """Objective, model, and how many pieces at most."""
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="medium"):
        words = {key: f"{objective(key).family} · {t(objective(key).title)}" for key in OBJECTIVES}
        asked = objective(choose("objective", t("Objective"), words, OBJECTIVES[0], width=320))
        names, first = models_for(asked)
        if st.session_state.get("model", first) not in names:
            st.session_state["model"] = first
        index = 0 if "model" in st.session_state else names.index(first)  # what an address asks for comes before it
        model = st.selectbox(t("Model"), names, index, key="model", bind="query-params", width=320)
        most = st.slider(t("Pieces at most"), 10, 500, 100, 10, key="pieces", bind="query-params", width=200)
    return asked, model, most


def _able(asked: Objective, model: str) -> bool:
    """Whether the model has the weights; says so where not, and offers one that has."""
    part = head_for(asked.key)
    if part in parts(model):
        return True
    st.info(sentence(Message("{model} has no weights on this machine for this, so it has no loss.", {"model": model})))
    other = suited(asked, part) or best(asked.model, part)
    if other is not None and other in models_for(asked)[0]:
        use_button(other)
    return False


def _progress(found: Validating, *, going: bool) -> None:
    """What was found so far; drawn again while the loop goes on, and the page once more when it ends."""
    found.watch()
    if found.job.problem is not None:
        st.error(sentence(found.job.problem.message))
        return
    tallies, count = tuple(found.tallies), len(found.loop.pieces.texts)
    if not found.job.done:
        doing, share = found.job.doing
        st.progress(share or 0.0, literal(t(doing)))
    for note in found.loop.pieces.notes:
        st.caption(sentence(note))
    if tallies:
        st.html(validation_figures(tallies[-1], t))
        means = np.array([each.mean or np.nan for each in tallies])
        naive = np.array([each.mean_of_means or np.nan for each in tallies])
        clickable(validation_lines(means, naive, t), "validation_lines")
        _remarks(tallies[-1], count, done=found.job.done)
    if going and found.job.done:
        st.rerun()


def _remarks(last: Tally, count: int, *, done: bool) -> None:
    """Why pieces have no loss, and whether the loop came to its end."""
    if last.reason is not None:
        st.caption(sentence(Message("Pieces without a loss: {count}. The first:", {"count": last.skipped})))
        st.caption(sentence(last.reason))
    if done and last.done < count:
        st.caption(sentence(Message("Stopped after {n} of {count} pieces.", {"n": last.done, "count": count})))
