"""Teacher forcing beside free running: the same model reading the right words, and its own (exposure bias).

Bengio et al. 2015, section 1; Ranzato et al. 2016, section 1. Alphabet: S outputs, V vocabulary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.exposure import FreeRun
from explorer.loss import log_softmax
from explorer.types import Example, Message, ModelId

if TYPE_CHECKING:
    from explorer.models.places import Progress
    from explorer.models.runtime import Runtime


def free_run(run: Runtime, model: ModelId, example: Example, tell: Progress) -> FreeRun:
    """What the model writes greedily, at most as long as the right answer, and what it thinks of the right token at
    each place either way. Raises InputProblem as `score` and `prefill`."""
    encoder, decoder = example.encoder, example.decoder
    if encoder is None or decoder is None:
        raise ValueError("free running needs an encoder and a decoder")
    forced = run.score(model, example, top=1)
    ends = run.load(model).ends
    source = encoder.ids[encoder.attention_mask == 1].tolist()
    labels = example.labels.tolist()
    written: list[int] = []
    losses: list[float] = []
    handle, logits = run.prefill(model, [int(decoder.ids[0])], source)
    try:
        for at, label in enumerate(labels):
            tell(Message("{n} of {count} tokens", {"n": at, "count": len(labels)}), at / len(labels))
            losses.append(-float(log_softmax(logits)[label]))
            written.append(int(np.argmax(logits)))
            if written[-1] in ends or at + 1 == len(labels):
                break
            handle, logits = run.advance(handle, written[-1])
    finally:
        run.close(handle)
    return FreeRun(tuple(labels), tuple(forced.top_ids[:, 0].tolist()), forced.losses, tuple(written), np.array(losses))
