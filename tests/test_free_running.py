"""Free running on tiny models: what is measured is what the model says to its own words."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.models import Runtime, tokenizer
from explorer.models.free_running import free_run
from explorer.objectives import Texts, objective


@pytest.mark.parametrize("name", ["tiny/marian", "tiny/t5", "tiny/bart"])
def test_losses_after_its_own_words_are_those_of_reading_them(fresh: Runtime, name: str) -> None:
    item = objective("seq2seq")
    made = item.build(Texts("the cat", target="die katze"), tokenizer(name), item.Settings(pad_to=12), None)
    model = fresh.identify(name)
    found = free_run(fresh, model, made, lambda *_: None)
    forced = fresh.score(model, made)
    assert found.losses == pytest.approx(forced.losses)
    assert found.guesses == tuple(forced.top_ids[:, 0])
    length = len(found.written)
    own = np.array(made.decoder.ids)
    own[1:length] = found.written[: length - 1]
    words = tokenizer(name)
    pieces = tuple(words.piece(int(id)) for id in own)
    reads = replace(made, decoder=replace(made.decoder, ids=own, pieces=pieces))
    said = fresh.score(model, reads)
    # A cache adds up in another order, and the logits of these models are large.
    assert found.own_losses == pytest.approx(said.losses[:length], abs=1e-2)
    assert found.written == tuple(said.top_ids[:length, 0])
    assert fresh.open_caches == 0
