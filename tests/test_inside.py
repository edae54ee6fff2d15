"""Inside one step: the last layer of the lens says what the model says; attention rows; what the cache holds."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer import generation
from explorer.models import runtime
from explorer.types import ModelId, SamplingSettings

GREEDY = SamplingSettings(greedy=True)
WRITERS = ["gpt2", "llama", "bart", "t5", "marian"]


def written(family: str, steps: int = 3) -> generation.Session:
    return generation.steps(generation.start(ModelId(f"tiny/{family}"), "The cat"), GREEDY, steps)


@pytest.mark.parametrize("family", WRITERS)
def test_the_last_layer_of_the_lens_is_the_model(family: str, tiny_models: Path) -> None:
    session = written(family)
    found = runtime().lens(session.handle, 2)
    assert found.ids.shape == (session.facts.layers + 1, 2)
    model = generation.look(session, SamplingSettings()).model
    assert found.ids[-1, -1] == model.argmax()
    assert found.probabilities[-1, -1] == pytest.approx(model.max(), abs=1e-4)


@pytest.mark.parametrize("family", WRITERS)
def test_the_norm_of_the_lens_is_the_one_that_the_model_uses(family: str, tiny_models: Path) -> None:
    """What the last layer hands on, caught by a hook, through the lens' own norm and head gives the model's logits."""

    from explorer.models.inside import _bias, _scale, last_norm

    session = written(family)
    loaded = runtime()._pool.get(session.generation.model)
    caught: list[torch.Tensor] = []
    decoder = getattr(loaded.module, "get_decoder", lambda: loaded.module)()
    layers = next(
        each
        for each in decoder.modules()
        if isinstance(each, torch.nn.ModuleList) and len(each) == session.facts.layers
    )
    hook = layers[-1].register_forward_hook(
        lambda _m, _a, out: caught.append(out[0] if isinstance(out, tuple) else out)
    )
    runtime().lens(session.handle, 1)
    hook.remove()
    with torch.inference_mode():
        state = last_norm(loaded)(caught[-1][0, -1]) * _scale(loaded)
        logits = loaded.module.get_output_embeddings()(state) + _bias(loaded)
    assert np.abs(logits.numpy().ravel() - session.logits).max() < 1e-3


@pytest.mark.parametrize("family", WRITERS)
def test_one_row_of_attention_is_that_of_the_models_own_plain_attention(
    family: str, tiny_models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    session = generation.steps(generation.start(ModelId(f"tiny/{family}"), "The cat"), GREEDY, 2)
    module = runtime()._pool.get(session.generation.model).module
    module.set_attn_implementation("eager")
    ids = torch.tensor([session.handle.ids])
    source = session.handle.source_ids
    with torch.inference_mode():
        if source is None:
            layers = module(input_ids=ids, output_attentions=True).attentions
        else:
            given = {"input_ids": torch.tensor([source]), "decoder_input_ids": ids}
            layers = module(**given, output_attentions=True).decoder_attentions
    expected = np.stack([layer[0, :, -1].numpy() for layer in layers])
    monkeypatch.setattr(sys.modules[type(module).__module__], "eager_attention_forward", None)
    assert np.abs(runtime().attention_row(session.handle) - expected).max() < 1e-4


@pytest.mark.parametrize("family", ["gpt2", "llama", "t5", "bart"])
def test_a_step_with_its_attention_is_the_same_step(family: str, tiny_models: Path) -> None:
    session = generation.start(ModelId(f"tiny/{family}"), "The cat")
    chosen = generation.coming(session, GREEDY).chosen
    handle, logits, weights = runtime().advance_attending(session.handle, chosen)
    assert weights.shape == (session.facts.layers, session.facts.heads, len(handle))
    assert weights.sum(axis=-1) == pytest.approx(1, abs=1e-5)
    plain = generation.step(session, GREEDY)
    assert handle.ids == plain.handle.ids
    assert np.abs(logits - plain.logits).max() < 1e-3


def test_the_cache_grows_by_one_position_a_step(tiny_models: Path) -> None:
    session = generation.start(ModelId("tiny/llama"), "abc")
    before = runtime().cache_facts(session.handle)
    # 2 heads for keys and values of 8 numbers each, 4 bytes a number, keys and values
    assert [layer.shape for layer in before.own] == [(1, 2, 3, 8)] * 2
    assert (before.own[0].bytes, before.bytes, before.cross) == (2 * 2 * 3 * 8 * 4, 2 * 2 * 2 * 3 * 8 * 4, ())
    after = runtime().cache_facts(generation.step(session, GREEDY).handle)
    assert after.own[0].shape == (1, 2, 4, 8)
    generation.close(session)
    assert runtime().cache_facts(session.handle).bytes == 0


def test_what_the_decoder_keeps_of_the_encoder_does_not_grow(tiny_models: Path) -> None:
    session = generation.start(ModelId("tiny/t5"), "abc")
    before = runtime().cache_facts(session.handle)
    after = runtime().cache_facts(generation.steps(session, GREEDY, 2).handle)
    assert [layer.shape for layer in before.cross] == [layer.shape for layer in after.cross] == [(1, 4, 4, 8)] * 2
    assert (before.own[0].shape[2], after.own[0].shape[2]) == (1, 3)
