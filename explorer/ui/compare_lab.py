"""The compare page: one sentence through every family, or one objective twice with what differs marked."""

from __future__ import annotations

import streamlit as st

from explorer.comparison import WAYS, Columns, Way, differences
from explorer.objectives import Objective, objective, objectives
from explorer.settings import knobs
from explorer.types import Example, InputProblem, Message
from explorer.ui import frame
from explorer.ui.choice import choose
from explorer.ui.compare_parcel import Shown, families_parcel, pair_parcel
from explorer.ui.controls import Asked, ask, chips, model_field, report_address, settings_strip
from explorer.ui.lessons import lesson_box
from explorer.ui.made import drawn, example
from explorer.ui.models import introduce, models_for
from explorer.ui.take_home_part import take_home
from explorer.ui.texts import text_field
from explorer.ui.visits import Fields, enter, leave
from explorer.ui.words import sentence, t
from explorer.views.compared import compared_table
from explorer.views.figures import figures_line
from explorer.views.roles import legend
from explorer.views.rows import roles_shown, token_rows

VIEWS = {"families": Message("All families"), "pair": Message("Two settings or models")}

PAIRS = (
    ("The dog ran to the park.", "Der Hund lief in den Park."),
    ("Tom has a dog.", "Tom hat einen Hund."),
    ("I do not know what he wants to do.", "Ich weiß nicht, was er tun will."),
    ("나는 어제 학교에 갔습니다.", "I went to school yesterday."),
)
"""A sentence and a translation, for the family that needs one. The words of the first are one token each in every
vocabulary, so that no family takes out half a word."""


def compare_lab() -> None:
    """The whole page."""
    frame.page("compare")
    frame.question(
        Message("One text, every family: what goes in, what is compared, who shifts, and how much it teaches.")
    )
    view = choose("view", t("Compare"), {name: t(word) for name, word in VIEWS.items()}, "families")
    if view == "families":
        _families()
    else:
        _pair()
    lesson_box("compare")


def _families() -> None:
    start: Fields = dict(zip(("text", "target"), PAIRS[0], strict=True))
    enter("compare/families", start, {"target": ""})
    left, right = st.columns([3, 2])
    place = st.container()
    with left:
        text = text_field("text", t("Text"), PAIRS[0][0])
    with right:
        target = text_field("target", t("Translation, for the Transformer"), PAIRS[0][1])
    with place:
        titles = [Message("{text}", {"text": pair[0]}) for pair in PAIRS]
        chips(titles, [dict(zip(("text", "target"), pair, strict=True)) for pair in PAIRS])
    report_address()
    leave(start)
    found = [_through(way, text, target) for way in WAYS]
    st.html(compared_table([each.line for each in found], t))
    st.header(t("What each one is fed"), anchor=False)
    for each in found:
        if each.example is not None:
            _strip_of(each, each.example)
    made = [each.example for each in found if each.example is not None]
    st.html(legend([role for one in made for role in roles_shown(one)], t))
    take_home(lambda: families_parcel(text, found))


def _through(way: Way, text: str, target: str) -> Shown:
    """The sentence in one family, with the model that its page begins with and its usual settings."""
    asked = objective(way.objective)
    _, model = models_for(asked)
    try:
        return Shown(way, model, example(asked.key, way.texts(text, target), asked.Settings(), 0, model), None)
    except InputProblem as problem:
        return Shown(way, model, None, problem.message)


def _strip_of(shown: Shown, made: Example) -> None:
    """A heading that leads to the page, and the rows without those that only the page needs."""
    with st.container(horizontal=True, vertical_alignment="center", key=f"of_{shown.way.page}"):
        frame.link(shown.way.page, "content")
        st.caption(sentence(Message("{model}", {"model": shown.model})), width="content")
    introduce(shown.model)
    st.html(drawn(token_rows, made, brief=True))


def _pair() -> None:
    known = {key: f"{t(frame.PAGES[item.page].title)}: {t(item.title)}" for key, item in objectives().items()}
    key = choose("objective", t("Objective"), known, "masked_lm", width=340)
    chosen = objective(key)
    models, first = models_for(chosen)
    other: Fields = {"model_b": first, **_other(chosen)}
    asked = ask(chosen, models, first, f"compare/{key}", other)
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="small", key="strip_b"):
        model = model_field(models, first, key="model_b")
        settings, seed = settings_strip(chosen, "_b")
    second = Asked(chosen, asked.texts, settings, seed, model)
    a, b = _made(asked), _made(second)
    if a is None or b is None:
        return
    columns = differences(a, b)
    _told(columns)
    for name, each, marked in zip(("A", "B"), (a, b), columns, strict=True):
        _side(name, each, marked)
    st.html(legend([*roles_shown(a), *roles_shown(b)], t))
    take_home(lambda: pair_parcel(((asked, a), (second, b)), columns))


def _other(chosen: Objective) -> Fields:
    """The fields of the second strip at first: another seed, or the first mistake switched on."""
    hows = knobs(chosen.Settings)
    fields = {f"{name}_b": getattr(chosen.Settings(), name) for name in hows}
    trap = next((name for name, how in hows.items() if how.trap and isinstance(fields[f"{name}_b"], bool)), None)
    if chosen.chance:
        return {**fields, "seed_b": 1}
    return {**fields, f"{trap}_b": True} if trap else fields


def _made(asked: Asked) -> Example | None:
    try:
        return example(asked.objective.key, asked.texts, asked.settings, asked.seed, asked.model)
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None


def _told(columns: tuple[Columns, Columns]) -> None:
    a, b = map(len, columns)
    if not a and not b:
        st.caption(t("A and B are the same in every column."))
        return
    st.caption(t("≠ marks what the other one does not have: {a} columns of A, {b} of B.", a=a, b=b))


def _side(name: str, made: Example, marked: Columns) -> None:
    st.header(name, anchor=False)
    st.html(drawn(token_rows, made, marked=marked))
    st.html(drawn(figures_line, made))
