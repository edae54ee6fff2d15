"""Learning rates by step: a warm-up, then a decay.

"inverse root": Vaswani et al. 2017, section 5.3. "linear": Devlin et al. 2018, appendix A.2. "cosine": Radford et al.
2018, section 4.1 (to 0).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.types import Message, check_range

Floats = NDArray[np.float64]
Kind = Literal["inverse root", "linear", "cosine"]

KINDS: Mapping[Kind, Message] = {
    "inverse root": Message("inverse root (Transformer)"),
    "linear": Message("linear (BERT)"),
    "cosine": Message("cosine (GPT)"),
}


def learning_rate(step: int, size: int = 512, warmup: int = 4000) -> float:
    """The paper's schedule for step 1, 2, ...: d^-0.5 * min(step^-0.5, step * warmup^-1.5); it peaks at `warmup`."""
    check_range("step", step, low=1)
    return float(inverse_root(step, size, warmup))


def inverse_root(steps: ArrayLike, size: int, warmup: int) -> Floats:
    """The same for many steps at once; size is d, the width of the model."""
    at = np.asarray(steps, dtype=np.float64)
    return np.asarray(size**-0.5 * np.minimum(at**-0.5, at * float(warmup) ** -1.5))


def rates(kind: Kind, steps: ArrayLike, *, peak: float, warmup: int, last: int) -> Floats:
    """The rate of each step, with a given peak after `warmup` steps; "linear" and "cosine" end with 0 at step `last`,
    "inverse root" has no end.

    >>> rates("linear", [50, 100, 550, 1000], peak=2.0, warmup=100, last=1000).tolist()
    [1.0, 2.0, 1.0, 0.0]
    """
    at = np.asarray(steps, dtype=np.float64)
    rise = np.minimum(1.0, at / warmup)
    if kind == "inverse root":
        return np.asarray(peak * rise * np.sqrt(warmup / np.maximum(at, warmup)))
    left = np.clip((last - at) / max(1, last - warmup), 0.0, 1.0)
    return np.asarray(peak * rise * (left if kind == "linear" else (1 - np.cos(np.pi * left)) / 2))
