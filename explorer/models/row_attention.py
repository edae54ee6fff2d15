"""Attention of one new position behind a cache, worked out so that its weights can be seen at next to no cost.

The plain attention of transformers copies the keys for every head that shares them, and takes a dozen operations a
layer; for a single query half of them will do. Alphabet: B batch, H heads, G heads that share keys, Q queries (1),
K keys, D size of a head.
"""

from __future__ import annotations

import sys
from functools import cache
from typing import Any

ROW = "explorer_row"
"""The name under which transformers knows it."""

KNOWN = frozenset(
    {"dropout", "position_bias", "position_ids", "cache_position", "is_causal", "output_attentions", "use_cache"}
)
"""Arguments that one query may be given without its attention being another: nothing is dropped outside training."""


@cache
def register() -> None:
    """Make it known to transformers, once."""
    from transformers import AttentionInterface, AttentionMaskInterface

    AttentionInterface.register(ROW, _attend)
    AttentionMaskInterface.register(ROW, _mask)


def _mask(**given: Any) -> Any:
    """(B,1,Q,K), 0 or the lowest number; None where the last position sees all there is, so that nothing is added."""
    from transformers.masking_utils import eager_mask, sdpa_mask

    if given["q_length"] == 1 and sdpa_mask(**given) is None:
        return None
    return eager_mask(**given)


def _attend(
    module: Any, query: Any, key: Any, value: Any, attention_mask: Any, *, scaling: float | None = None, **how: Any
) -> tuple[Any, Any]:
    """Output (B,Q,H,D) and weights (B,H,Q,K). Where there are several queries, or the model asks for something special
    (a cap, sinks), the model's own plain attention."""
    import torch

    batch, heads, queries, size = query.shape
    if queries > 1 or any(how[name] is not None for name in how.keys() - KNOWN):
        plain = sys.modules[type(module).__module__].eager_attention_forward
        return plain(module, query, key, value, attention_mask, scaling=scaling, **how)  # type: ignore[no-any-return]
    shared = query.reshape(batch, key.shape[1], -1, size)  # (B,H/G,G,D)
    scores = shared @ key.transpose(2, 3) * (size**-0.5 if scaling is None else scaling)  # (B,H/G,G,K)
    bias = how.get("position_bias")
    if bias is not None:
        scores = scores + bias.reshape(-1, *scores.shape[1:])
    if attention_mask is not None:
        scores = scores + attention_mask
    weights = torch.softmax(scores, -1, dtype=torch.float32).to(value.dtype)
    return (weights @ value).reshape(batch, 1, heads, -1), weights.reshape(batch, heads, 1, -1)
