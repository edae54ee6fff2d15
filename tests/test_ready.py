"""Ready examples: what the first thing that a class sees looks like, cut by the real tokenizers."""

from __future__ import annotations

from itertools import pairwise

import pytest

from explorer.models import tokenizer
from explorer.objectives import Texts, objective
from explorer.ready import ready
from explorer.types import Example
from explorer.ui.compare_lab import PAIRS
from tests.examples import make

pytestmark = [pytest.mark.models, pytest.mark.usefixtures("models_folder")]

T5 = ("explorer/t5", "google-t5/t5-small")
INPUTS = {
    ("masked_lm", "explorer/bert"): "[CLS] the [MASK] evelyn to the park . [SEP]",
    ("masked_lm", "google-bert/bert-base-uncased"): "[CLS] the [MASK] evelyn to the park . [SEP]",
    ("denoising", "explorer/bart"): "<s> The <mask> ·to ·the ·park . </s>",
    ("denoising", "facebook/bart-base"): "<s> The <mask> ·to ·the ·park . </s>",
    ("span_corruption", "explorer/t5"): "·The ·dog ·ran ·to ·the <extra_id_0> </s>",
    ("span_corruption", "google-t5/t5-small"): "·The ·dog ·ran ·to ·the <extra_id_0> . </s>",
}
"""What the encoder reads of the compare page's first sentence."""


def halved(made: Example) -> list[str]:
    """Tokens after the edge of a span that go on with a word: of what is left, and of what was taken out."""
    told = [*pairwise(made.encoder.visible), *pairwise(made.label_visible)]
    return [after for before, after in told if before.startswith("<extra_id_") and after[0] not in "·.<"]


@pytest.mark.parametrize(("key", "model"), INPUTS)
def test_no_family_takes_half_a_word_out_of_the_first_sentence(key: str, model: str) -> None:
    made = make(key, tokenizer(model), Texts(PAIRS[0][0]))
    assert " ".join(made.encoder.visible) == INPUTS[key, model]


@pytest.mark.parametrize("model", T5)
def test_no_ready_example_of_t5_cuts_a_word(model: str) -> None:
    for each in ready(objective("span_corruption"), model):
        made = make("span_corruption", tokenizer(model), each.texts, dict(each.settings), each.seed)
        assert halved(made) == [], each.title


@pytest.mark.parametrize("model", ["distilbert/distilbert-base-cased-distilled-squad", "google-bert/bert-base-uncased"])
def test_the_answer_of_the_first_example_is_near_the_beginning(model: str) -> None:
    """Of the token rows the first 13 columns are in sight at 1440 pixels."""
    first = objective("question_answering").examples[0]
    made = make("question_answering", tokenizer(model), first.texts, dict(first.settings))
    assert (made.extra["start_positions"], made.extra["end_positions"], len(made.output)) == (9, 9, 12)


def test_half_a_word_is_found() -> None:
    made = make("span_corruption", tokenizer(T5[0]), Texts("The cat sat on the mat."))
    assert halved(made) == ["t"]
