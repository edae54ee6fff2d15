"""Many heads as one matrix, and one matrix as less: means, rollout, rows without some keys, blocks of tokens.

Rollout is that of Abnar and Zuidema 2020, "Quantifying Attention Flow in Transformers", section 3: each layer's mean
over heads, half and half with the residual path, multiplied from the first layer up. Alphabet: L layers, H heads, Q
queries, K keys, T positions of self-attention.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.masks import empty_rows
from explorer.types import Bools, Ints

Weights = NDArray[np.floating]
Floats = NDArray[np.float64]
How = Literal["head", "mean", "maximum", "rollout"]


def combined(weights: Weights, how: How, layer: int, head: int) -> Floats:
    """(Q,K) out of (L,H,Q,K): one head; the mean or the maximum over the heads of a layer; rollout up to the layer,
    which needs self-attention. Rows of a maximum add up to more than 1."""
    if how == "head":
        return np.asarray(weights[layer, head], dtype=np.float64)
    if how == "rollout":
        return rollout(weights[: layer + 1])
    heads = weights[layer].astype(np.float64)
    return np.asarray(heads.mean(axis=0) if how == "mean" else heads.max(axis=0))


def rollout(weights: Weights) -> Floats:
    """(T,T): how much of each position's last state comes from each input, along the paths of all layers (L,H,T,T).

    >>> rollout(np.array([[[[1.0, 0.0], [1.0, 0.0]]], [[[1.0, 0.0], [0.0, 1.0]]]])).tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    size = weights.shape[-1]
    found = np.eye(size)
    for heads in weights:
        found = np.asarray(0.5 * (heads.astype(np.float64).mean(axis=0) + np.eye(size)) @ found)
    return found


def renormalised(weights: Weights, keep: Bools) -> Floats:
    """The columns (K,) that are kept, each row divided by what is left of it; a row with nothing left stays 0.

    >>> renormalised(np.array([[0.5, 0.3, 0.2], [1.0, 0.0, 0.0]]), np.array([False, True, True])).round(2).tolist()
    [[0.6, 0.4], [0.0, 0.0]]
    """
    left = weights[:, keep].astype(np.float64)
    sums = left.sum(axis=1, keepdims=True)
    return np.asarray(np.divide(left, sums, out=np.zeros_like(left), where=sums > 0))


@dataclass(frozen=True, eq=False)
class Blocks:
    """A matrix in blocks of neighbours. weights and mask (q,k); rows and columns: where each block begins, and the end
    of the last, so (q+1,) and (k+1,)."""

    weights: Floats
    mask: Bools
    rows: Ints
    columns: Ints


def blocks(weights: Weights, mask: Bools, most: int) -> Blocks:
    """At most `most` blocks a side: the sum over a block's keys, the mean over its queries that look at all. So a row
    still adds up to 1. A block is open where any of its cells is. weights and mask (Q,K).

    >>> found = blocks(np.array([[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.2, 0.2, 0.6]]), np.tri(3, dtype=bool), 2)
    >>> found.weights.round(2).tolist(), found.mask.tolist(), found.rows.tolist()
    ([[1.0, 0.0], [0.4, 0.6]], [[True, False], [True, True]], [0, 2, 3])
    """
    rows, columns = _edges(len(weights), most), _edges(weights.shape[1], most)
    kept = np.where(mask, weights, 0.0).astype(np.float64)
    looks = np.add.reduceat(~empty_rows(mask), rows[:-1], dtype=np.int64)
    sums = np.add.reduceat(np.add.reduceat(kept, columns[:-1], axis=1), rows[:-1], axis=0)
    opened = np.logical_or.reduceat(np.logical_or.reduceat(mask, columns[:-1], axis=1), rows[:-1], axis=0)
    return Blocks(sums / np.maximum(looks, 1)[:, None], opened, rows, columns)


def _edges(length: int, most: int) -> Ints:
    size = -(-length // most)
    return np.append(np.arange(0, length, size), length)


def window(middle: int, size: int, length: int) -> slice:
    """So many neighbours around a position, moved inside the sequence.

    >>> window(2, 10, 100), window(98, 10, 100), window(3, 10, 5)
    (slice(0, 10, None), slice(90, 100, None), slice(0, 5, None))
    """
    start = max(0, min(middle - size // 2, length - size))
    return slice(start, min(length, start + size))
