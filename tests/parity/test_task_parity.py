"""Heads of fine-tuning: our losses against those of the real classes of transformers, called on their own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from explorer.models import runtime, tokenizer
from explorer.objectives import Texts
from explorer.types import InputProblem, ModelId
from tests.examples import make

NAMES = "LABEL_0,LABEL_1"
TAGGED = {"tags": NAMES}
TWO = {"classes": NAMES}
THREE = {"classes": f"{NAMES},LABEL_2", "way": "both"}
CASES = {
    "tiny/bert-tagger": ("token_classification", Texts("my dog", target="LABEL_1 LABEL_0"), TAGGED),
    "tiny/bert-classifier": ("sequence_classification", Texts("my dog", "is hairy", "LABEL_1"), TWO),
    "tiny/bert-scorer": ("sequence_classification", Texts("my dog", "is hairy", "4.25"), {"classes": "similarity"}),
    "tiny/bart-classifier": ("sequence_classification", Texts("my dog", target="LABEL_1"), THREE),
    "tiny/bert-finder": ("question_answering", Texts("who barks?", "my dog barks", "dog"), {"pad_to": "40"}),
}


@pytest.mark.parametrize("name", CASES)
def test_the_loss_is_that_of_the_model(name: str, tiny_models: Path) -> None:
    key, texts, chosen = CASES[name]
    example = make(key, tokenizer(name), texts, chosen)
    kind = example.code().split("import ")[2].split()[0]
    model = getattr(transformers, kind).from_pretrained(tiny_models / name).eval()
    inputs = {each: torch.from_numpy(np.array(array)) for each, array in example.model_inputs().items()}
    with torch.inference_mode():
        expected = float(model(**inputs).loss)
    scores = runtime().score(ModelId(name), example)
    assert len(scores.losses) == example.n_targets
    assert scores.mean == pytest.approx(expected, abs=1e-5)


def test_guesses_are_classes_or_positions(tiny_models: Path) -> None:
    key, texts, chosen = CASES["tiny/bert-finder"]
    example = make(key, tokenizer("tiny/bert-finder"), texts, chosen)
    scores = runtime().score(ModelId("tiny/bert-finder"), example)
    assert scores.top_ids.shape == (2, 5)
    assert scores.top_pieces[0][0] == example.encoder.visible[scores.top_ids[0, 0]]
    key, texts, chosen = CASES["tiny/bert-classifier"]
    classes = runtime().score(
        ModelId("tiny/bert-classifier"), make(key, tokenizer("tiny/bert-classifier"), texts, chosen)
    )
    assert sorted(classes.top_pieces[0]) == ["LABEL_0", "LABEL_1"]
    assert classes.top_probabilities.sum() == pytest.approx(1)


def test_a_model_without_the_head_says_so(tiny_models: Path) -> None:
    key, texts, chosen = CASES["tiny/bert-classifier"]
    example = make(key, tokenizer("tiny/bert"), texts, chosen)
    with pytest.raises(InputProblem, match="has no head ForSequenceClassification"):
        runtime().score(ModelId("tiny/bert"), example)


def test_a_class_that_the_model_does_not_know(tiny_models: Path) -> None:
    example = make(
        "sequence_classification", tokenizer("tiny/bert-classifier"), Texts("a", target="c"), {"classes": "b,c,d"}
    )
    with pytest.raises(InputProblem, match="has no class c; its classes are: LABEL_0, LABEL_1"):
        runtime().score(ModelId("tiny/bert-classifier"), example)


def test_tags_in_another_order_are_matched_by_name(tiny_models: Path) -> None:
    name, key, texts = "tiny/bert-tagger", "token_classification", Texts("my dog", target="LABEL_1 LABEL_0")
    found = [make(key, tokenizer(name), texts, {"tags": tags}) for tags in (NAMES, "LABEL_1,LABEL_0")]
    assert found[0].labels.tolist() != found[1].labels.tolist()
    scores = [runtime().score(ModelId(name), example).losses.tolist() for example in found]
    assert scores[0] == scores[1]


def test_a_number_is_compared_by_squared_error(tiny_models: Path) -> None:
    key, texts, chosen = CASES["tiny/bert-scorer"]
    scores = runtime().score(ModelId("tiny/bert-scorer"), make(key, tokenizer("tiny/bert-scorer"), texts, chosen))
    said = float(scores.top_pieces[0][0])
    assert scores.losses[0] == pytest.approx((said - 4.25) ** 2, rel=1e-3)
    assert (scores.squared, scores.perplexity) == (True, None)
    example = make(key, tokenizer("tiny/bert-classifier"), texts, chosen)
    with pytest.raises(InputProblem, match="gives 2 numbers, one for each class"):
        runtime().score(ModelId("tiny/bert-classifier"), example)


def test_classes_are_found_in_other_letters_too(tiny_models: Path) -> None:
    name, key = "tiny/bert-classifier", "sequence_classification"
    losses = [
        runtime().score(ModelId(name), make(key, tokenizer(name), Texts("a", target=target), {"classes": both})).mean
        for target, both in (("LABEL_1", NAMES), ("label_1", "label_1,label_0"))
    ]
    assert losses[0] == losses[1]


@pytest.mark.parametrize("name", CASES)
def test_the_head_at_every_position_and_what_it_reads(name: str, tiny_models: Path) -> None:
    key, texts, chosen = CASES[name]
    example = make(key, tokenizer(name), texts, chosen)
    found, states = (call(ModelId(name), example) for call in (runtime().head, runtime().features))
    assert states.shape == (len(example.output), 32)
    rows = found.probabilities
    assert rows.sum(axis=0 if key == "question_answering" else -1) == pytest.approx(1)
    if key == "question_answering":
        said = [-np.log(rows[target.position, target.predicts_id]) for target in example.targets]
        assert runtime().score(ModelId(name), example).losses == pytest.approx(said, abs=1e-5)
    else:
        assert rows.shape[-1] == len(found.names)


@pytest.mark.parametrize(("name", "way"), [("tiny/bert-classifier", "decoder"), ("tiny/bart-classifier", "encoder")])
def test_an_example_for_other_stacks_is_refused(name: str, way: str, tiny_models: Path) -> None:
    chosen = {"classes": NAMES if name == "tiny/bert-classifier" else THREE["classes"], "way": way}
    example = make("sequence_classification", tokenizer(name), Texts("a", target="LABEL_1"), chosen)
    for call in (runtime().score, runtime().head, runtime().features):
        with pytest.raises(InputProblem, match=f"The example is made for the stack {way}"):
            call(ModelId(name), example)
