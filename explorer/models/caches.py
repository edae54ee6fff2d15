"""KV caches: what a decoder has read, kept so that the next token costs one step. Handles are plain values.

A handle carries the ids it stands for, and the cache behind it is only a shortcut: before each step the cache is cut
back to what the two have in common. So an old handle (a click that was interrupted, a step taken back) stays right, and
a handle whose cache was given up is read again from its ids. Alphabet: V vocabulary.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import count
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.models import row_attention
from explorer.models.forward import check_length, require_language_model, running, tensors
from explorer.models.inside import CacheFacts, facts
from explorer.models.loading import Loaded
from explorer.models.rows import advance_rows
from explorer.models.side_by_side import can_join, read_side_by_side
from explorer.types import InputProblem, ModelId

Logits = NDArray[np.float32]


@dataclass(frozen=True)
class Handle:
    """A text being read: the model, the decoder's ids so far, the encoder's ids (None: no encoder), a number."""

    model: ModelId
    ids: tuple[int, ...]
    source_ids: tuple[int, ...] | None
    number: int

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(eq=False)
class KeptCache:
    """keys and values of `ids` in transformers' own cache, or of several `rows` of them; the encoder's output where
    there is an encoder; bytes on the device when it was last put away, without the encoder's output, which is small
    beside them."""

    ids: tuple[int, ...] = ()
    rows: tuple[tuple[int, ...], ...] = ()
    values: Any = None
    encoded: Any = None
    size: int = 0

    def measure(self) -> None:
        """Notes the bytes that are taken now."""
        # With an encoder there are two caches in one: what the decoder wrote itself, and what it looks at across.
        own = getattr(self.values, "self_attention_cache", self.values)
        caches = [each for each in (own, getattr(self.values, "cross_attention_cache", None)) if each is not None]
        layers = [layer for each in caches for layer in each.layers if layer.is_initialized]
        self.size = sum(part.numel() * part.element_size() for layer in layers for part in (layer.keys, layer.values))


@dataclass(eq=False)
class Caches:
    """The caches that are kept: at most `most` of them and `budget` bytes, the one used longest ago goes first. size:
    bytes of all of them, counted as they come and go, for a class keeps many."""

    most: int = 128
    budget: int = 2**30
    size: int = 0
    _kept: OrderedDict[int, KeptCache] = field(default_factory=OrderedDict)
    _numbers: count[int] = field(default_factory=count)
    _lock: Lock = field(default_factory=Lock)

    def __len__(self) -> int:
        with self._lock:
            return len(self._kept)

    def open(self, loaded: Loaded, ids: tuple[int, ...], source_ids: tuple[int, ...] | None) -> Handle:
        """A handle for a text of which nothing is read yet. Raises InputProblem for ids that the model has not."""
        require_language_model(loaded)
        if (loaded.facts.stack == "encoder-decoder") != (source_ids is not None) or loaded.facts.stack == "encoder":
            raise InputProblem(
                "{model} cannot write on: only a decoder, or an encoder with a decoder, writes token by token.",
                {"model": loaded.facts.model.name},
            )
        check_length(loaded, len(source_ids or ()))
        check_ids(loaded, (*ids, *(source_ids or ())))
        return Handle(loaded.facts.model, ids, source_ids, next(self._numbers))

    def read(self, loaded: Loaded, handle: Handle) -> Logits:
        """(V,): the logits after the handle's last id, reading only what its cache has not read yet. The next tokens of
        several texts are read in one pass."""
        check_length(loaded, len(handle))
        with self._lock:
            kept = self._kept.get(handle.number)
            joins = kept is not None and can_join(loaded, handle, kept)
        if joins:
            return loaded.lock.together(handle, partial(self._read_all, loaded))
        with running(loaded):
            return self._read_all(loaded, [handle])[0]

    def _read_all(self, loaded: Loaded, handles: Sequence[Handle]) -> Sequence[Logits]:
        """(V,) for each handle: side by side where there are several, one by one what cannot go together (a cache may
        have been given up while it waited)."""
        with running(loaded):
            texts = [(handle, self._take(handle.number)) for handle in handles]
            beside = [place for place, pair in enumerate(texts) if can_join(loaded, *pair)] if len(texts) > 1 else []
            read = read_side_by_side(loaded, [texts[place] for place in beside]) if len(beside) > 1 else ()
            found = dict(zip(beside, read, strict=False))
            for place, (handle, cache) in enumerate(texts):
                if place not in found:
                    found[place] = _last(_output(loaded, handle, cache))
                self._put(handle.number, cache)
        return [found[place] for place in range(len(texts))]

    def read_attending(self, loaded: Loaded, handle: Handle) -> tuple[Logits, NDArray[np.float32]]:
        """The same as `read`, and (L,H,K): what the last position looks at in every layer and head, itself included."""
        import torch

        check_length(loaded, len(handle))
        row_attention.register()
        with running(loaded, row_attention.ROW):
            cache = self._take(handle.number)
            output = _output(loaded, handle, cache, output_attentions=True)
            self._put(handle.number, cache)
            layers = output.attentions if handle.source_ids is None else output.decoder_attentions
            rows = torch.stack([layer[0, :, -1] for layer in layers])  # (L,H,K), so that it leaves the device at once
        return _last(output), rows.float().cpu().numpy()

    def facts(self, handle: Handle) -> CacheFacts:
        """What the cache holds of the text now; nothing where it was given up."""
        with self._lock:
            return facts(self._kept.get(handle.number, KeptCache()))

    def fork(self, handle: Handle) -> Handle:
        """A handle for the same text with a cache of its own."""
        return replace(handle, number=next(self._numbers))

    def read_rows(self, loaded: Loaded, handle: Handle, rows: Sequence[tuple[int, ...]]) -> Logits:
        """(B,V): the logits after each of several texts of one length, which the cache of `handle` keeps together."""
        check_length(loaded, len(rows[0]))
        with running(loaded):
            cache = self._take(handle.number)
            logits = advance_rows(loaded, handle, rows, cache)
            self._put(handle.number, cache)
        return logits

    def close(self, handle: Handle) -> None:
        """Frees the cache behind a handle."""
        self._take(handle.number)

    def _take(self, number: int) -> KeptCache:
        """The cache, out of the shelf: whoever works with it has it alone, and nobody throws it away meanwhile."""
        with self._lock:
            return self._drop(number) or KeptCache()

    def _put(self, number: int, cache: KeptCache) -> None:
        cache.measure()
        with self._lock:
            self._drop(number)
            self._kept[number] = cache
            self.size += cache.size
            while len(self._kept) > 1 and (len(self._kept) > self.most or self.size > self.budget):
                self._drop(next(iter(self._kept)))

    def _drop(self, number: int) -> KeptCache | None:
        dropped = self._kept.pop(number, None)
        self.size -= 0 if dropped is None else dropped.size
        return dropped


def check_ids(loaded: Loaded, ids: tuple[int, ...]) -> None:
    """Raises InputProblem for an id outside the model's vocabulary."""
    for id in ids:
        if not 0 <= id < loaded.facts.vocabulary:
            raise InputProblem(
                "There is no token {id} in {model}, whose ids go from 0 to {last}.",
                {"id": id, "model": loaded.facts.model.name, "last": loaded.facts.vocabulary - 1},
            )


