"""Which position may look at which: boolean masks, what they are made of, and why a cell is open or closed.

True = may attend; rows look, columns are looked at. nn.Transformer's bool masks say the opposite (`hidden`). Full and
causal masks: Vaswani et al. 2017, section 3.2.3; prefix masks: Raffel et al. 2019, section 3.2.1 and figure 4.
Alphabet: T positions, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from explorer.types import AttentionKind, Bools, Example, Ints, Message, Stream, read_only


def full(q: int, k: int | None = None) -> Bools:
    """(Q,K), K = Q unless given: everyone looks at everyone."""
    return np.ones((q, q if k is None else k), dtype=np.bool_)


def causal(n: int) -> Bools:
    """(T,T): a position looks at itself and at what comes before it.

    >>> causal(3).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    """
    return np.tril(full(n))


def prefix(n: int, p: int) -> Bools:
    """(T,T): causal, but the first `p` positions are open to everyone. No row of the prefix sees past it.

    >>> prefix(4, 2).astype(int).tolist()
    [[1, 1, 0, 0], [1, 1, 0, 0], [1, 1, 1, 0], [1, 1, 1, 1]]
    """
    return causal(n) | (np.arange(n) < p)[None, :]


def padding(keep: ArrayLike, q: int | None = None) -> Bools:
    """(Q,K), Q = K unless given: keys where `keep` (K,) is 0 are closed to everyone; a pad's own row stays."""
    real = np.asarray(keep, dtype=np.bool_)
    return with_padding(full(len(real) if q is None else q, len(real)), real)


def cross(q: int, k: int, keep: ArrayLike | None = None) -> Bools:
    """(Q,K): every target position looks at every source position that `keep` (K,) calls real."""
    return full(q, k) if keep is None else padding(keep, q)


def block(documents: ArrayLike, causal: bool = True) -> Bools:
    """(T,T): a position looks only inside its own document; `documents` (T,) numbers them.

    >>> block([0, 0, 1]).astype(int).tolist()
    [[1, 0, 0], [1, 1, 0], [0, 0, 1]]
    """
    numbers = np.asarray(documents)
    same = np.equal(numbers[:, None], numbers[None, :])
    return np.asarray(np.tril(same) if causal else same, dtype=np.bool_)


def with_padding(mask: Bools, keep: ArrayLike) -> Bools:
    """(Q,K): the mask with the columns closed where `keep` (K,) is 0. Pad rows stay: they are computed all the same."""
    return np.asarray(mask & np.asarray(keep, dtype=np.bool_)[None, :], dtype=np.bool_)


def hidden(mask: Bools) -> Bools:
    """The same mask as nn.Transformer takes it: True = may not be looked at."""
    return np.logical_not(mask)


def allowed(mask: Bools) -> int:
    """How many cells are open."""
    return int(mask.sum())


def empty_rows(mask: Bools) -> Bools:
    """(Q,): True for a row that may look at nothing; softmax over it is 0/0, not a number."""
    return np.asarray(~mask.any(axis=1), dtype=np.bool_)


def positions(keep: ArrayLike) -> Ints:
    """(T,): position ids that count only real tokens; 0 at pads before them, so that every id has an embedding.

    >>> positions([0, 0, 1, 1, 1]).tolist()
    [0, 0, 0, 1, 2]
    """
    real = np.asarray(keep, dtype=np.bool_)
    return read_only(np.where(real, np.cumsum(real) - 1, 0), np.int64)


def document_positions(documents: ArrayLike) -> Ints:
    """(T,): position ids that start again at 0 with each run of one document number.

    >>> document_positions([0, 0, 0, 1, 1]).tolist()
    [0, 1, 2, 0, 1]
    """
    numbers = np.asarray(documents)
    at = np.arange(len(numbers))
    starts = np.r_[True, numbers[1:] != numbers[:-1]][: len(numbers)]
    return read_only(at - np.maximum.accumulate(np.where(starts, at, 0)), np.int64)


def document_numbers(lengths: Sequence[int]) -> Ints:
    """(T,): the number of the document at each position, from the documents' lengths.

    >>> document_numbers([3, 2]).tolist()
    [0, 0, 0, 1, 1]
    """
    return read_only(np.repeat(np.arange(len(lengths)), lengths), np.int64)


