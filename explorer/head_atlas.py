"""What every head does, in a few numbers, and names for the heads whose numbers leave no doubt.

Entropy and distance follow Clark et al. 2019, "What Does BERT Look At?"; the score for copying is the prefix match of
Olsson et al. 2022, section "Per-head measures": the weight on the token after an earlier occurrence of the token that
looks. Alphabet: L layers, H heads, Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from explorer.masks import empty_rows
from explorer.types import Bools, Ints, Message

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Measures:
    """(L,H) each, means over the rows that have a choice: two open cells or more (all that look, where none has).

    entropy in nats; even: the share of the entropy that a row spread evenly over its open cells would have (1 = even);
    distance in positions; first, last, own, previous, pads: the share of the weight there; copying: the share on the
    token after an earlier occurrence, over the rows that have one. What cannot be is NaN: own, previous and distance
    of cross-attention, copying in a text without repetition.
    """

    entropy: Floats
    even: Floats
    distance: Floats
    first: Floats
    last: Floats
    own: Floats
    previous: Floats
    pads: Floats
    copying: Floats


def measure(weights: NDArray[np.floating], mask: Bools, ids: Ints, real: Bools, *, same: bool) -> Measures:
    """Weights (L,H,Q,K); mask (Q,K) True = open; ids (K,) of the keys; real (K,) False = padding; same: whether the
    queries are the keys (self-attention). first and last are the first and the last real key."""
    parts = [_layer(heads, mask, ids, real, same=same) for heads in weights]
    return Measures(**{each.name: np.stack([part[each.name] for part in parts]) for each in fields(Measures)})


def _layer(weights: NDArray[np.floating], mask: Bools, ids: Ints, real: Bools, *, same: bool) -> dict[str, Floats]:
    """The measures of one layer (H,Q,K): layer by layer, so that a long text needs little memory."""
    looks = mask.sum(axis=1) > 1
    looks = looks if looks.any() else ~empty_rows(mask)
    rows = np.where(mask, weights, 0.0).astype(np.float64)[:, looks]  # (H,Q,K)
    logs = np.log(rows, out=np.zeros_like(rows), where=rows > 0)
    entropy = -(rows * logs).sum(axis=-1).mean(axis=-1)
    most = float(np.log(np.maximum(mask[looks].sum(axis=1), 1)).mean())
    ends = np.flatnonzero(real)[[0, -1]]
    nothing = np.full(len(weights), np.nan)
    found = {
        "entropy": entropy,
        "even": entropy / most if most else np.ones_like(entropy),
        "first": rows[..., ends[0]].mean(axis=-1),
        "last": rows[..., ends[1]].mean(axis=-1),
        "pads": rows[..., ~real].sum(axis=-1).mean(axis=-1),
    }
    if not same:
        return found | dict.fromkeys(("distance", "own", "previous", "copying"), nothing)
    q, k = np.flatnonzero(looks), np.arange(len(ids))
    earlier = (q[:, None] - k[None, :] == 1) & mask[looks]
    return found | {
        "distance": (rows * np.abs(q[:, None] - k[None, :])).sum(axis=-1).mean(axis=-1),
        "own": (rows * (q[:, None] == k[None, :])).sum(axis=-1).mean(axis=-1),
        "previous": _share(rows, earlier),
        "copying": _share(rows, _followers(ids)[looks] & mask[looks]),
    }


def _share(rows: Floats, cells: Bools) -> Floats:
    """(H,): the mean weight on these cells (Q,K), over the rows that have any; NaN where none has."""
    has = cells.any(axis=1)
    return (rows[:, has] * cells[has]).sum(axis=-1).mean(axis=-1) if has.any() else np.full(len(rows), np.nan)


def _followers(ids: Ints) -> Bools:
    """(T,T): True where the key comes right after an earlier occurrence of the query's token.

    >>> _followers(np.array([7, 8, 7])).astype(int).tolist()
    [[0, 0, 0], [0, 0, 0], [0, 1, 0]]
    """
    same = np.tril(ids[:, None] == ids[None, :], -1)
    return np.asarray(np.pad(same[:, :-1], ((0, 0), (1, 0))) & np.tri(len(ids), k=-1, dtype=bool))


@dataclass(frozen=True)
class Pattern:
    """A name for heads whose measure reaches the threshold."""

    name: Message
    measure: str
    threshold: float


PATTERNS = (
    Pattern(Message("copies what followed (induction)"), "copying", 0.4),
    Pattern(Message("previous token"), "previous", 0.5),
    Pattern(Message("itself (diagonal)"), "own", 0.5),
    Pattern(Message("rests on the first token (sink)"), "first", 0.6),
    Pattern(Message("rests on the last token (sink)"), "last", 0.6),
    Pattern(Message("broad"), "even", 0.95),
)
"""Known patterns, the most telling first."""


@dataclass(frozen=True)
class Named:
    """A head with the pattern it shows, and the score that gave it the name."""

    layer: int
    head: int
    pattern: Pattern
    score: float


def named(measures: Measures, patterns: Sequence[Pattern] = PATTERNS) -> tuple[Named, ...]:
    """The heads that reach a pattern's threshold, each under the first that it reaches; by pattern, best first."""
    found: dict[tuple[int, int], Named] = {}
    for pattern in patterns:
        scores = getattr(measures, pattern.measure)
        places = np.argwhere(np.nan_to_num(scores, nan=-1.0) >= pattern.threshold)
        for layer, head in sorted(places.tolist(), key=lambda place: -scores[tuple(place)]):
            found.setdefault((layer, head), Named(layer, head, pattern, float(scores[layer, head])))
    return tuple(found.values())
