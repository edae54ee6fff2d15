"""How positions are told apart, as pictures of numbers: tables, their likeness, a bias or an angle by distance.

Sinusoids: Vaswani et al. 2017, section 3.5; relative bias: Raffel et al. 2019, section 2.1; rotary angles: Su et al.
2021, section 3.2. Alphabet: P positions, D size of a state, H heads, N distances.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze

Floats = NDArray[np.floating]
PositionKind = Literal["sinusoidal", "learned", "bias", "rotary"]

SHOWN = 64
"""The most positions that a picture shows."""

NEAR = 31
"""The largest distance to either side that a picture of a bias shows."""


@dataclass(frozen=True, eq=False)
class PositionTable:
    """sinusoidal and learned: values (P,D), one row a position; bias: (H,N), what each head adds to the score of a key
    at distances[n] (key minus query); rotary: (N,D/2), the angle in radians by which each pair of numbers is turned
    over distances[n]. where: the part of the model it was read from."""

    kind: PositionKind
    where: str
    values: NDArray[np.float32]
    distances: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, values=np.float32)


def likeness(table: Floats) -> NDArray[np.float64]:
    """(P,P): the cosine between the rows of (P,D); a row of zeros is like nothing.

    >>> likeness(np.array([[1.0, 0.0], [2.0, 2.0], [0.0, 0.0]])).round(2).tolist()
    [[1.0, 0.71, 0.0], [0.71, 1.0, 0.0], [0.0, 0.0, 0.0]]
    """
    rows = table.astype(np.float64)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    units = np.divide(rows, sizes, out=np.zeros_like(rows), where=sizes > 0)
    return np.asarray(units @ units.T)


def sinusoids(positions: int, size: int) -> NDArray[np.float64]:
    """(P,D): PE(pos,2i) = sin(pos / 10000^(2i/D)) and PE(pos,2i+1) = cos of the same, side by side as in the paper;
    transformers puts all sines first. `size` is even.

    >>> sinusoids(2, 4).round(4).tolist()
    [[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]
    """
    angles = np.outer(np.arange(positions), 10000.0 ** (-np.arange(0, size, 2) / size))
    return np.asarray(np.stack([np.sin(angles), np.cos(angles)], axis=-1).reshape(positions, size))


def rotary_angles(frequencies: Floats, distances: tuple[int, ...]) -> NDArray[np.float64]:
    """(N,D/2): distance times frequency (D/2,), in radians, not folded into one turn.

    >>> rotary_angles(np.array([1.0, 0.1]), (0, 1, 10)).tolist()
    [[0.0, 0.0], [1.0, 0.1], [10.0, 1.0]]
    """
    return np.asarray(np.outer(distances, frequencies))
