"""KV caches: the same logits with and without, handles that stay right, and what is kept."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

from explorer.models import Runtime
from explorer.models.caches import Caches
from explorer.models.pool import Pool
from explorer.types import InputProblem, ModelId

GPT2, LLAMA, BERT, BART, T5 = (ModelId(f"tiny/{family}") for family in ("gpt2", "llama", "bert", "bart", "t5"))


@pytest.mark.parametrize("model", [GPT2, LLAMA, BART, T5, ModelId("tiny/marian")])
def test_with_and_without_a_cache_the_logits_are_the_same(model: ModelId, fresh: Runtime) -> None:
    source = [69, 70, 71, 2] if model not in {GPT2, LLAMA} else None
    handle, logits = fresh.prefill(model, [2, 75, 76], source)
    for _ in range(20):
        handle, logits = fresh.advance(handle, int(logits.argmax()))
        _, whole = fresh.prefill(model, handle.ids, source)
        assert np.abs(logits - whole).max() < 1e-3
        assert logits.argmax() == whole.argmax()
    assert logits.dtype == np.float32


def test_rewind_goes_back_to_the_same_logits(fresh: Runtime) -> None:
    start, logits = fresh.prefill(GPT2, [75, 76, 77])
    further, _ = fresh.advance(start, 80)
    further, _ = fresh.advance(further, 81)
    back, again = fresh.rewind(further, 3)
    assert back == start
    assert np.abs(again - logits).max() < 1e-4


def test_an_old_handle_stays_right_whatever_was_read_after_it(fresh: Runtime) -> None:
    start, _ = fresh.prefill(LLAMA, [75, 76, 77])
    _, one = fresh.advance(start, 80)
    _, other = fresh.advance(start, 90)
    _, again = fresh.advance(start, 80)
    assert np.abs(one - again).max() < 1e-4
    assert np.abs(one - other).max() > 1e-3


def test_a_closed_handle_is_freed_and_reads_again_when_asked(fresh: Runtime) -> None:
    handle, _ = fresh.prefill(BART, [2, 75], [69, 70, 2])
    _, before = fresh.advance(handle, 80)
    assert fresh.open_caches == 1
    fresh.close(handle)
    assert (fresh.open_caches, fresh._caches.size) == (0, 0)
    _, after = fresh.advance(handle, 80)
    assert np.abs(before - after).max() < 1e-4


def test_caches_are_bounded_by_number_and_by_bytes(tiny_models: Path) -> None:
    few = Runtime(Pool(), Caches(most=3))
    handles = [few.prefill(GPT2, [75, 76])[0] for _ in range(8)]
    assert few.open_caches == 3
    assert len({handle.number for handle in handles}) == 8
    one = few._caches.size // 3
    small = Runtime(few._pool, Caches(budget=2 * one))
    for _ in range(5):
        small.prefill(GPT2, [75, 76])
    assert small._caches.size <= 2 * one
    _, logits = small.advance(handles[0], 80)
    assert np.isfinite(logits).all()


def test_a_handle_is_a_plain_value(fresh: Runtime) -> None:
    handle, _ = fresh.prefill(GPT2, [75, 76])
    assert pickle.loads(pickle.dumps(handle)) == handle
    assert hash(handle)
    assert len(handle) == 2


def test_what_cannot_be_written_on(fresh: Runtime) -> None:
    with pytest.raises(InputProblem, match="tiny/bert cannot write on"):
        fresh.prefill(BERT, [2])
    with pytest.raises(InputProblem, match="tiny/bart cannot write on"):
        fresh.prefill(BART, [2])
    with pytest.raises(InputProblem, match="There is nothing to start from"):
        fresh.prefill(GPT2, [])
    with pytest.raises(InputProblem, match="There is no token 281 in tiny/gpt2, whose ids go from 0 to 280"):
        fresh.prefill(GPT2, [281])
    handle, _ = fresh.prefill(GPT2, [75])
    with pytest.raises(InputProblem, match="There is no token -1"):
        fresh.advance(handle, -1)
    with pytest.raises(ValueError, match="cannot rewind 1 ids to 2"):
        fresh.rewind(handle, 2)
