"""sequence_classification: where the class stands for an encoder, a decoder and BART, and what cannot be a class."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.sequence_classification import Settings, build
from explorer.types import Example, InputProblem
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)


def example(text: str, target: str | None, pair: str | None = None, tokenizer=LETTERS, **chosen) -> Example:
    return build(Texts(text, pair, target), tokenizer, Settings(**chosen), np.random.default_rng(0))


def test_an_encoder_is_read_at_its_first_output() -> None:
    made = example("a b", "positive")
    assert made.encoder.visible == ("[CLS]", "a", "b", "[SEP]")
    assert made.labels.tolist() == [1, -100, -100, -100]
    assert made.label_visible == ("positive", "", "", "")
    assert made.extra == {"class": 1}
    assert made.model_inputs()["labels"].tolist() == [1]
    assert [(target.position, target.reads, target.predicts) for target in made.targets] == [(0, "[CLS]", "positive")]


def test_a_decoder_is_read_at_its_last_output_before_the_pads() -> None:
    made = example("a b", "0", way="decoder", pad_to=6)
    assert made.encoder is None
    assert made.labels.tolist() == [-100, -100, -100, 0, -100, -100]
    assert made.masks.decoder.astype(int).tolist()[2] == [1, 1, 1, 0, 0, 0]


@pytest.mark.models
def test_bart_feeds_both_stacks_and_is_read_at_the_last_output(tokenizer) -> None:
    made = example("good day", "positive", tokenizer=tokenizer("facebook/bart-base"), way="both")
    assert made.encoder.ids.tolist() == [0, 8396, 183, 2]
    assert made.decoder.ids.tolist() == [2, 0, 8396, 183]
    assert made.labels.tolist() == [-100, -100, -100, 1]
    assert set(made.model_inputs()) == {
        *("input_ids", "attention_mask", "decoder_input_ids", "decoder_attention_mask", "labels"),
    }


def test_the_wrong_end_is_said_to_be_wrong() -> None:
    made = example("a b", "positive", way="decoder", wrong_end=True)
    assert made.labels.tolist() == [1, -100, -100, -100]
    assert str(made.warnings[0]).startswith("Trap: the head reads output 0, [CLS], at the wrong end.")


@pytest.mark.models
def test_the_pair_of_the_reference(tokenizer) -> None:
    bert = tokenizer("google-bert/bert-base-uncased")
    made = example("A man is playing guitar.", "1", "A person plays music.", bert)
    assert len(made.encoder) == 14
    assert made.encoder.token_types.tolist() == [0] * 8 + [1] * 6


@pytest.mark.parametrize(
    ("target", "classes", "said"),
    [
        ("good", "bad,fine", "The class is good, but must be one of: bad, fine."),
        ("2", "bad,fine", "The class is 2, but must be one of: bad, fine."),
        (None, "bad,fine", "There is no class. Type one of: bad, fine."),
        ("bad", "bad,bad", "classes is bad,bad, but must be different names"),
        ("bad", " , ", "classes is  , , but must be different names"),
        ("bad", "bad", "The label is bad, but with one class it must be a number."),
        ("nan", "similarity", "The label is nan, but with one class it must be a number."),
        (None, "similarity", "The label is –, but with one class it must be a number."),
        ("1e300", "similarity", r"label is 1e\+300, but must lie between -1000000000.0 and 1000000000.0."),
    ],
)
def test_what_is_no_class_is_told(target: str | None, classes: str, said: str) -> None:
    with pytest.raises(InputProblem, match=said):
        example("a", target, classes=classes)


def test_one_class_alone_is_regression() -> None:
    made = example("a", "4.25", "b", classes="similarity")
    assert (made.value, made.extra, made.classes) == (4.25, {}, ("similarity",))
    assert made.labels.tolist() == [0, -100, -100, -100, -100]
    assert made.label_visible[0] == "4.25"
    labels = made.model_inputs()["labels"]
    assert (labels.dtype, labels.tolist()) == (np.float32, [4.25])
    assert "num_labels=1)" in made.code()
    assert "gives one number, similarity; the loss is the squared error" in str(made.notes[0])
