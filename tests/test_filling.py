"""Filling gaps in any order: each answer is the model's best, and what is filled is read by the next pass."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer import filling
from explorer.models import runtime, tokenizer
from explorer.types import InputProblem, ModelId

BERT = ModelId("tiny/bert-masked-lm")
TEXT = "a [MASK] c [MASK] e [MASK] g"


def best(ids: tuple[int, ...], position: int) -> int:
    return int(runtime().gaps(BERT, ids, [position])[0].argmax())


def test_all_at_once_is_one_pass_in_which_no_answer_sees_another(tiny_models: Path) -> None:
    begun = filling.start(BERT, TEXT)
    assert begun.gaps == (2, 4, 6)
    done = filling.fill_all(begun, "at once")
    assert [each.round for each in done.fills] == [1, 1, 1]
    assert [each.chosen for each in done.fills] == [best(begun.ids, position) for position in begun.gaps]
    assert done.open == ()
    assert filling.fill(done, "at once") is done


@pytest.mark.parametrize(("order", "positions"), [("left", [2, 4, 6]), ("right", [6, 4, 2])])
def test_one_by_one_each_answer_reads_those_before_it(order: str, positions: list[int], tiny_models: Path) -> None:
    now = filling.start(BERT, TEXT)
    for number, position in enumerate(positions, 1):
        expected = best(now.ids, position)
        now = filling.fill(now, order)
        last = now.fills[-1]
        assert (last.position, last.chosen, last.round) == (position, expected, number)
        assert now.ids[position] == expected
    assert now == filling.fill_all(filling.start(BERT, TEXT), order)


def test_the_surest_gap_comes_first(tiny_models: Path) -> None:
    begun = filling.start(BERT, TEXT)
    once = filling.fill_all(begun, "at once")
    first = filling.fill(begun, "surest").fills[0]
    assert first == max(once.fills, key=lambda each: each.probability)
    assert first.candidates[0].id == first.chosen
    assert [one.rank for one in first.candidates] == [1, 2, 3, 4, 5]


def test_gaps_are_scored_as_the_model_scores_masks(tiny_models: Path) -> None:
    import torch
    from transformers import AutoModelForMaskedLM

    begun = filling.start(BERT, TEXT)
    model = AutoModelForMaskedLM.from_pretrained(tiny_models / "tiny" / "bert-masked-lm").eval()
    with torch.no_grad():
        expected = model(torch.tensor([begun.ids])).logits[0, list(begun.gaps)].numpy()
    assert np.abs(runtime().gaps(BERT, begun.ids, begun.gaps) - expected).max() < 1e-4


def test_what_cannot_be_filled_is_told(tiny_models: Path) -> None:
    with pytest.raises(InputProblem, match=r"The text has no gap. Write \[MASK\] where a word is missing."):
        filling.start(BERT, "a b c")
    with pytest.raises(InputProblem, match="sideways is no order; choose one of"):
        filling.fill_all(filling.start(BERT, TEXT), "sideways")
    with pytest.raises(InputProblem, match="has no language-model head"):
        filling.fill(filling.start(ModelId("tiny/bert-body"), TEXT), "left")
    assert tokenizer("tiny/bert-masked-lm").special.mask is not None
