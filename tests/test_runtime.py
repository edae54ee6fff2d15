"""The runtime: heads that are there or not, attention, limits, KV caches, the lock, and the memory that it may take."""

from __future__ import annotations

import pickle
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Lock

import numpy as np
import pytest
import torch
import transformers

from explorer.models import Runtime, device, runtime, tokenizer
from explorer.models.caches import Caches
from explorer.models.device import budget, choose, devices
from explorer.models.pool import Pool
from explorer.objectives import Texts
from explorer.types import InputProblem, ModelId
from tests.examples import make

GPT2, LLAMA, BERT, BART, T5 = (ModelId(f"tiny/{family}") for family in ("gpt2", "llama", "bert", "bart", "t5"))


@pytest.fixture
def fresh(tiny_models: Path) -> Runtime:
    """A runtime of its own, with nothing in memory."""
    return Runtime(Pool(), Caches())


def causal(model: ModelId, text: str = "The cat sat"):
    return make("causal_lm", tokenizer(model.name), Texts(text))


# -- what a model says ------------------------------------------------------------------------------------------------


def test_scores_are_those_of_the_targets(fresh: Runtime, tiny_models: Path) -> None:
    example = causal(GPT2)
    scores = fresh.score(GPT2, example, top=3)
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_models / GPT2.name).eval()
    with torch.inference_mode():
        rows = model(torch.tensor(example.output.ids[None])).logits[0, :-1].log_softmax(-1)
    expected = [-float(rows[t, id]) for t, id in enumerate(example.output.ids[1:])]
    assert scores.losses == pytest.approx(expected, abs=1e-5)
    assert scores.top_ids.tolist() == rows.topk(3).indices.tolist()
    assert scores.top_probabilities == pytest.approx(rows.topk(3).values.exp().numpy(), abs=1e-6)
    assert [len(pieces) for pieces in scores.top_pieces] == [3] * example.n_targets
    assert scores.mean == pytest.approx(scores.losses.sum() / example.n_targets)


def test_no_targets_is_a_result_without_a_mean(fresh: Runtime) -> None:
    example = make("masked_lm", tokenizer(BERT.name), Texts("dog"), {"rate": "0"})
    scores = fresh.score(BERT, example)
    assert (scores.mean, scores.perplexity, len(scores.losses)) == (None, None, 0)


@pytest.mark.parametrize("name", ["tiny/bert-body", "tiny/bert-tagger"])
def test_a_head_that_is_not_in_the_checkpoint_is_refused(name: str, fresh: Runtime) -> None:
    example = make("masked_lm", tokenizer(name), Texts("dog"), {"select": "1"})
    assert fresh.attention(ModelId(name), example)["encoder"].weights.shape == (2, 4, 5, 5)
    with pytest.raises(InputProblem, match=f"{name} has no language-model head in its checkpoint"):
        fresh.score(ModelId(name), example)


