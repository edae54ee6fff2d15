"""Examples and pictures, made once and shared by all readers: read-only, bounded, keyed by all they come from."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from explorer.objectives import Texts, objective
from explorer.types import Example
from explorer.ui.words import language, say_in


@lru_cache(maxsize=64)
def example(key: str, texts: Texts, settings: Any, seed: int, model: str) -> Example:
    """The Example of an objective by its key. Raises InputProblem."""
    from explorer.models import tokenizer

    return objective(key).build(texts, tokenizer(model), settings, np.random.default_rng(seed))


def drawn(view: Callable[..., str], *args: object, **how: object) -> str:
    """`view(*args, say=..., **how)` in the reader's language; all arguments are hashable."""
    return _drawn(view, language(), args, tuple(sorted(how.items())))


@lru_cache(maxsize=256)
def _drawn(view: Callable[..., str], code: str, args: tuple[object, ...], how: tuple[tuple[str, object], ...]) -> str:
    return view(*args, say=say_in(code), **dict(how))
