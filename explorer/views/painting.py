"""A matrix as it is painted for a file: colours, what is hatched, names and words; a PNG and an SVG are made of it.

On the page the theme colours the pictures; a file has to carry its colours, those of the light theme (see matrix.css).
Alphabet: Q queries, K keys.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze
from explorer.types import Bools
from explorer.views.grid import Axes
from explorer.views.matrix import Reason, number, shares
from explorer.views.roles import Say


def _rgb(code: str) -> NDArray[np.int64]:
    return np.array([int(code[at : at + 2], 16) for at in (0, 2, 4)])


LOW, HIGH, PLUS, MINUS, WASH, HATCH, LOSS, OPEN, DEEP = map(
    _rgb, ("eef4fa", "08306b", "0072b2", "d55e00", "f4f6f9", "b9c0cb", "c45100", "7fb0d8", "2a6ba6")
)
INK = "#566073"


@dataclass(frozen=True, eq=False)
class Painting:
    """colours (Q,K,3) from 0 to 255, kept as whole numbers; closed (Q,K): the cells that are hatched; word: told of a
    cell."""

    title: str
    axes: Axes
    colours: NDArray[Any]
    closed: Bools
    word: Callable[[int, int], str]

    def __post_init__(self) -> None:
        freeze(self, colours=np.uint8, closed=bool)


def weights_painting(
    weights: NDArray[np.floating], axes: Axes, title: str, *, mask: Bools | None = None, log: bool = False
) -> Painting:
    """The weights (Q,K) from light to dark; what the mask closes is hatched, what is no number is orange."""
    shown = np.ones(weights.shape, dtype=bool) if mask is None else mask
    odd = shown & ~np.isfinite(weights)
    parts = shares(np.where(shown & ~odd, weights, 0.0).astype(np.float64), log=log)
    colours = LOW + parts[..., None] * (HIGH - LOW)
    colours[odd] = LOSS
    return Painting(title, axes, colours, ~shown, lambda i, j: number(float(weights[i, j])))


def signed_painting(values: NDArray[np.floating], axes: Axes, title: str) -> Painting:
    """Differences (Q,K) around 0: blue for more, orange for less."""
    largest = float(np.abs(values).max(initial=0.0)) or 1.0
    ends = np.where((values > 0)[..., None], PLUS, MINUS)
    colours = WASH + np.abs(values / largest)[..., None] * (ends - WASH)
    closed = np.zeros(values.shape, dtype=bool)
    return Painting(title, axes, colours, closed, lambda i, j: f"{values[i, j]:+.4f}")


def mask_painting(
    mask: Bools, axes: Axes, title: str, say: Say, reason: Reason, *, answer: Bools | None = None
) -> Painting:
    """The mask (Q,K): open cells filled, closed ones hatched; deeper where positions of the answer (T,) look at one
    another. reason: why a cell is as it is."""
    within = np.zeros_like(mask) if answer is None else mask & answer[:, None] & answer[None, :]
    colours = np.where(within[..., None], DEEP, np.where(mask[..., None], OPEN, 255))
    return Painting(title, axes, colours, ~mask, lambda i, j: say(reason(i, j)))
