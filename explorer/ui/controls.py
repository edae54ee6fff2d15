"""The fields of an objective, made from its text boxes and knobs. Each has its own name as key and in the URL."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from explorer.models.catalog import others_allowed
from explorer.objectives import Objective, ReadyExample, TextBox, Texts
from explorer.ready import ready
from explorer.settings import Knob, knob, knobs, parse_settings
from explorer.types import InputProblem, Message
from explorer.ui.choice import choose
from explorer.ui.models import check_models, first_linked, introduce, linked, which_may
from explorer.ui.texts import text_field
from explorer.ui.visits import Fields, brought, enter, is_ready, leave, offer, refuse, refused
from explorer.ui.words import literal, sentence, t

NARROW = 124
"""Pixels of a field for one number."""

CHOICE = 172
"""Pixels of a field for one of several words."""


@dataclass(frozen=True)
class Common:
    """What every objective has beside its own settings."""

    seed: int = knob(
        0,
        Message("Seed"),
        help=Message("Another seed, another draw; the same seed, the same example."),
        low=0,
        high=2**31,
    )


@dataclass(frozen=True)
class Asked:
    """What the reader asks for: all that an Example is made from."""

    objective: Objective
    texts: Texts
    settings: Any
    seed: int
    model: str


def ask(
    objective: Objective, models: list[str], model: str, place: str | None = None, beside: Fields | None = None
) -> Asked:
    """Draw boxes, ready examples and the strip of settings. models: what to choose from; model: where it starts;
    place: where the reader is, if not at the objective itself; beside: what other fields of the place start with."""
    first = ready(objective, first_linked(model))[0]
    start = {**_ready_fields(objective, first), "model": model, **(beside or {})}
    if "text" in st.query_params or brought():
        start |= _plain_fields(objective)
    unused: Fields = {box.name: "" for box in objective.boxes if box.optional}
    if enter(place or objective.key, start, {**_by_hand(objective, "text"), **unused}):
        check_address(objective.Settings, Common)
        check_models(*(name for name in ("model", "model_b") if name in start))
    report_address()
    above, chips_place = st.container(), st.container()
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="small", key="strip"):
        chosen = model_field(models, model, lambda: _suit(objective))
        settings, seed = settings_strip(objective)
    with above:
        texts = _boxes(objective, first.texts)
    with chips_place:
        _chips(objective, ready(objective, chosen))
    introduce(chosen)
    leave(start)
    return Asked(objective, texts, settings, seed, chosen)


def _suit(objective: Objective) -> None:
    """Another model was chosen: where the text is the app's own, and for another model, one that suits it comes."""
    suits, text = ready(objective, st.session_state["model"]), st.session_state.get("text")
    if is_ready(text) and all(each.texts.text != text for each in suits):
        _fill(_ready_fields(objective, suits[0]))


def model_field(models: list[str], model: str, on_change: Callable[[], None] | None = None, key: str = "model") -> str:
    """Which model: one of the list, the one that the URL asks for, or any other name on the Hub; a host can forbid
    those that it does not have."""
    chosen = st.selectbox(
        t("Model"),
        [*dict.fromkeys([*models, *linked(key)])],
        index=models.index(model),
        key=key,
        accept_new_options=others_allowed(),
        on_change=on_change,
        bind="query-params",
        width=252,
        help=which_may(),
    )
    return chosen or model


def _boxes(objective: Objective, first: Texts) -> Texts:
    """The text boxes side by side; a conversation, which takes their place, is folded until it is used. first: what
    they begin with."""
    given: dict[str, str] = {}
    beside = [box for box in objective.boxes if box.name != "messages"]
    for box, column in zip(beside, st.columns([1 if box.name == "target" else 2 for box in beside]), strict=True):
        with column:
            given[box.name] = _box(objective, box, first)
    for box in objective.boxes:
        if box.name == "messages":
            with st.expander(t(box.label), expanded=bool(st.session_state.get("messages"))):
                given[box.name] = _box(objective, box, first)
    return Texts(**{name: text for name, text in given.items() if name == "text" or text})


def _box(objective: Objective, box: TextBox, first: Texts) -> str:
    words = t("{label} (optional)", label=box.label) if box.optional else t(box.label)
    emptied = _by_hand(objective, box.name)
    return text_field(box.name, words, getattr(first, box.name) or "", box.rows, on_change=_fill, args=(emptied,))


def _chips(objective: Objective, examples: Sequence[ReadyExample]) -> None:
    chips([each.title for each in examples], [_ready_fields(objective, each) for each in examples])


