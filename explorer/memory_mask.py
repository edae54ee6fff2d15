"""Cross-attention with and without its padding mask, as values.

Alphabet: T source with pads, S target, N targets, V vocabulary.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze


@dataclass(frozen=True, eq=False)
class Run:
    """One pass: logits (N,V), losses (N,), and what the last layer's cross-attention looks at (S,T), heads averaged."""

    logits: NDArray[np.float32]
    losses: NDArray[np.float64]
    weights: NDArray[np.float32]

    def __post_init__(self) -> None:
        freeze(self, logits=np.float32, losses=np.float64, weights=np.float32)

    @property
    def mean(self) -> float:
        """The mean loss."""
        return float(self.losses.mean())


@dataclass(frozen=True, eq=False)
class LeftOut:
    """The same source of `length` tokens: alone, padded with the mask of cross-attention, padded without it. source
    (T) and target (S): what the columns and the rows of the weights are called."""

    length: int
    source: tuple[str, ...]
    target: tuple[str, ...]
    alone: Run
    masked: Run
    bare: Run

    def change(self, run: Run) -> float:
        """The largest change of any logit against the source alone: 0 but for rounding where pads do no harm."""
        return float(np.abs(run.logits - self.alone.logits).max())

    def share(self, run: Run) -> float:
        """The share of cross-attention that falls on pads, over all rows."""
        return float(run.weights[:, self.length :].sum(axis=1).mean())
