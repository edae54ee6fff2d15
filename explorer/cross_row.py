"""What the newest position of an encoder-decoder's answer looks at in the text that the encoder has read.

Alphabet: T source, S answer so far, L layers, H heads, V vocabulary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from explorer import masks
from explorer.example import IGNORE
from explorer.models import runtime, tokenizer
from explorer.objectives.assemble import made
from explorer.types import Example, Masks, Role

if TYPE_CHECKING:
    from explorer.models.caches import Handle


def cross_row(handle: Handle) -> NDArray[np.float32] | None:
    """(L,H,T), None where there is no encoder. The whole answer is read again: the cache keeps no weights."""
    if handle.source_ids is None:
        return None
    return runtime().attention(handle.model, _as_read(handle))["cross"].weights[:, :, -1]


def _as_read(handle: Handle) -> Example:
    """Both texts as the model has read them, with nothing to predict."""
    words = tokenizer(handle.model.name)
    source, answer = (made(ids or (), words, Role.PROMPT).stream() for ids in (handle.source_ids, handle.ids))
    open_ = Masks(masks.full(len(source)), masks.causal(len(answer)), masks.cross(len(answer), len(source)))
    nothing = np.full(len(answer), IGNORE)
    return Example("seq2seq", handle.model.name, source, answer, nothing, ("",) * len(answer), "decoder_input", open_)
