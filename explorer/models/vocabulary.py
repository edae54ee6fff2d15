"""The tokenizers in use: each is loaded once and shared by everyone, read-only."""

from __future__ import annotations

from collections import OrderedDict
from pathlib import Path
from threading import Lock

from explorer.models.catalog import canonical, check_allowed
from explorer.models.sources import tokenizer_folder
from explorer.models.tokenizer import load_tokenizer
from explorer.tokens import Tokenizer

KEPT = 24
"""How many stay loaded; the one that was used longest ago goes first."""

_loaded: OrderedDict[tuple[str, Path], Tokenizer] = OrderedDict()
_lock = Lock()


def tokenizer(name: str) -> Tokenizer:
    """The tokenizer of a model, by its id. Raises InputProblem where there is none, or the Hub cannot be reached,
    or this host does not allow it."""
    full = canonical(name)
    check_allowed(full)
    folder = tokenizer_folder(full)
    with _lock:
        key = (full, folder)
        if key not in _loaded:
            _loaded[key] = load_tokenizer(folder, full)
        _loaded.move_to_end(key)
        while len(_loaded) > KEPT:
            _loaded.popitem(last=False)
        return _loaded[key]
