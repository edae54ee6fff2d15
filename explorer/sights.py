"""What a picture of attention shows: one head or several as one, all tokens or some, tokens or blocks of them.

Alphabet: L layers, H heads, Q queries, K keys; q and k those that are shown.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.combined import Floats, How, Weights, combined, renormalised
from explorer.streams import freeze
from explorer.types import Bools, Ints, Role, Stream

Pair = Literal["all", "aa", "ab", "ba", "bb"]
"""Which of two sentences looks at which."""

ASIDE = frozenset({Role.SPECIAL, Role.PAD})
"""Roles of tokens that are not of the text."""


@dataclass(frozen=True)
class Choice:
    """What the reader wants to see. hide: leave special tokens out and divide each row by what is left."""

    how: How = "head"
    layer: int = 0
    head: int = 0
    hide: bool = False
    pair: Pair = "all"


@dataclass(frozen=True, eq=False)
class Sight:
    """weights and mask (q,k) of what is shown; rows (q,) and columns (k,): their positions in the sequences."""

    weights: Floats
    mask: Bools
    rows: Ints
    columns: Ints

    def __post_init__(self) -> None:
        freeze(self, weights=np.float64, mask=bool, rows=np.int64, columns=np.int64)

    def part(self, rows: slice, columns: slice) -> Sight:
        """Some neighbouring rows and columns."""
        place = (rows, columns)
        return Sight(self.weights[place], self.mask[place], self.rows[rows], self.columns[columns])


def sight(weights: Weights, mask: Bools, choice: Choice, queries: Stream, keys: Stream) -> Sight:
    """Out of weights (L,H,Q,K) and mask (Q,K). Where hiding would leave nothing, nothing is hidden."""
    matrix = combined(weights, choice.how, choice.layer, choice.head)
    found = Sight(matrix, mask, np.arange(len(queries)), np.arange(len(keys)))
    rows, columns = of_the_text(queries), of_the_text(keys)
    if choice.hide and rows.any() and columns.any():
        kept = np.where(mask, matrix, 0.0)[rows]
        found = Sight(
            renormalised(kept, columns), mask[np.ix_(rows, columns)], found.rows[rows], found.columns[columns]
        )
    sides = halves(keys)
    if choice.pair == "all" or sides is None:
        return found
    looking, seen = ("ab".index(letter) for letter in choice.pair)
    return _cut(found, sides[found.rows] == looking, sides[found.columns] == seen)


def _cut(found: Sight, rows: Bools, columns: Bools) -> Sight:
    place = np.ix_(rows, columns)
    return replace(
        found,
        weights=found.weights[place],
        mask=found.mask[place],
        rows=found.rows[rows],
        columns=found.columns[columns],
    )


def of_the_text(stream: Stream) -> Bools:
    """(T,): True for what is neither special nor padding."""
    return np.array([role not in ASIDE for role in stream.roles], dtype=np.bool_)


def halves(stream: Stream) -> NDArray[np.int64] | None:
    """(T,): 0 for the first sentence of a pair and 1 for the second; None where there is no pair."""
    types = stream.token_types
    return types if types is not None and types.any() else None
