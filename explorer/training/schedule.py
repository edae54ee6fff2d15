"""The learning rate: a warm-up, then a decay that ends where the time given ends."""

from __future__ import annotations

from math import sqrt

from explorer.training.recipes import Pace, Recipe

COOLING = 0.2
"""The last share of the time, in which the inverse-root schedule too goes down to 0. The paper's has no end; a short
training gains much from one."""


def learning_rate(recipe: Recipe, pace: Pace, step: int, share: float) -> float:
    """The rate of step 1, 2, ... when `share` of the time is over (0 to 1).

    "linear" falls in a straight line to 0. "inverse root" (Vaswani et al. 2017, section 5.3) rises with the step until
    the warm-up ends, then falls with its square root.
    """
    rise = min(1.0, step / recipe.warmup)
    left = max(0.0, 1.0 - share)
    if recipe.schedule == "linear":
        return pace.rate * rise * left
    return pace.rate * rise * min(1.0, sqrt(recipe.warmup / step)) * min(1.0, left / COOLING)
