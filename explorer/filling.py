"""Filling the gaps of a masked language model: its own way to write, and why it is no generator.

Devlin et al. 2019, section 3.1: each gap is predicted on its own, from all that is read on both sides. So all gaps at
once may not fit each other; one by one each answer sees those before it, and the order changes the text. N gaps, V
vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Literal, get_args

from explorer import sampling
from explorer.models import runtime, tokenizer
from explorer.tokens import visible_pieces
from explorer.types import Candidate, InputProblem, ModelId, SamplingSettings

Order = Literal["left", "right", "surest", "at once"]
"""Which gap comes next: the first, the last, the one with the most probable answer, or all in one pass."""

SHOWN = 5
"""Candidates that a fill keeps."""


@dataclass(frozen=True)
class Fill:
    """One gap filled: where, with what, how probable it was, among what, and in which pass."""

    position: int
    chosen: int
    piece: str
    probability: float
    candidates: tuple[Candidate, ...]
    round: int


@dataclass(frozen=True)
class Filling:
    """A text with gaps: its ids as they are now, where the gaps were, and what has been filled so far."""

    model: ModelId
    ids: tuple[int, ...]
    gaps: tuple[int, ...]
    fills: tuple[Fill, ...] = ()

    @property
    def open(self) -> tuple[int, ...]:
        """The gaps that are still to be filled."""
        done = {fill.position for fill in self.fills}
        return tuple(position for position in self.gaps if position not in done)


def start(model: ModelId, text: str) -> Filling:
    """The text with its mask tokens as gaps. Raises InputProblem where there are none."""
    words = tokenizer(model.name)
    ids = words.encode(text).ids
    gaps = tuple(position for position, id in enumerate(ids) if id == words.special.mask)
    if words.special.mask is None or not gaps:
        piece = "[MASK]" if words.special.mask is None else words.piece(words.special.mask)
        raise InputProblem("The text has no gap. Write {piece} where a word is missing.", {"piece": piece})
    return Filling(model, ids, gaps)


def fill(filling: Filling, order: Order) -> Filling:
    """One forward pass: fills one gap by the order, or all that are open. Where none is open, nothing changes."""
    if not filling.open:
        return filling
    rows = runtime().gaps(filling.model, filling.ids, filling.open)
    made = [_fill(filling, position, row) for position, row in zip(filling.open, rows, strict=True)]
    chosen = made if order == "at once" else [_next(made, order)]
    ids = list(filling.ids)
    for each in chosen:
        ids[each.position] = each.chosen
    return replace(filling, ids=tuple(ids), fills=(*filling.fills, *chosen))


def fill_all(filling: Filling, order: Order) -> Filling:
    """Passes until no gap is open."""
    if order not in get_args(Order):
        known = {"value": order, "names": ", ".join(get_args(Order))}
        raise InputProblem("{value} is no order; choose one of: {names}.", known)
    while filling.open:
        filling = fill(filling, order)
    return filling


def _fill(filling: Filling, position: int, logits: sampling.Floats) -> Fill:
    words = tokenizer(filling.model.name)
    sampled = sampling.apply(logits, SamplingSettings())
    best = int(sampled.model.argmax())
    found = sampling.candidates(sampled, partial(visible_pieces, tokenizer=words), SHOWN)
    number = 1 + max((each.round for each in filling.fills), default=0)
    return Fill(position, best, found[0].piece, float(sampled.model[best]), found, number)


def _next(made: Sequence[Fill], order: Order) -> Fill:
    if order == "surest":
        return max(made, key=lambda each: each.probability)
    return made[0] if order == "left" else made[-1]