def longer(loaded: Loaded, handle: Handle, id: int) -> Handle:
    """The handle with one id more."""
    check_ids(loaded, (id,))
    return replace(handle, ids=(*handle.ids, id))


def _last(output: Any) -> Logits:
    """(V,): the logits after the last id that was read."""
    return output.logits[0, -1].float().cpu().numpy()  # type: ignore[no-any-return]


def _output(loaded: Loaded, handle: Handle, cache: KeptCache, **more: bool) -> Any:
    """Cuts the cache back to what it shares with the handle, and reads the rest (at least the last id)."""
    keep = min(shared(cache, handle), len(handle) - 1)
    if cache.values is None or not cache.values.is_croppable:
        cache.values, keep = fresh(loaded), 0
    else:
        cache.values.crop(keep - len(cache.ids))
    # Until the pass is done the cache counts as empty: an error on the way must not leave half of it behind.
    values, cache.values, cache.ids = cache.values, None, ()
    unread = np.array([handle.ids[keep:]], dtype=np.int64)
    given = {
        **encoder(loaded, handle, cache),
        **tensors(loaded, {"input_ids" if handle.source_ids is None else "decoder_input_ids": unread}),
        "cache": values,
        "use_cache": True,
        **more,
    }
    if "logits_to_keep" in loaded.accepts:
        given["logits_to_keep"] = 1
    output = loaded.module(**given)
    cache.values, cache.ids = output.cache, handle.ids
    return output


def shared(cache: KeptCache, handle: Handle) -> int:
    """How many of the first ids a cache and a handle have in common."""
    pairs = enumerate(zip(cache.ids, handle.ids, strict=False))
    return next((n for n, (a, b) in pairs if a != b), min(len(cache.ids), len(handle)))


def fresh(loaded: Loaded) -> Any:
    from transformers import DynamicCache, EncoderDecoderCache

    config = loaded.module.config
    own = DynamicCache(config=config)
    if loaded.facts.stack == "decoder":
        return own
    return EncoderDecoderCache(own, DynamicCache(config=config))


def encoder(loaded: Loaded, handle: Handle, cache: KeptCache) -> dict[str, Any]:
    """The encoder's output, worked out once for a handle."""
    if handle.source_ids is None:
        return {}
    given = tensors(loaded, {"input_ids": np.array([handle.source_ids], dtype=np.int64)})
    if cache.encoded is None:
        cache.encoded = loaded.module.get_encoder()(**given)
    return {"encoder_outputs": cache.encoded}
