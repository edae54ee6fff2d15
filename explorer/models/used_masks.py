"""The masks, queries and keys that a model really used, caught inside its attention during a forward pass.

An attention function of our own is registered with transformers; it notes what it is given and goes on with the
model's own plain attention. Nothing is drawn a second time.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.forward import inputs, kinds, running, sides
from explorer.models.loading import Loaded
from explorer.types import AttentionKind, Bools, Example, read_only

NAME = "explorer_masks"
CROSS = ("encoder_attn", "EncDecAttention", "crossattention")
"""What transformers calls attention from the decoder to the encoder."""

_noted: ContextVar[list[tuple[Any, ...]] | None] = ContextVar("_noted", default=None)


@dataclass(frozen=True, eq=False)
class Caught:
    """What one layer's attention was given: mask (Q,K); queries (H,Q,D) and keys (H,K,D) as they are multiplied, every
    head with keys of its own."""

    mask: Bools
    queries: NDArray[np.float32]
    keys: NDArray[np.float32]


def used_masks(loaded: Loaded, example: Example) -> dict[AttentionKind, Bools]:
    """(L,Q,K) for each kind of attention: True where the layer let the query look at the key."""
    found = caught(loaded, example)
    return {kind: read_only(np.stack([layer.mask for layer in layers]), np.bool_) for kind, layers in found.items()}


def caught(loaded: Loaded, example: Example) -> dict[AttentionKind, list[Caught]]:
    """What each layer's attention was given, for each kind of attention."""
    _register()
    noted: list[tuple[Any, ...]] = []
    with running(loaded, NAME):
        token = _noted.set(noted)
        try:
            loaded.module(**inputs(loaded, example))
        finally:
            _noted.reset(token)
    names = {id(module): name for name, module in loaded.module.named_modules()}
    found: dict[AttentionKind, list[Caught]] = {kind: [] for kind in kinds(example)}
    for module, mask, query, key in noted:
        kind = _kind(names[id(module)], found)
        queries, keys = sides(example, kind)
        own = key.repeat_interleave(query.shape[1] // key.shape[1], dim=1)  # grouped queries share their keys
        vectors = (each[0].float().cpu().numpy() for each in (query, own))
        found[kind].append(Caught(_open(mask, len(queries), len(keys)), *vectors))
    return found


def _kind(name: str, found: Mapping[AttentionKind, object]) -> AttentionKind:
    """Which attention a module does, by its place in the model."""
    if len(found) == 1:
        return next(iter(found))
    if any(part in name for part in CROSS):
        return "cross"
    return "decoder" if "decoder" in name.split(".") else "encoder"


def _open(mask: Any, queries: int, keys: int) -> Bools:
    """(Q,K) from a float mask (1,1,Q,K) that adds 0 to open cells; no mask at all leaves every cell open."""
    if mask is None:
        return np.ones((queries, keys), dtype=np.bool_)
    return np.broadcast_to((mask[0, 0] == 0).cpu().numpy(), (queries, keys))


@cache
def _register() -> None:
    from transformers import AttentionInterface, AttentionMaskInterface
    from transformers.masking_utils import eager_mask

    AttentionInterface.register(NAME, _noting_attention)
    AttentionMaskInterface.register(NAME, eager_mask)


def _noting_attention(module: Any, query: Any, key: Any, value: Any, attention_mask: Any, **how: Any) -> Any:
    noted = _noted.get()
    if noted is not None:
        noted.append((module, attention_mask, query, key))
    plain = sys.modules[type(module).__module__].eager_attention_forward
    return plain(module, query, key, value, attention_mask, **how)
