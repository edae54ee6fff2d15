"""Scaled dot-product attention by hand, with every stage kept, and sinusoidal positions.

Vaswani et al. 2017, sections 3.2.1 and 3.5. Alphabet: T positions, Q queries, K keys, D size of a head.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.streams import freeze
from explorer.types import Bools, read_only

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Attended:
    """The stages of one attention, each (Q,K): scores q.k / sqrt(D); masked, with -inf where the mask is closed;
    weights, rows summing to 1. A row that is closed entirely is 0/0: its weights are NaN."""

    scores: Floats
    masked: Floats
    weights: Floats

    def __post_init__(self) -> None:
        freeze(self, scores=np.float64, masked=np.float64, weights=np.float64)


def attend(queries: ArrayLike, keys: ArrayLike, mask: Bools) -> Attended:
    """softmax(q k^T / sqrt(D)) over the cells that `mask` (Q,K) leaves open; queries (Q,D), keys (K,D).

    >>> attend([[1.0], [1.0]], [[0.0], [0.0]], np.tril(np.ones((2, 2), dtype=bool))).weights.tolist()
    [[1.0, 0.0], [0.5, 0.5]]
    """
    q, k = np.asarray(queries, dtype=np.float64), np.asarray(keys, dtype=np.float64)  # (Q,D) (K,D)
    scores = q @ k.T / np.sqrt(q.shape[-1])  # (Q,K)
    masked = np.where(mask, scores, -np.inf)
    top = masked.max(axis=1, keepdims=True, initial=-np.inf)
    # Without its largest score a row cannot overflow; a row without any open cell has none to take away.
    raised = np.exp(masked - np.where(np.isfinite(top), top, 0.0))
    with np.errstate(invalid="ignore"):
        weights = raised / raised.sum(axis=1, keepdims=True)
    return Attended(scores, masked, weights)


def sinusoidal_positions(length: int, size: int) -> Floats:
    """(T,D): sin(t / 10000^(2i/D)) in the even columns 2i, the cosine of the same angle in the odd ones."""
    pair = np.arange(size) // 2
    angles = np.arange(length)[:, None] / 10000.0 ** (2 * pair / size)[None, :]
    return read_only(np.where(np.arange(size) % 2 == 0, np.sin(angles), np.cos(angles)), np.float64)


EXAMPLE: NDArray[np.float32] = read_only(
    [
        [-1.1258398, -1.1523602, -0.25057858, -0.4338788, 0.84871036, 0.69200915, -0.31601277, -2.1152194],
        [0.32227492, -1.2633348, 0.3499832, 0.30813393, 0.11984151, 1.2376579, 1.1167772, -0.24727815],
        [-1.3526537, -1.6959312, 0.5666506, 0.79350835, 0.59883946, -1.5550951, -0.3413604, 1.8530061],
        [0.7501895, -0.58549756, -0.17339675, 0.18347794, 1.3893661, 1.5863342, 0.94629836, -0.84367675],
    ],
    np.float32,
)
"""(4,8): queries, keys and values at once of the worked example; torch.manual_seed(0), then torch.randn(1, 1, 4, 8)."""
