"""One page for any objective: what it asks, the text, the token rows, figures, the mask, lesson, tables and code.

Everything comes from the Objective and its Example; no objective is known here by name.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import TYPE_CHECKING

import streamlit as st

from explorer.objectives import Objective, objectives
from explorer.raw_data import SHAPES
from explorer.settings import knobs
from explorer.types import Example, InputProblem, Message, Scores
from explorer.ui import frame
from explorer.ui.batch_part import batch_part
from explorer.ui.choice import address, shown
from explorer.ui.clickable import clickable
from explorer.ui.controls import Asked, ask
from explorer.ui.example_parcel import example_parcel
from explorer.ui.lessons import lesson_box
from explorer.ui.made import drawn, example
from explorer.ui.mask_part import mask_part
from explorer.ui.models import models_for, standing, use_button
from explorer.ui.scoring import scoring
from explorer.ui.tables import table_with_csv
from explorer.ui.take_home_part import Parcel, take_home
from explorer.ui.words import language, say_in, sentence, t
from explorer.views.figures import figures_line
from explorer.views.roles import legend
from explorer.views.rows import roles_shown, token_rows
from explorer.views.tables import example_table, top_table

if TYPE_CHECKING:
    import pandas as pd


def objective_page(
    page: str,
    below: Callable[[str, Example], None] | None = None,
    between: Callable[[Asked, Example], bool] | None = None,
    beside_data: Callable[[Asked], None] | None = None,
    pack: Callable[[Asked, Example, Scores | None], Parcel] = example_parcel,
) -> None:
    """The whole page `page`, with every objective that belongs to it. below: what is drawn under it, for the model and
    the Example that are shown; between: what stands between token rows and mask, True where it has said what to do
    about a head that is missing; beside_data: what else is made of the page's raw data; pack: what there is to take
    home."""
    frame.page(page)
    objective = _objective(page)
    models, first = models_for(objective)
    asked = ask(objective, models, first)
    try:
        made = example(objective.key, asked.texts, asked.settings, asked.seed, asked.model)
    except InputProblem as problem:
        st.error(sentence(problem.message))
        if asked.model not in models:
            use_button(first)
        lesson_box(page)
        return
    found = scoring(asked.model, made, st.empty())
    _rows(asked, made, found.scores, awaited=found.job is not None)
    waiting = st.empty()
    told = between is not None and between(asked, made)
    left, right = st.columns([6, 5], gap="large")
    with left:
        mask_part(made)
    with right:
        lesson_box(page)
    _raw_data(asked, beside_data)
    _folded(made, found.scores)
    take_home(lambda: pack(asked, made, found.scores))
    if below is not None:
        below(asked.model, made)
    frame.status(asked.model, standing(asked.model, found.scores.model if found.scores else None))
    if not told:
        found.finish(waiting)


def _objective(page: str) -> Objective:
    """The page's objective and what it asks of the model; the reader chooses where there are several."""
    own = {key: item for key, item in objectives().items() if item.page == page}
    key = next(iter(own))
    if len(own) > 1:
        key = address("objective", key, own)
    frame.question(own[key].question)
    if len(own) > 1:
        shown("objective", t("Objective"), {key: t(item.title) for key, item in own.items()}, key)
    return own[key]


def _rows(asked: Asked, made: Example, scores: Scores | None, *, awaited: bool) -> None:
    """Warnings, the token rows with their legend, the figures, notes."""
    for message in made.warnings:
        st.warning(sentence(message))
    toggle = asked.objective.toggle is not None
    rows = drawn(token_rows, made, scores=scores, expect_loss=awaited, clickable=toggle)
    clickable(rows, "rows", (lambda name: _toggle(asked, made, name)) if toggle else None)
    st.html(legend(roles_shown(made), t, loss=made.n_targets > 0))
    st.html(drawn(figures_line, made, scores=scores, expect_loss=awaited))
    if scores is not None and scores.next_sentence is not None:
        st.markdown(sentence(_answer(*scores.next_sentence)))
    for message in made.notes:
        st.caption(sentence(message))


def _answer(follows: float, random: float) -> Message:
    """What the next-sentence head says."""
    given = {"follows": f"{follows:.1%}", "random": f"{random:.1%}"}
    return Message("The next-sentence head says at [CLS]: B follows A {follows}, B is random {random}.", given)


def _toggle(asked: Asked, made: Example, name: str) -> None:
    """A token was clicked: the settings change, and with them their fields."""
    from explorer.models import tokenizer

    toggle, position = asked.objective.toggle, int(name.rpartition(":")[2])
    assert toggle is not None  # noqa: S101 - for the type checker
    settings = toggle(asked.texts, tokenizer(asked.model), asked.settings, made, position)
    for field in knobs(settings):
        st.session_state[field] = getattr(settings, field)


def _raw_data(asked: Asked, beside: Callable[[Asked], None] | None) -> None:
    """Many examples at once; nothing is read until the box is opened."""
    if asked.objective.key not in SHAPES:
        return
    with st.expander(t("From raw data to a batch"), key="raw_data", on_change="rerun") as box:
        if box.open:
            batch_part(asked)
            if beside is not None:
                beside(asked)


def _folded(made: Example, scores: Scores | None) -> None:
    """The same values as tables, and the model's best guesses."""
    code = language()
    with st.expander(t("Table and CSV")):
        table_with_csv(_table(example_table, made, scores, code), made.objective)
    if scores is not None:
        with st.expander(t("Top 5 at each target"), key="top_five", on_change="rerun") as box:
            if box.open:
                table_with_csv(_table(top_table, made, scores, code), "top")


@lru_cache(maxsize=64)
def _table(view: Callable[..., pd.DataFrame], value: object, scores: Scores | None, code: str) -> pd.DataFrame:
    """Shared by all readers; `code` is the language."""
    say = say_in(code)
    return view(value, say=say) if scores is None else view(value, scores=scores, say=say)
