"""The next token of several texts in one pass, though they differ in length: shorter ones are padded on the left.

The weights are read once for all, which is most of what a step costs. Each text gets its own keys and values back, and
the logits that it would have had alone. Alphabet: B texts, H heads, T ids read, D size of a head, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.models.forward import tensors
from explorer.models.loading import Loaded

if TYPE_CHECKING:
    from explorer.models.caches import Handle, KeptCache, Logits

NEEDED = {"attention_mask", "position_ids"}
"""What a model must be told so that padding changes nothing."""


def can_join(loaded: Loaded, handle: Handle, cache: KeptCache) -> bool:
    """Whether the text may be read beside others: only its last id is new, and the cache keeps all that was read.
    Lower precisions stay alone, since there the order of adding up shows."""
    from transformers.cache_utils import DynamicLayer

    from explorer.models.caches import shared

    if loaded.facts.stack != "decoder" or loaded.facts.model.dtype != "float32" or not loaded.accepts >= NEEDED:
        return False
    if cache.values is None or shared(cache, handle) < len(handle) - 1:
        return False
    return all(type(layer) is DynamicLayer for layer in cache.values.layers)


def read_side_by_side(loaded: Loaded, texts: Sequence[tuple[Handle, KeptCache]]) -> Sequence[Logits]:
    """(V,) for each text: the logits after its last id. Their caches grow by it."""
    from explorer.models.caches import fresh

    for handle, cache in texts:
        cache.values.crop(len(handle) - 1 - len(cache.ids))
    own = [cache.values for _, cache in texts]
    # Until the pass is done the caches count as empty: an error on the way must not leave half of them behind.
    for _, cache in texts:
        cache.values, cache.ids = None, ()
    lengths = np.array([len(handle) - 1 for handle, _ in texts])
    values, longest = fresh(loaded), int(lengths.max())
    for number, layers in enumerate(zip(*(each.layers for each in own), strict=True)):
        keys, seen = ([getattr(layer, part) for layer in layers] for part in ("keys", "values"))
        values.update(_padded(keys, longest), _padded(seen, longest), number)
    output = loaded.module(**_given(loaded, [handle for handle, _ in texts], lengths), cache=values, use_cache=True)
    for number, ((handle, cache), kept) in enumerate(zip(texts, own, strict=True)):
        for place, layer in enumerate(output.cache.layers):
            kept.update(layer.keys[number, None, :, -1:], layer.values[number, None, :, -1:], place)
        cache.values, cache.ids = kept, handle.ids
    return list(output.logits[:, -1].float().cpu().numpy())


def _padded(parts: Sequence[Any], longest: int) -> Any:
    """(B,H,T,D) of the longest, from (1,H,T,D) of each."""
    import torch

    return torch.cat([torch.nn.functional.pad(part, (0, 0, longest - part.shape[2], 0)) for part in parts])


def _given(loaded: Loaded, handles: Sequence[Handle], lengths: np.ndarray) -> dict[str, Any]:
    """The last id of each text, its position, and which cells of the cache are its own."""
    longest = int(lengths.max())
    arrays = {
        "input_ids": np.array([handle.ids[-1:] for handle in handles], dtype=np.int64),
        "attention_mask": (np.arange(longest + 1) >= longest - lengths[:, None]).astype(np.int64),
        "position_ids": lengths[:, None].astype(np.int64),
    }
    more = {"logits_to_keep": 1} if "logits_to_keep" in loaded.accepts else {}
    return {**tensors(loaded, arrays), **more}
