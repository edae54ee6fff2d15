"""Examples side by side: filled up on the right to one length, under transformers' names, and what the filling costs.

Pads have the tokenizer's padding token (or its end token, where it has none), attention 0 and the label IGNORE.
Alphabet: B batch, T source or only sequence, S target.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.example import CLOSED
from explorer.tokenizer import Tokenizer
from explorer.types import IGNORE, Example, Ints

IDS = ("input_ids", "decoder_input_ids")


@dataclass(frozen=True, eq=False)
class Batch:
    """inputs: arrays under transformers' names, without labels; compared (B,T) or (B,S): the label that each output is
    compared with; next_sentence (B,) or None; tokens: those read by all stacks, without the pads."""

    inputs: Mapping[str, NDArray[Any]]
    compared: Ints
    next_sentence: Ints | None
    tokens: int

    @property
    def targets(self) -> int:
        """How many outputs have loss."""
        return int((self.compared != IGNORE).sum())


@dataclass(frozen=True)
class Row:
    """What a batch keeps of an Example: arrays without a batch axis."""

    inputs: Mapping[str, NDArray[Any]]
    compared: Ints
    next_sentence: int | None

    @property
    def sizes(self) -> tuple[int, int]:
        """Tokens of the first stack, and of the second."""
        second = self.inputs.get("decoder_input_ids")
        return len(self.inputs["input_ids"]), 0 if second is None else len(second)


def row_of(example: Example) -> Row:
    """What a batch keeps of an Example."""
    inputs = {name: array[0] for name, array in example.model_inputs().items()}
    labels = ("labels", *example.extra)
    kept = {name: array for name, array in inputs.items() if name not in labels}
    return Row(kept, example.compared, example.extra.get("next_sentence_label"))


def collate(rows: Sequence[Row], tokenizer: Tokenizer) -> Batch:
    """One batch of rows that have the same inputs."""
    follows = [row.next_sentence for row in rows if row.next_sentence is not None]
    return Batch(
        stacked([row.inputs for row in rows], tokenizer),
        _padded([row.compared for row in rows], IGNORE),
        np.array(follows, dtype=np.int64) if follows else None,
        sum(sum(row.sizes) for row in rows),
    )


def passed(examples: Sequence[Example], tokenizer: Tokenizer) -> dict[str, NDArray[Any]]:
    """What a model of transformers is called with for all examples at once, labels as they are passed included."""
    alone = [example.model_inputs() for example in examples]
    return stacked([{name: array[0] for name, array in each.items()} for each in alone], tokenizer)


def stacked(rows: Sequence[Mapping[str, NDArray[Any]]], tokenizer: Tokenizer) -> dict[str, NDArray[Any]]:
    """(B, ...) for each name of the first row, which all rows have."""
    special = tokenizer.special
    pad = special.eos if special.pad is None else special.pad
    fill = {**dict.fromkeys(IDS, pad), "labels": IGNORE}
    return {name: _filled([row[name] for row in rows], fill.get(name, 0)) for name in rows[0]}


def _filled(arrays: Sequence[NDArray[Any]], value: Any) -> NDArray[Any]:
    """(B, ...) padded; a float mask (1,T,T) is closed to and at the pads, but that they may look at the first token: a
    row without any open cell would have no softmax."""
    if arrays[0].ndim < 3:
        return _padded(arrays, value)
    made = _padded(arrays, CLOSED)
    for mask, array in zip(made, arrays, strict=True):
        mask[:, array.shape[-1] :, 0] = 0.0
    return made


def _padded(arrays: Sequence[NDArray[Any]], value: Any) -> NDArray[Any]:
    """(B, ...) each array filled up at the end of its axes."""
    shape = tuple(map(max, zip(*(array.shape for array in arrays), strict=True)))
    made = np.full((len(arrays), *shape), value, dtype=arrays[0].dtype)
    for row, array in enumerate(arrays):
        place: tuple[Any, ...] = (row, *(slice(size) for size in array.shape))
        made[place] = array
    return made


Sizes = tuple[int, ...]
"""Tokens of a sequence in each stack that reads it."""


@dataclass(frozen=True)
class Plan:
    """Which sequences stand in which batch, and how long a row of each batch is, stack by stack."""

    sizes: tuple[Sizes, ...]
    batches: tuple[tuple[int, ...], ...]
    widths: tuple[Sizes, ...]

    @property
    def tokens(self) -> int:
        """Positions with a token of a sequence."""
        return sum(map(sum, self.sizes))

    @property
    def cells(self) -> int:
        """Positions that are computed, pads included."""
        return sum(len(batch) * sum(width) for batch, width in zip(self.batches, self.widths, strict=True))

    @property
    def wasted(self) -> float:
        """The share of the computed positions that are pads."""
        return 1 - self.tokens / self.cells if self.cells else 0.0


def in_order(sizes: Sequence[Sizes], most: int) -> Plan:
    """Batches of `most` sequences as they come, each as wide as its longest.

    >>> plan = in_order([(2,), (8,), (3,), (7,)], 2)
    >>> plan.batches, plan.widths, round(plan.wasted, 3)
    (((0, 1), (2, 3)), ((8,), (7,)), 0.333)
    """
    return _planned(sizes, range(len(sizes)), most)


def by_length(sizes: Sequence[Sizes], most: int) -> Plan:
    """The same with neighbours of about one length: the longest come first, so that a batch that is not full holds the
    shortest.

    >>> by_length([(2,), (8,), (3,), (7,)], 2).batches
    ((1, 3), (2, 0))
    """
    return _planned(sizes, sorted(range(len(sizes)), key=lambda at: sizes[at], reverse=True), most)


def _planned(sizes: Sequence[Sizes], order: Sequence[int], most: int) -> Plan:
    batches = tuple(tuple(order[at : at + most]) for at in range(0, len(order), most))
    widths = tuple(tuple(map(max, zip(*(sizes[at] for at in batch), strict=True))) for batch in batches)
    return Plan(tuple(sizes), batches, widths)


def packed(sizes: Sequence[Sizes], block: int) -> Plan:
    """Sequences of one stack, one behind the other, cut into rows of `block` tokens; only the end of the last row is
    padding. The sequences of this plan are the filled rows.

    >>> packed([(2,), (8,), (3,)], 5).sizes
    ((5,), (5,), (3,))
    """
    total = sum(map(sum, sizes))
    rows = tuple((min(block, total - start),) for start in range(0, total, block))
    return Plan(rows, (tuple(range(len(rows))),), ((block,),))
