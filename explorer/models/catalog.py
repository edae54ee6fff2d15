"""What there is: a card for each model, which of its parts this machine has, and the nearest one that has a part.

A model is "weights", "tokenizer only" or "absent". All of it is read from file names and headers: nothing is loaded,
no network is asked, torch is not imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from typing import Literal

from explorer.models.cards import CARDS, OWN, Card
from explorer.models.checkpoint import Checkpoint, Part, family_of, read_checkpoint, read_config, stack_of
from explorer.models.glance import once_a_glance
from explorer.models.places import check_name, ours
from explorer.models.sources import WEIGHTS, local_names, locate, missing, tokenizer_folder
from explorer.objectives.base import Objective, Stack
from explorer.types import InputProblem, Message

State = Literal["weights", "tokenizer only", "absent"]


@once_a_glance
def catalogue() -> tuple[Card, ...]:
    """The published models, our own where they are there, then those of the school's mirror that are not among them."""
    here = local_names()
    own = [_sized(card) for card in OWN if card.name in here]
    known = {card.name for card in (*CARDS, *own)}
    return (*CARDS, *own, *(_found(name) for name in here if name not in known))


def canonical(name: str) -> str:
    """The full id: short names that the Hub once used are known too.

    >>> canonical("gpt2")
    'openai-community/gpt2'
    """
    short = {card.name.rpartition("/")[2]: card.name for card in CARDS}
    return short.get(name, name)


def card(name: str) -> Card:
    """The card of a model; one that is in no list gets one from its config.json, downloaded if need be. Raises
    InputProblem for what is no model id, cannot be had, or may not be typed on this host."""
    full = check_name(canonical(name))
    for known in catalogue():
        if known.name == full:
            return known
    check_allowed(full)
    tokenizer_folder(full)
    return _found(full)


def others_allowed() -> bool:
    """Whether ids outside the catalogue may be typed; a host forbids it with EXPLORER_ANY_MODEL=0."""
    return os.environ.get("EXPLORER_ANY_MODEL", "1") not in {"0", "false", "no", "off"}


def check_allowed(name: str) -> None:
    """Raises InputProblem for a model that may not be typed on this host."""
    names = () if others_allowed() else tuple(each.name for each in catalogue())
    if names and canonical(name) not in names:
        given = {"model": name, "names": ", ".join(names)}
        raise InputProblem("There is no model {model} here; the models are: {names}.", given)


def state(name: str) -> State:
    """What this machine has of a model."""
    source = locate(canonical(name))
    if source.weights is not None:
        return "weights"
    return "absent" if source.tokenizer is None else "tokenizer only"


def parts(name: str) -> frozenset[Part]:
    """The parts of a model that have weights on this machine; none where there are no weights, or a damaged file."""
    checkpoint = _checkpoint(name)
    return frozenset() if checkpoint is None else checkpoint.parts


def flaw(name: str) -> Message | None:
    """What is wrong with the weights of a model: a damaged file, or one that should have come with the app."""
    full = canonical(name)
    source = locate(full)
    try:
        if source.weights is not None:
            read_checkpoint(source.weights)
        elif ours(full) and source.tokenizer is not None:
            return missing(full, WEIGHTS).message
    except InputProblem as problem:
        return problem.message
    return None


def suited(objective: Objective, part: Part) -> str | None:
    """The best model with weights for `part` here to begin an objective with, or None: its usual one, else one that was
    trained with it, else one of its family or of its usual model's; of equals the first of the catalogue."""
    families = {objective.family, *(each.family for each in CARDS if each.name == objective.model)}

    def distance(each: Card) -> tuple[bool, bool, bool]:
        return each.name != objective.model, objective.key not in each.trained, each.family != objective.family

    suits = [each for each in catalogue() if objective.key in each.trained or each.family in families]
    near = [each for each in suits if each.stack == objective.stack]
    return next((each.name for each in sorted(near, key=distance) if part in parts(each.name)), None)


def best(near: str, part: Part | None = None) -> str | None:
    """The nearest model that has weights for `part` (None: a tokenizer is enough), or None where there is none.

    `near` is a model, a family or a stack. First the model itself, then its family, then its stack.
    """
    wanted = next((each for each in catalogue() if each.name == canonical(near)), None)
    names = {near} if wanted is None else {wanted.name, wanted.family, wanted.stack}

    def distance(each: Card) -> int:
        return 0 if each.name in names else 1 if each.family in names else 2 if each.stack in names else 3

    ordered = sorted(catalogue(), key=distance)
    return next((each.name for each in ordered if distance(each) < 3 and _has(each.name, part)), None)


def having(part: Part | None = None, stack: Stack | None = None) -> Iterable[Card]:
    """The cards of models that have weights for `part` (None: a tokenizer is enough) and this stack (None: any)."""
    return (each for each in catalogue() if stack in {None, each.stack} and _has(each.name, part))


def _has(name: str, part: Part | None) -> bool:
    return state(name) != "absent" if part is None else part in parts(name)


@once_a_glance
def _checkpoint(name: str) -> Checkpoint | None:
    place = locate(canonical(name)).weights
    try:
        return None if place is None else read_checkpoint(place)
    except InputProblem:
        return None


def _sized(card: Card) -> Card:
    """One of our own with the size of what lies in its folder."""
    checkpoint = _checkpoint(card.name)
    return card if checkpoint is None else replace(card, parameters=round(checkpoint.parameters / 10**6))


def _found(name: str) -> Card:
    """A card for a model that is in no list, from what its config tells."""
    source = locate(name)
    place = source.weights or source.tokenizer
    try:
        config = {} if place is None or place.packed else read_config(place.path)
    except InputProblem:
        # One broken folder must not take the whole list away; loading the model tells what is wrong with it.
        config = {}
    about = Message("Found on this machine; of the type {kind}.", {"kind": config.get("model_type", "unknown")})
    return Card(name, name, family_of(config), stack_of(config), about)
