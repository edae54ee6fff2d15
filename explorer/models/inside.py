"""Inside one step: what each layer would say, and what the cache holds.

The logit lens (nostalgebraist 2020) puts the model's own last norm and head on what each layer hands on; the last layer
then says exactly what the model says. Alphabet: T positions, D hidden size, V vocabulary, L layers, H heads.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from explorer.models.forward import running, tensors
from explorer.models.loading import Loaded
from explorer.types import InputProblem

if TYPE_CHECKING:
    from explorer.models.caches import Handle, KeptCache

LAST_NORMS = (
    "model.norm",
    "transformer.ln_f",
    "gpt_neox.final_layer_norm",
    "model.decoder.final_layer_norm",
    "model.final_layernorm",
    "decoder.final_layer_norm",
)
"""Where models keep the norm behind their last layer."""

POST_NORM = frozenset({"bart", "marian"})
"""Models whose layers end with their own norm, so that none is left for the end."""


@dataclass(frozen=True, eq=False)
class Lens:
    """What each layer would say: ids and probabilities (L+1,T) of its most probable token at each position; row 0 is
    what goes into the first layer."""

    ids: NDArray[np.int64]
    probabilities: NDArray[np.float32]


@dataclass(frozen=True)
class CacheLayer:
    """The keys of one layer as they lie in memory, (1,H,T,D); the values take the same. bytes: of both together."""

    shape: tuple[int, ...]
    bytes: int


@dataclass(frozen=True)
class CacheFacts:
    """What the cache of a text holds in each layer; cross: what the decoder keeps of the encoder, which never grows."""

    own: tuple[CacheLayer, ...]
    cross: tuple[CacheLayer, ...]

    @property
    def bytes(self) -> int:
        """Of everything."""
        return sum(layer.bytes for layer in (*self.own, *self.cross))


def lens(loaded: Loaded, handle: Handle, last: int) -> Lens:
    """The lens at the `last` positions of the text. Raises InputProblem where the model's last norm is not known."""
    import torch

    norm = last_norm(loaded)
    head = loaded.module.get_output_embeddings()
    with running(loaded):
        states = _states(loaded, handle)
        scale = _scale(loaded)
        ids, probabilities = [], []
        for number, state in enumerate(states):
            # The last one has been through the norm already.
            row = state[0, -last:]
            normed = row if number == len(states) - 1 else norm(row)
            rows = torch.softmax((head(normed * scale) + _bias(loaded)).float(), -1).max(-1)
            ids.append(rows.indices.cpu().numpy())
            probabilities.append(rows.values.cpu().numpy())
    return Lens(np.stack(ids), np.stack(probabilities))


def last_norm(loaded: Loaded) -> Any:
    """The norm between the last layer and the head. Raises InputProblem where it is not known."""
    config = loaded.module.config
    if config.model_type in POST_NORM:
        return lambda state: state
    for path in LAST_NORMS:
        try:
            found = loaded.module.get_submodule(path)
        except AttributeError:
            continue
        return found
    raise InputProblem(
        "Where {model} keeps its last norm is not known, so its layers cannot be read one by one.",
        {"model": loaded.facts.model.name},
    )


def facts(cache: KeptCache) -> CacheFacts:
    """Shapes and bytes, layer by layer."""
    own = getattr(cache.values, "self_attention_cache", cache.values)
    return CacheFacts(_layers(own), _layers(getattr(cache.values, "cross_attention_cache", None)))


def _layers(cache: Any) -> tuple[CacheLayer, ...]:
    layers: Sequence[Any] = () if cache is None else [layer for layer in cache.layers if layer.is_initialized]
    return tuple(
        CacheLayer(
            tuple(layer.keys.shape),
            sum(part.numel() * part.element_size() for part in (layer.keys, layer.values)),
        )
        for layer in layers
    )


def _states(loaded: Loaded, handle: Handle) -> Sequence[Any]:
    """L+1 tensors (1,T,D): what goes into each layer, and the end."""
    ids = np.array([handle.ids], dtype=np.int64)
    if handle.source_ids is None:
        return loaded.module(**tensors(loaded, {"input_ids": ids}), output_hidden_states=True).hidden_states  # type: ignore[no-any-return]
    source = np.array([handle.source_ids], dtype=np.int64)
    given = tensors(loaded, {"input_ids": source, "decoder_input_ids": ids})
    return loaded.module(**given, output_hidden_states=True).decoder_hidden_states  # type: ignore[no-any-return]


def _scale(loaded: Loaded) -> float:
    """The first T5, whose head is the embedding, makes its states smaller before the head."""
    config = loaded.module.config
    return float(config.d_model**-0.5) if getattr(config, "scale_decoder_outputs", False) else 1.0


def _bias(loaded: Loaded) -> Any:
    return getattr(loaded.module, "final_logits_bias", 0.0)
