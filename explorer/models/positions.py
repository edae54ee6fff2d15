"""Where a model keeps its positions: read from its modules, whatever family it is of."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from explorer.models.forward import running
from explorer.models.loading import RESERVED, Loaded
from explorer.position_maps import NEAR, SHOWN, PositionTable, rotary_angles

TABLES = ("position_embeddings", "embed_positions", "wpe", "position_embedding")
"""What transformers calls a table with one row a position."""


def positions(loaded: Loaded) -> tuple[PositionTable, ...]:
    """One entry for each part of the model that knows about positions, in the model's order."""
    with running(loaded):
        return tuple(_tables(loaded))


def _tables(loaded: Loaded) -> Iterator[PositionTable]:
    for name, module in loaded.module.named_modules():
        last = name.rsplit(".", 1)[-1]
        if last in TABLES and hasattr(module, "weight"):
            yield _table(loaded, name, module)
        elif hasattr(module, "relative_attention_bias"):
            yield _bias(name, module)
        elif last == "rotary_emb" and hasattr(module, "inv_freq"):
            distances = tuple(range(SHOWN))
            angles = rotary_angles(module.inv_freq.float().cpu().numpy(), distances)
            yield PositionTable("rotary", name, angles.astype("float32"), distances)


def _table(loaded: Loaded, name: str, module: Any) -> PositionTable:
    """The first rows; BART keeps two more in front of them, RoBERTa as well."""
    start = getattr(module, "offset", RESERVED.get(loaded.module.config.model_type, 0))
    rows = module.weight.detach()[start : start + SHOWN].float().cpu().numpy()
    return PositionTable("sinusoidal" if "Sinusoidal" in type(module).__name__ else "learned", name, rows)


def _bias(name: str, module: Any) -> PositionTable:
    """(H,N) from the scores that T5 adds for one query in the middle of its keys."""
    bias = module.compute_bias(NEAR + 1, 2 * NEAR + 1)[0, :, NEAR]  # (H,N): the last query sees NEAR to each side
    return PositionTable("bias", name, bias.float().cpu().numpy(), tuple(range(-NEAR, NEAR + 1)))