def test_missing_weights_are_never_random(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "tiny" / "holes"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    weights = load_file(folder / "model.safetensors")
    del weights["transformer.h.1.mlp.c_fc.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match=r"tiny/holes lacks weights \(transformer\.h\.1\.mlp\.c_fc\.weight\)"):
        fresh.load(ModelId("tiny/holes"))


def test_a_checkpoint_of_another_shape_is_refused_in_one_sentence(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny" / "wrong"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    config = (folder / "config.json").read_text(encoding="utf-8")
    (folder / "config.json").write_text(config.replace('"n_embd": 32', '"n_embd": 16'), encoding="utf-8")
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match="tiny/wrong cannot be loaded: ") as told:
        fresh.load(ModelId("tiny/wrong"))
    assert "\n" not in str(told.value)


def test_code_that_comes_with_a_model_is_not_run(
    fresh: Runtime, tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "tiny" / "coded"
    shutil.copytree(tiny_models / "tiny" / "gpt2", folder)
    config = (folder / "config.json").read_text(encoding="utf-8")
    coded = config.replace('"model_type": "gpt2"', '"model_type": "own", "auto_map": {"AutoConfig": "code.Own"}')
    (folder / "config.json").write_text(coded, encoding="utf-8")
    (folder / "code.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    with pytest.raises(InputProblem, match="tiny/coded cannot be loaded"):
        fresh.load(ModelId("tiny/coded"))
    assert not (tmp_path / "ran").exists()


# -- attention --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", [GPT2, LLAMA, BERT, ModelId("tiny/distilbert")])
def test_rows_sum_to_one_and_two_runs_agree(model: ModelId, fresh: Runtime) -> None:
    key = "causal_lm" if model in {GPT2, LLAMA} else "masked_lm"
    example = make(key, tokenizer(model.name), Texts("the cat saw the dog"))
    first, second = fresh.attention(model, example), fresh.attention(model, example)
    for kind, found in first.items():
        assert found.weights.shape == (2, 4, len(found.queries), len(found.keys))
        assert np.abs(found.weights.sum(-1) - 1).max() < 1e-4
        assert np.array_equal(found.weights, second[kind].weights)
        assert len(found.queries) == len(example.output)


@pytest.mark.parametrize("model", [BART, T5, ModelId("tiny/marian")])
def test_an_encoder_decoder_has_three_kinds(model: ModelId, fresh: Runtime) -> None:
    example = make("seq2seq", tokenizer(model.name), Texts("the cat", target="die Katze"))
    found = fresh.attention(model, example)
    source, target = len(example.encoder), len(example.decoder)
    shapes = {kind: each.weights.shape[2:] for kind, each in found.items()}
    assert shapes == {"encoder": (source, source), "decoder": (target, target), "cross": (target, source)}
    assert all(np.abs(each.weights.sum(-1) - 1).max() < 1e-4 for each in found.values())
    assert found["cross"].keys == example.encoder.visible
    assert found["cross"].queries == example.decoder.visible


def test_scores_do_not_depend_on_how_attention_was_worked_out_before(fresh: Runtime) -> None:
    example = causal(LLAMA)
    before = fresh.score(LLAMA, example).losses
    fresh.attention(LLAMA, example)
    fresh.captured_masks(LLAMA, example)
    assert np.array_equal(fresh.score(LLAMA, example).losses, before)


# -- what a model cannot read -----------------------------------------------------------------------------------------


def test_too_long_is_told_before_the_model_runs(fresh: Runtime) -> None:
    words = unlimited(tokenizer(GPT2.name))
    example = make("causal_lm", words, Texts("a" * 600))
    with pytest.raises(InputProblem, match="The text has 600 tokens, but tiny/gpt2 takes at most 512"):
        fresh.score(GPT2, example)
    with pytest.raises(InputProblem, match="The text has 513 tokens, but tiny/gpt2 takes at most 512"):
        fresh.prefill(GPT2, [69] * 513)


def unlimited(words):
    """The same tokenizer without a longest text."""

    class Unlimited(type(words)):
        max_length = None

    return Unlimited(words._tokenizer, words.name, words._config)


def test_a_token_without_a_row_of_weights(fresh: Runtime, tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    example = make("seq2seq", tokenizer(BART.name), Texts("a<extra_id_19>", target="b"))
    last = int(example.encoder.ids.max())
    loaded = fresh._pool.get(BART)
    loaded.facts = replace(loaded.facts, vocabulary=last)
    words = f"The token <extra_id_19> has the id {last}, but tiny/bart has weights for the ids 0 to {last - 1} only"
    with pytest.raises(InputProblem, match=words):
        fresh.score(BART, example)


def test_an_example_of_another_tokenizer_is_refused(fresh: Runtime) -> None:
    with pytest.raises(InputProblem, match="The example was made with another tokenizer: its id"):
        fresh.score(BERT, make("masked_lm", tokenizer(GPT2.name), Texts("dog"), {"select": "1"}))


# -- KV caches --------------------------------------------------------------------------------------------------------


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


# -- memory, devices, threads -----------------------------------------------------------------------------------------


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
