"""Cross-attention as an alignment: from which source tokens each target token is written.

The row of an output is named after the token that it must say, not the one that it has read last: the model looks at
the source in order to say it. Alphabet: H heads, S target, T source, K source tokens that are shown.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze
from explorer.types import Example, Role


@dataclass(frozen=True, eq=False)
class Alignment:
    """weights (S,K): each row adds up to 1, or is 0 where the source tokens shown get nothing; kept (S,): the share of
    the whole row that they get; source (K) and target (S) are readable pieces."""

    weights: NDArray[np.float64]
    kept: NDArray[np.float64]
    source: tuple[str, ...]
    target: tuple[str, ...]

    def __post_init__(self) -> None:
        freeze(self, weights=np.float64, kept=np.float64)

    @property
    def best(self) -> tuple[int, ...]:
        """(S,): the source token with the most weight in each row."""
        return tuple(self.weights.argmax(axis=1).tolist())


def align(weights: NDArray[np.floating], example: Example, *, hide_special: bool) -> Alignment:
    """The mean over heads (H,S,T) of one layer, without padding, and without control tokens where asked; what is left
    of each row is divided by its sum."""
    if example.encoder is None or example.decoder is None:
        raise ValueError("an alignment needs an encoder and a decoder")
    real = example.encoder.attention_mask == 1
    words = real & np.array([role is not Role.SPECIAL for role in example.encoder.roles])
    shown = words if hide_special and words.any() else real
    rows = weights.mean(axis=0)[:, shown].astype(np.float64)  # (S,K)
    kept = rows.sum(axis=1)
    shares = np.divide(rows, kept[:, None], out=np.zeros_like(rows), where=kept[:, None] > 0)
    source = tuple(np.array(example.encoder.visible, dtype=object)[shown])
    return Alignment(shares, kept, source, example.label_visible)
