"""Batches: padded on the right, of about one length, the same from worker processes as from here."""

from __future__ import annotations

from itertools import islice

import numpy as np
import pytest

from explorer.collation import Row, collate
from explorer.example import CLOSED
from explorer.models.tokenizer import load_tokenizer
from explorer.training.batches import Maker, feed
from explorer.training.corpus import read_corpus
from explorer.training.recipes import RECIPES, Recipe
from explorer.types import IGNORE, read_only
from tests.fakes import LetterTokenizer
from tests.training.conftest import tiny


def row(ids: list[int], *, mask: bool = False) -> Row:
    inputs = {"input_ids": np.array(ids), "attention_mask": np.ones(len(ids), dtype=np.int64)}
    if mask:
        triangle = np.tril(np.ones((len(ids), len(ids)), dtype=bool))
        inputs["attention_mask"] = np.where(triangle, 0.0, CLOSED).astype(np.float32)[None]
    return Row(inputs, read_only([*ids[1:], IGNORE], np.int64), None)


def test_rows_are_padded_on_the_right_without_loss() -> None:
    batch = collate([row([11, 12, 13]), row([14])], LetterTokenizer())
    assert batch.inputs["input_ids"].tolist() == [[11, 12, 13], [14, 0, 0]]
    assert batch.inputs["attention_mask"].tolist() == [[1, 1, 1], [1, 0, 0]]
    assert batch.compared.tolist() == [[12, 13, IGNORE], [IGNORE] * 3]
    assert (batch.targets, batch.tokens, batch.next_sentence) == (2, 4, None)


def test_a_float_mask_is_closed_to_pads_and_leaves_no_row_without_an_open_cell() -> None:
    batch = collate([row([11, 12, 13], mask=True), row([14, 15], mask=True)], LetterTokenizer())
    opened = (batch.inputs["attention_mask"][:, 0] == 0).astype(int).tolist()
    assert opened == [[[1, 0, 0], [1, 1, 0], [1, 1, 1]], [[1, 0, 0], [1, 1, 0], [1, 0, 0]]]


@pytest.mark.parametrize("name", ["gpt", "t5"])
def test_a_pool_holds_the_shares_of_its_mixture_and_no_batch_is_too_large(learned, name: str) -> None:
    done = learned(name)
    maker = Maker(done.plan.source, read_corpus(done.plan.corpus).training)
    batches = [batch for number in range(3) for batch in maker.pool(number)]
    for batch in batches:
        cells = sum(batch.inputs[key].size for key in ("input_ids", "decoder_input_ids") if key in batch.inputs)
        assert cells <= max(done.plan.source.tokens, cells // len(batch.compared))
        assert (batch.compared != IGNORE).any(axis=1).all()
    if name == "gpt":
        prefixes = sum(batch.tokens for batch in batches if batch.inputs["attention_mask"].ndim == 4)
        assert prefixes / sum(batch.tokens for batch in batches) == pytest.approx(0.5, abs=0.15)


def test_a_part_joins_the_mixture_at_its_pool(learned) -> None:
    done = learned("t5")
    maker, joins = Maker(done.plan.source, read_corpus(done.plan.corpus).training), RECIPES["t5"].parts[0].joins
    gap = load_tokenizer(done.plan.source.words, "t5").id("<extra_id_0>")
    found = {
        number: any((batch.inputs["input_ids"] == gap).any() for batch in maker.pool(number))
        for number in (0, joins - 1, joins)
    }
    assert found == {0: False, joins - 1: False, joins: True}


def test_worker_processes_give_the_same_pools(learned) -> None:
    source = learned("transformer").plan.source
    here, there = (list(islice(feed(source, 5, workers), 3)) for workers in (0, 1))
    assert [number for number, _ in here] == [number for number, _ in there] == [5, 6, 7]
    for (_, ours), (_, theirs) in zip(here, there, strict=True):
        assert [batch.compared.tolist() for batch in ours] == [batch.compared.tolist() for batch in theirs]


def test_recipes_are_plain_values() -> None:
    assert tiny("gpt") == tiny("gpt")
    assert all(isinstance(recipe, Recipe) and recipe.parts for recipe in RECIPES.values())
