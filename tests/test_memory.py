"""Models in memory: one pass at a time, one load for all, what must go, devices and precision."""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from threading import Lock

import numpy as np
import pytest

from explorer.models import Runtime, device, runtime, tokenizer
from explorer.models.device import budget, choose, devices
from explorer.models.pool import Pool
from explorer.objectives import Texts
from explorer.types import InputProblem, ModelId
from tests.examples import make

GPT2, LLAMA, BERT, BART, T5 = (ModelId(f"tiny/{family}") for family in ("gpt2", "llama", "bert", "bart", "t5"))


def causal(model: ModelId, text: str = "The cat sat"):
    return make("causal_lm", tokenizer(model.name), Texts(text))


def test_many_threads_get_what_one_gets(fresh: Runtime) -> None:
    examples = [causal(GPT2, text) for text in ("abc", "the cat sat on", "xyz " * 9, "a")] * 4
    alone = [fresh.score(GPT2, each).losses for each in examples]
    with ThreadPoolExecutor(8) as threads:
        scored = threads.map(lambda each: fresh.score(GPT2, each).losses, examples)
        looked = threads.map(lambda each: fresh.attention(GPT2, each)["decoder"].weights.sum(), examples)
        assert all(np.abs(one - other).max(initial=0) < 1e-5 for one, other in zip(alone, scored, strict=True))
        assert all(np.isfinite(each) for each in looked)
    assert fresh.loaded == (GPT2,)


def test_one_forward_pass_at_a_time(fresh: Runtime) -> None:
    loaded = fresh._pool.get(GPT2)
    inside, most, guard = 0, 0, Lock()

    def count(*_: object) -> None:
        nonlocal inside, most
        with guard:
            inside += 1
            most = max(most, inside)
        time.sleep(0.01)

    def leave(*_: object) -> None:
        nonlocal inside
        with guard:
            inside -= 1

    hooks = [loaded.module.register_forward_pre_hook(count), loaded.module.register_forward_hook(leave)]
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: fresh.score(GPT2, causal(GPT2)), range(8)))
    for hook in hooks:
        hook.remove()
    assert most == 1


@dataclass
class Weight:
    """A loaded model of which only the size counts."""

    size: int


def test_the_model_used_longest_ago_goes_first() -> None:
    pool = Pool(load=lambda model, _: Weight(int(model.name)), budget=lambda _: 10)
    names = ["4", "5", "4", "3", "9"]
    kept: Iterator[list[str]] = ([each.name for each in pool.models] for name in names if pool.get(ModelId(name)))
    assert list(kept) == [["4"], ["4", "5"], ["5", "4"], ["4", "3"], ["9"]]
    assert pool.get(ModelId("99")).size == 99
    assert pool.models == (ModelId("99"),)


def test_a_model_is_loaded_once_however_many_ask() -> None:
    loads = []

    def slow(model: ModelId, _: object) -> Weight:
        time.sleep(0.05)
        loads.append(model)
        return Weight(1)

    pool = Pool(load=slow, budget=lambda _: 10)
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda _: pool.get(GPT2), range(8)))
    assert loads == [GPT2]
    assert all(each is found[0] for each in found)


def test_device_and_precision_are_chosen_and_told(fresh: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = fresh.identify("tiny/gpt2")
    assert chosen == ModelId("tiny/gpt2", devices()[0], "float32")
    assert "cpu" in devices()
    assert device.describe(ModelId("tiny/gpt2")) == "CPU, float32"
    assert choose("large", budget("cpu") // 3, "cpu").dtype == "bfloat16"
    with pytest.raises(InputProblem, match="There is no device tpu here"):
        fresh.identify("tiny/gpt2", "tpu")
    with pytest.raises(InputProblem, match="int3 is no precision; choose one of: float32"):
        fresh.identify("tiny/gpt2", "cpu", "int3")


def test_a_model_too_large_for_the_machine_is_refused(fresh: Runtime, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("explorer.models.loading.budget", lambda _: 1000)
    with pytest.raises(InputProblem, match="tiny/gpt2 would take 0 MB of memory"):
        fresh.load(GPT2)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16"])
def test_lower_precision_comes_out_as_float32(dtype: str, fresh: Runtime) -> None:
    exact, rough = LLAMA, replace(LLAMA, dtype=dtype)
    example = make("prefix_lm", tokenizer(exact.name), Texts("abcdef"), {"prefix": "3"})
    assert fresh.score(rough, example).losses == pytest.approx(fresh.score(exact, example).losses, abs=0.2)
    assert fresh.attention(rough, example)["decoder"].weights.dtype == np.float32
    assert np.array_equal(*(fresh.captured_masks(model, example)["decoder"] for model in (exact, rough)))
    assert fresh.prefill(rough, [75, 76])[1].dtype == np.float32


@pytest.mark.gpu
def test_a_gpu_gives_what_the_cpu_gives(fresh: Runtime) -> None:
    if "cuda" not in devices():
        pytest.skip("this machine has no CUDA device")
    example = causal(LLAMA)
    there = replace(LLAMA, device="cuda")
    assert fresh.score(there, example).losses == pytest.approx(fresh.score(LLAMA, example).losses, abs=1e-4)
    assert np.array_equal(*(fresh.captured_masks(model, example)["decoder"] for model in (LLAMA, there)))
    handle, logits = fresh.prefill(there, [75, 76, 77])
    assert np.abs(logits - fresh.prefill(LLAMA, handle.ids)[1]).max() < 1e-3


def test_there_is_one_runtime_a_process() -> None:
    assert runtime() is runtime()