@dataclass(frozen=True, eq=False)
class Rules:
    """What a mask is made of. The picture (`mask`) and the words (`reason`) come from the same rules.

    queries Q, keys K; causal: no looking ahead; prefix: so many first positions are open to all the same;
    documents (T,) numbers or None; keep (K,) True = real token, or None; cross: queries are another sequence.
    """

    queries: int
    keys: int
    causal: bool = False
    prefix: int = 0
    documents: Ints | None = None
    keep: Bools | None = None
    cross: bool = False

    @cached_property
    def mask(self) -> Bools:
        """(Q,K) read-only, True = may attend."""
        mask = prefix(self.queries, self.prefix) if self.causal else full(self.queries, self.keys)
        if self.documents is not None:
            mask = mask & block(self.documents, causal=False)
        if self.keep is not None:
            mask = with_padding(mask, self.keep)
        return read_only(mask, np.bool_)


def reason(rules: Rules, i: int, j: int) -> Message:
    """Why row `i` may or may not look at column `j`, in words."""
    values = {"query": i, "key": j, "prefix": rules.prefix}
    if rules.keep is not None and not rules.keep[j]:
        return Message("Closed: position {key} is padding, and nobody looks at padding.", values)
    if rules.documents is not None and rules.documents[i] != rules.documents[j]:
        return Message("Closed: positions {query} and {key} belong to different documents.", values)
    if rules.causal and j > i:
        return _ahead(rules, i, values)
    return _open(rules, i, j, values)


def _ahead(rules: Rules, i: int, values: dict[str, int]) -> Message:
    if values["key"] < rules.prefix:
        return Message("Open: position {key} lies in the prefix, which is read both ways.", values)
    if i < rules.prefix:
        return Message("Closed: position {key} is in the target, and the prefix never sees the target.", values)
    return Message("Closed: position {key} comes after position {query}, and nobody looks ahead.", values)


def _open(rules: Rules, i: int, j: int, values: dict[str, int]) -> Message:
    if rules.cross:
        return Message("Open: every target position may look at every real token of the source.", values)
    if i == j:
        return Message("Open: position {query} looks at itself.", values)
    if j < i:
        return Message("Open: position {key} comes before position {query}.", values)
    return Message("Open: position {key} comes after position {query}, and here everyone looks both ways.", values)


def row_note(rules: Rules, i: int) -> Message | None:
    """What is odd about row `i` as a whole: it may look at nothing, or it belongs to a pad; None if nothing is."""
    if not rules.mask[i].any():
        return Message(
            "Position {query} may look at nothing: its weights are 0/0, not a number, so there is no query to draw.",
            {"query": i},
        )
    if not rules.cross and rules.keep is not None and not rules.keep[i]:
        return Message(
            "Position {query} is padding: its row is computed all the same, but nobody reads it.", {"query": i}
        )
    return None


def rules_of(example: Example, kind: AttentionKind) -> Rules:
    """The rules behind one mask of an Example. Raises ValueError where the mask follows none that we know."""
    mask = getattr(example.masks, kind)
    keys = example.decoder if kind == "decoder" else example.encoder
    if mask is None or keys is None:
        raise ValueError(f"{example.objective} has no {kind} attention")
    for rules in _guesses(keys, mask, kind):
        if np.array_equal(rules.mask, mask):
            return rules
    raise ValueError(f"the {kind} mask of {example.objective} follows no known rule")


def _guesses(keys: Stream, mask: Bools, kind: AttentionKind) -> list[Rules]:
    """The rules that could have made `mask`. Its first row looks exactly as far as the prefix goes."""
    q, k = mask.shape
    keep = None if keys.attention_mask.all() else keys.attention_mask.astype(np.bool_)
    last = int(np.flatnonzero(mask[:1].any(axis=0)).max(initial=0))
    ahead = last + 1 if last else 0
    if kind == "cross":
        return [Rules(q, k, keep=keep, cross=True)]
    looks = kind == "decoder"
    return [Rules(q, k, looks, ahead if looks else 0, documents, keep) for documents in (None, keys.documents)]
