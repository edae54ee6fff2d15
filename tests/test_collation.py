"""Examples side by side as a model is called with them, and the share of padding of three ways to make batches."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.collation import by_length, in_order, packed, passed
from explorer.objectives import Texts
from explorer.types import IGNORE
from tests.examples import make
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)


def batch(key: str, *texts: Texts, **chosen: str):
    return passed([make(key, LETTERS, each, chosen) for each in texts], LETTERS)


def test_tags_are_padded_with_ignore() -> None:
    found = batch("token_classification", Texts("a b", target="O B-X"), Texts("c", target="O"), tags="O,B-X,I-X")
    assert found["input_ids"].tolist() == [[1, 11, 12, 2], [1, 13, 2, 0]]
    assert found["attention_mask"].tolist() == [[1, 1, 1, 1], [1, 1, 1, 0]]
    assert found["token_type_ids"].tolist() == [[0] * 4, [0] * 4]
    assert found["labels"].tolist() == [[IGNORE, 0, 1, IGNORE], [IGNORE, 0, IGNORE, IGNORE]]


def test_a_class_and_the_ends_of_an_answer_are_one_number_a_row() -> None:
    found = batch("sequence_classification", Texts("a", target="y"), Texts("b c", target="x"), classes="x,y")
    assert found["labels"].tolist() == [1, 0]
    assert found["input_ids"].tolist() == [[1, 11, 2, 0], [1, 12, 13, 2]]
    found = batch("question_answering", Texts("q", "a b", "b"), Texts("q", "a", None))
    assert found["start_positions"].tolist() == [4, 0]
    assert "labels" not in found


def test_an_encoder_and_a_decoder_are_padded_each_to_its_own_length() -> None:
    found = batch("seq2seq", Texts("a b c", target="d"), Texts("a", target="e f"))
    assert {name: array.shape for name, array in found.items()} == {
        "input_ids": (2, 5),
        "attention_mask": (2, 5),
        "decoder_input_ids": (2, 4),
        "decoder_attention_mask": (2, 4),
        "labels": (2, 4),
    }
    assert found["labels"][0].tolist()[-1] == IGNORE


def test_sorting_and_packing_waste_less() -> None:
    sizes = [(2,), (8,), (3,), (7,)]
    assert in_order(sizes, 2).wasted == pytest.approx(1 - 20 / 30)
    assert by_length(sizes, 2).batches == ((1, 3), (2, 0))
    assert by_length(sizes, 2).wasted == pytest.approx(1 - 20 / 22)
    assert (packed(sizes, 8).cells, packed(sizes, 8).wasted) == (24, pytest.approx(1 - 20 / 24))
    assert packed(sizes, 10).wasted == 0


def test_each_stack_is_as_wide_as_its_own_longest() -> None:
    plan = in_order([(2, 9), (8, 1)], 2)
    assert (plan.widths, plan.cells, plan.tokens) == (((8, 9),), 34, 20)


SIZES = st.lists(st.integers(1, 40).map(lambda size: (size,)), min_size=1, max_size=30)


@given(SIZES, st.integers(1, 9))
def test_every_sequence_stands_in_one_batch_and_sorting_never_costs_full_batches(sizes, most) -> None:
    for plan in (in_order(sizes, most), by_length(sizes, most)):
        assert sorted(at for each in plan.batches for at in each) == list(range(len(sizes)))
        assert plan.tokens == sum(map(sum, sizes)) <= plan.cells
    if len(sizes) % most == 0:
        assert by_length(sizes, most).cells <= in_order(sizes, most).cells
    assert packed(sizes, 7).cells - sum(map(sum, sizes)) < 7
