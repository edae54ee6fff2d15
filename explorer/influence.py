"""The mask measured from outside: replace one token and see where the output changes.

A closed path cannot carry a change, so the cells that stay at exactly 0 are those that the mask closes through all
layers. Alphabet: Q outputs, K inputs, T positions.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from explorer.masks import full, prefix
from explorer.streams import freeze
from explorer.tokens import Tokenizer, visible_pieces
from explorer.types import AttentionKind, Bools, Example, InputProblem, Ints, Masks

LONGEST = 64
"""The most tokens of a sequence whose influence is measured: each of them is one more reading."""


@dataclass(frozen=True, eq=False)
class Influence:
    """change (Q,K): the largest absolute change of any number of output i when input j is replaced; kind: which
    stacks look and are looked at."""

    change: NDArray[np.float32]
    kind: AttentionKind

    def __post_init__(self) -> None:
        freeze(self, change=np.float32)


def replacements(ids: Ints) -> Ints:
    """(T,): for each position the next token of the text (from the start again after its end) that is another one.
    Raises InputProblem where all tokens are the same.

    >>> replacements(np.array([5, 5, 7])).tolist()
    [7, 7, 5]
    """
    if len(set(ids.tolist())) < 2:
        raise InputProblem("The text has only one kind of token, so there is none to put in its place. Type more.")
    turns = (np.roll(ids, -step) for step in range(1, len(ids)))
    found = ids.copy()
    for other in turns:
        found = np.where(found == ids, other, found)
    return found


def reach(mask: Bools) -> Bools:
    """(T,T): which inputs can touch which outputs through any number of layers under this mask; each its own.

    >>> reach(np.array([[0, 1, 0], [0, 0, 1], [0, 0, 0]], dtype=bool)).astype(int).tolist()
    [[1, 1, 1], [0, 1, 1], [0, 0, 1]]
    """
    found = mask | np.eye(len(mask), dtype=bool)
    for _ in range(len(mask).bit_length()):
        found = found @ found
    return np.asarray(found)


def reachable(masks: Masks, kind: AttentionKind) -> Bools:
    """(Q,K): where a change may show. A source token reaches the decoder through the encoder, by any target position
    before."""
    if kind == "encoder":
        return reach(_given(masks.encoder))
    within = reach(_given(masks.decoder))
    return within if kind == "decoder" else np.asarray(within @ _given(masks.cross) @ reach(_given(masks.encoder)))


def _given(mask: Bools | None) -> Bools:
    if mask is None:
        raise ValueError("the example has no such mask")
    return mask


def outside(influence: Influence, masks: Masks) -> tuple[int, float, int]:
    """How many cells no change may reach, the largest change there (0 in a right model), and how many of the other
    cells changed."""
    may = reachable(masks, influence.kind)
    beyond = influence.change[~may]
    return int((~may).sum()), float(beyond.max(initial=0.0)), int((influence.change[may] > 0).sum())


MASKS = ("causal", "prefix", "full")
"""The masks that a decoder's weights can be run with."""


def with_mask(example: Example, name: str, length: int) -> Example:
    """A decoder's example under another mask: causal, prefix (the first `length` positions see one another) or full;
    padding stays closed. Tokens and labels stay."""
    size = len(example.output)
    allowed = full(size) if name == "full" else prefix(size, length if name == "prefix" else 0)
    mask = np.asarray(allowed & example.output.attention_mask.astype(bool)[None, :])
    return replace(example, masks=replace(example.masks, decoder=mask))


def with_token(example: Example, kind: AttentionKind, position: int, id: int, tokenizer: Tokenizer) -> Example:
    """The example with another token at one position of the keys' stream of `kind`; labels stay."""
    decoder = kind == "decoder"
    stream = example.decoder if decoder else example.encoder
    if stream is None:
        raise ValueError(f"{example.objective} has no keys of kind {kind}")
    ids = stream.ids.copy()
    ids[position] = id
    piece, seen = tokenizer.piece(id), visible_pieces([id], tokenizer)[0]
    changed = replace(
        stream,
        ids=ids,
        pieces=_put(stream.pieces, position, piece),
        visible=_put(stream.visible, position, seen),
    )
    return replace(example, decoder=changed) if decoder else replace(example, encoder=changed)


def _put(pieces: tuple[str, ...], at: int, piece: str) -> tuple[str, ...]:
    return (*pieces[:at], piece, *pieces[at + 1 :])
