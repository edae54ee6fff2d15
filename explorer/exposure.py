"""Teacher-forced loss beside free running, as values: in training a model reads the right words, in use its own.

Alphabet: S outputs, R of them until the model ends its own text.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.streams import freeze


@dataclass(frozen=True, eq=False)
class FreeRun:
    """right (S,): the ids to be said; guesses (S,) and losses (S,): the best guess and the loss of the right token
    after the right words; written (R,) and own_losses (R,): what the model wrote after its own words, and the loss of
    the right token there."""

    right: tuple[int, ...]
    guesses: tuple[int, ...]
    losses: NDArray[np.float64]
    written: tuple[int, ...]
    own_losses: NDArray[np.float64]

    def __post_init__(self) -> None:
        freeze(self, losses=np.float64, own_losses=np.float64)

    @property
    def forced_mean(self) -> float:
        """Mean loss after the right words, over the places that both ways have."""
        return float(self.losses[: len(self.written)].mean())

    @property
    def own_mean(self) -> float:
        """Mean loss of the right tokens after the model's own words."""
        return float(self.own_losses.mean())

    @property
    def parting(self) -> int | None:
        """The first place where the model's own text is not the right one; None where it never parts."""
        pairs = zip(self.right, self.written, strict=False)
        found = next((at for at, (right, wrote) in enumerate(pairs) if right != wrote), None)
        return len(self.written) if found is None and len(self.written) < len(self.right) else found
