"""Where each filter draws its line: how probable a token had to be to pass, and how much it cut. Pure functions.

Every cut of `explorer.sampling` can be told by probabilities in the distribution that it found: from `low` to `high`
stays. Top-k, top-p, min-p and greedy have a lower line only; typical-p has two, since it also cuts what is too sure.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.sampling import CUTS, GREEDY, Floats, Sampled, entropy
from explorer.types import Ints, SamplingSettings


@dataclass(frozen=True)
class Cut:
    """What one filter did. left: how many tokens it left; mass: the share of the distribution before it that it cut;
    low, high: the probabilities, before it, between which a token passes (None: it has no such line)."""

    name: str
    left: int
    mass: float
    low: float | None = None
    high: float | None = None


def cuts(sampled: Sampled, settings: SamplingSettings) -> tuple[Cut, ...]:
    """One for each filter that is on, in the order applied."""
    steps = zip(sampled.stages[:-1], sampled.stages[1:], sampled.removed_mass[1:], strict=True)
    return tuple(
        Cut(after.name, len(after.kept), mass, *_lines(after.name, before.probabilities, after.kept, settings))
        for before, after, mass in steps
    )


def _lines(name: str, before: Floats, kept: Ints, settings: SamplingSettings) -> tuple[float | None, float | None]:
    if name == "min_p":
        return settings.min_p * float(before.max()), None
    if name == "typical_p":
        surprise = -np.log(before[kept])
        middle = entropy(before)
        far = float(np.abs(surprise - middle).max())
        return float(np.exp(-middle - far)), min(1.0, float(np.exp(far - middle)))
    if name in CUTS or name == GREEDY:
        return float(before[kept].min()), None
    return None, None
