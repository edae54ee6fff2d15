"""A prefix that grows by one token, and what becomes of the keys that a cache would have kept of it.

In a prefix LM (Raffel et al. 2019, section 3.2.1) the positions of the prefix look at each other both ways: one token
more changes what each of them has become, and so its keys, in every layer but the first. Under a causal mask nothing
before the new token changes, which is why a cache may be kept at all. T positions, H heads, D size of a head.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.models import runtime, tokenizer
from explorer.objectives import Texts, objective
from explorer.types import Example, InputProblem, ModelId


@dataclass(frozen=True)
class Change:
    """How far the keys of the old positions move in one layer when the prefix grows, as a share of their length."""

    layer: int
    share: float


def changes(model: ModelId, text: str, layers: Sequence[int]) -> tuple[Change, ...]:
    """The text as a prefix, first without its last token, then with it. Raises InputProblem for a text of fewer than
    two tokens."""
    count = len(tokenizer(model.name).encode(text).ids)
    if count < 2:
        raise InputProblem("The text has {count} tokens; a prefix that grows needs two.", {"count": count})
    shorter, whole = _example(model, text, count - 1), _example(model, text, count)
    return tuple(Change(layer, _change(model, shorter, whole, count - 1, layer)) for layer in layers)


def _example(model: ModelId, text: str, prefix: int) -> Example:
    """What comes behind the prefix is a target, which the prefix never sees."""
    kind = objective("prefix_lm")
    return kind.build(Texts(text), tokenizer(model.name), kind.Settings(prefix=prefix), np.random.default_rng(0))


def _change(model: ModelId, shorter: Example, whole: Example, length: int, layer: int) -> float:
    before, after = (runtime().vectors(model, each, "decoder", layer)[1][:, :length] for each in (shorter, whole))
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))  # (H,T-1,D)
