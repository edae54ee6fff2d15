"""The weights themselves as a file that numpy reads."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO

import numpy as np

from explorer.types import Attention, AttentionKind, Example


def attention_npz(example: Example, attention: Mapping[AttentionKind, Attention]) -> bytes:
    """For each kind: KIND (L,H,Q,K), KIND_mask (Q,K), KIND_queries (Q,) and KIND_keys (K,)."""
    arrays: dict[str, np.ndarray] = {}
    for kind, found in attention.items():
        arrays[kind] = found.weights
        arrays[f"{kind}_mask"] = np.asarray(getattr(example.masks, kind))
        arrays[f"{kind}_queries"] = np.array(found.queries)
        arrays[f"{kind}_keys"] = np.array(found.keys)
    file = BytesIO()
    np.savez_compressed(file, allow_pickle=False, **arrays)
    return file.getvalue()