def chips(titles: Sequence[Message], fills: Sequence[Fields]) -> None:
    """Ready examples by their titles, each with the fields that it fills; the one on the page is marked."""
    offer(each.get("text") for each in fills)
    current = [all(st.session_state[name] == value for name, value in each.items()) for each in fills]
    st.session_state["example"] = current.index(True) if any(current) else None
    st.pills(
        t("Ready examples"),
        range(len(titles)),
        format_func=lambda at: t(titles[at]),
        key="example",
        label_visibility="collapsed",
        on_change=lambda: _fill(fills[st.session_state["example"] or 0]),
    )


def settings_strip(objective: Objective, suffix: str = "") -> tuple[Any, int]:
    """The settings and the seed: common ones first, then traps, then the seed where there is chance; rare ones behind a
    button. suffix: what the keys of a second strip end with."""
    kind = objective.Settings
    hows = knobs(kind)

    def fields(names: Iterable[str]) -> dict[str, Any]:
        return {name: control(name, hows[name], kind, name + suffix) for name in names}

    values = fields(name for name, how in hows.items() if not how.rare and not how.trap)
    values |= fields(name for name, how in hows.items() if how.trap)
    seed = control("seed", knobs(Common)["seed"], Common, "seed" + suffix) if objective.chance else 0
    rare = [name for name, how in hows.items() if how.rare]
    if rare:
        with st.popover(t("More")):
            values |= fields(rare)
    return kind(**values), seed


def control(name: str, how: Knob, kind: type, key: str | None = None) -> Any:
    """The field of one setting, with its name as key unless another is given; its type is that of its default."""
    label, help, default, key = t(how.label), t(how.help) if how.help else None, getattr(kind, name), key or name
    if how.choices is not None:
        return choose(key, label, {word: t(told) for word, told in how.choices.items()}, default, help, width=CHOICE)
    if isinstance(default, bool):
        return st.toggle(label, value=default, key=key, help=help, bind="query-params")
    if isinstance(default, str):
        return st.text_input(label, value=default, key=key, help=help, bind="query-params", width=2 * NARROW)
    number = type(default)
    return st.number_input(
        label,
        min_value=None if how.low is None else number(how.low),
        max_value=None if how.high is None else number(how.high),
        value=default,
        step=None if how.step is None else number(how.step),
        key=key,
        help=help,
        bind="query-params",
        width=NARROW,
    )


def check_address(*kinds: type) -> None:
    """Find the settings in the URL that cannot be used; their fields keep what they start with."""
    reasons = []
    for kind in kinds:
        for name in knobs(kind):
            try:
                parse_settings(kind, {name: st.query_params[name]} if name in st.query_params else {})
            except InputProblem as problem:
                reasons.append(labelled(problem.message, kind))
    refuse([*refused(), *reasons])


def labelled(message: Message, kind: type) -> Message:
    """The message with the label of a setting where it has the setting's name in the code."""
    how = knobs(kind).get(str(message.values.get("name")))
    return message if how is None else replace(message, values={**message.values, "name": how.label})


def report_address() -> None:
    """Say which settings in the URL cannot be used."""
    for reason in refused():
        goes_on = t("The address of this page asked for it; the page goes on without it.")
        st.warning(f"{sentence(reason)} {literal(goes_on)}")


def _ready_fields(objective: Objective, example: ReadyExample) -> Fields:
    """What the fields hold when a ready example is on the page."""
    texts: Fields = {box.name: getattr(example.texts, box.name) or "" for box in objective.boxes}
    settings: Any = parse_settings(objective.Settings, example.settings)
    return {**texts, **_setting_fields(settings), **({"seed": example.seed} if objective.chance else {})}


def _plain_fields(objective: Objective) -> Fields:
    """Settings as they are when nobody has touched them."""
    return {**_setting_fields(objective.Settings()), **({"seed": Common().seed} if objective.chance else {})}


def _setting_fields(settings: Any) -> Fields:
    return {name: getattr(settings, name) for name in knobs(settings)}


def _by_hand(objective: Objective, box: str) -> Fields:
    """Settings that are written for one text, such as positions: empty when another stands in the box."""
    hows = knobs(objective.Settings)
    return {name: value for name, value in _setting_fields(objective.Settings()).items() if box in hows[name].bound}


def _fill(fields: Fields) -> None:
    for name, value in fields.items():
        st.session_state[name] = value
