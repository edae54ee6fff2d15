"""The tokenizers of the recipes: ids and templates of each family's own, read by the app's own loader."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.models.tokenizer import load_tokenizer
from explorer.objectives import Texts, objectives
from explorer.tokens import encode
from explorer.training.corpus import read_corpus
from explorer.training.loop import FINAL
from tests.training.conftest import EVERY, plan_for

FITTING = {
    "bert": ["masked_lm"],
    "gpt": ["causal_lm", "packed_lm", "prefix_lm", "sft"],
    "bart": ["denoising", "seq2seq"],
    "t5": ["span_corruption", "seq2seq"],
    "transformer": ["seq2seq"],
}


@pytest.fixture
def words(learned):
    return lambda name: load_tokenizer(learned(name).plan.out / FINAL, name)


@pytest.mark.parametrize("name", EVERY)
def test_every_objective_of_the_family_builds(words, name: str) -> None:
    tokenizer = words(name)
    texts = Texts("One day Tom went to the park. He saw a big red ball there.", target=" So Tom took it home.")
    for key in FITTING[name]:
        asked = objectives()[key]
        used = Texts(texts.text) if key in ("denoising", "span_corruption") else texts
        example = asked.build(used, tokenizer, asked.Settings(), np.random.default_rng(3))
        assert example.n_targets > 0, key
        assert not example.warnings or key == "sft", key


def test_gpt_knows_one_control_token_and_every_byte(words) -> None:
    tokenizer = words("gpt")
    assert (tokenizer.kind, tokenizer.special.eos, tokenizer.special.bos, tokenizer.special.pad) == ("byte", 0, 0, None)
    assert tokenizer.piece(0) == "<|endoftext|>"
    assert tokenizer.decode(tokenizer.encode("나는 naïve \U0001f600").ids) == "나는 naïve \U0001f600"


def test_bart_has_the_ids_of_bart_base(words) -> None:
    tokenizer, special = words("bart"), words("bart").special
    assert (special.bos, special.pad, special.eos, special.decoder_start) == (0, 1, 2, 2)
    assert tokenizer.piece(3) == "<unk>"
    assert special.mask == tokenizer.size - 1
    ids = tokenizer.encode("Tom <mask> home.").ids
    assert (ids[0], ids[-1]) == (0, 2)
    # The space before a mask is part of it, as in bart-base.
    assert tokenizer.piece(ids[ids.index(special.mask) - 1]).endswith("m")


def test_t5_has_a_hundred_sentinels_whose_ids_fall(words) -> None:
    tokenizer, special = words("t5"), words("t5").special
    assert (special.pad, special.eos, special.unk, special.decoder_start) == (0, 1, 2, 0)
    sentinels = [tokenizer.id(f"<extra_id_{number}>") for number in range(100)]
    assert sentinels == list(range(tokenizer.size - 1, tokenizer.size - 101, -1))
    assert set(sentinels) < tokenizer.special_ids
    assert tokenizer.encode("Tom.").ids[-1] == 1


def test_the_transformer_reads_its_tags_as_control_tokens(words) -> None:
    tokenizer = words("transformer")
    encoding = encode(">>de<< Tom has the ball.", tokenizer)
    assert encoding.pieces[0] == ">>de<<"
    assert encoding.special[[0, -1]].all()
    assert tokenizer.special.decoder_start == tokenizer.special.pad == 0


def test_korean_of_the_pairs_is_known_to_t5(words, corpus) -> None:
    unknown = words("t5").special.unk
    for pair in read_corpus(corpus).training.pairs["ko"][:20]:
        assert unknown not in words("t5").encode(pair.other).ids


@pytest.mark.parametrize("name", EVERY)
def test_the_config_is_of_the_size_of_the_vocabulary(learned, words, name: str) -> None:
    config = json.loads((learned(name).plan.out / FINAL / "config.json").read_text(encoding="utf-8"))
    assert config["vocab_size"] == words(name).size
    assert config["architectures"] == [learned(name).plan.recipe.model]


def test_the_same_corpus_gives_the_same_pools(learned, corpus, tmp_path) -> None:
    from explorer.training.batches import Maker

    source = learned("gpt").plan.source
    assert plan_for("gpt", corpus, tmp_path).source.recipe == source.recipe
    pools = [Maker(source, read_corpus(corpus).training).pool(7) for _ in range(2)]
    for first, second in zip(*pools, strict=True):
        assert np.array_equal(first.compared, second.compared)
        assert all(np.array_equal(first.inputs[name], second.inputs[name]) for name in first.inputs)
