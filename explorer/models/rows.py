"""Several texts of one length read side by side, as beam search needs it: one cache with a row for each of them.

Alphabet: B rows, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.models.forward import tensors
from explorer.models.loading import Loaded

if TYPE_CHECKING:
    from explorer.models.caches import Handle, KeptCache, Logits

Row = tuple[int, ...]


def advance_rows(loaded: Loaded, handle: Handle, rows: Sequence[Row], cache: KeptCache) -> Logits:
    """(B,V): the logits after each row. Where every row goes on from one that the cache has read, only the last ids
    are read, else all of them."""
    from explorer.models.caches import fresh

    known = {row: number for number, row in enumerate(cache.rows)}
    parents = [known[row[:-1]] for row in rows if row[:-1] in known]
    if cache.values is None or len(parents) < len(rows):
        cache.values, unread = fresh(loaded), [*rows]
    else:
        cache.values.reorder_cache(_numbers(loaded, parents))
        unread = [row[-1:] for row in rows]
    # Until the pass is done the cache counts as empty: an error on the way must not leave half of it behind.
    values, cache.values, cache.rows = cache.values, None, ()
    ids = np.array(unread, dtype=np.int64)  # (B, 1 or all)
    given = {
        **_encoder(loaded, handle, cache, len(rows)),
        **tensors(loaded, {"input_ids" if handle.source_ids is None else "decoder_input_ids": ids}),
        "cache": values,
        "use_cache": True,
    }
    if "logits_to_keep" in loaded.accepts:
        given["logits_to_keep"] = 1
    output = loaded.module(**given)
    cache.values, cache.rows = output.cache, tuple(rows)
    return output.logits[:, -1].float().cpu().numpy()  # type: ignore[no-any-return]


def _numbers(loaded: Loaded, parents: Sequence[int]) -> Any:
    return tensors(loaded, {"parents": np.array(parents, dtype=np.int64)})["parents"]


def _encoder(loaded: Loaded, handle: Handle, cache: KeptCache, rows: int) -> dict[str, Any]:
    """The encoder's output, worked out once and shared by all rows."""
    from transformers.modeling_outputs import BaseModelOutput

    from explorer.models.caches import encoder

    given = encoder(loaded, handle, cache)
    if not given:
        return {}
    shared = given["encoder_outputs"].last_hidden_state.expand(rows, -1, -1)
    return {"encoder_outputs": BaseModelOutput(last_hidden_state=shared)}
