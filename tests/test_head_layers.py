"""The layers of heads as they are told, against those that transformers makes."""

from __future__ import annotations

from pathlib import Path

import pytest
import transformers

from explorer.models.heads import Layer, head_layers
from explorer.models.loading import TASKS

HEADS = {
    "tiny/bert-classifier": ("sequence_classification", 2),
    "tiny/bert-tagger": ("token_classification", 2),
    "tiny/bert-finder": ("question_answering", 2),
    "tiny/bart-classifier": ("sequence_classification", 3),
}


@pytest.mark.parametrize("name", HEADS)
def test_layers_are_those_of_the_class(name: str, tiny_models: Path) -> None:
    objective, columns = HEADS[name]
    model = getattr(transformers, f"AutoModelFor{TASKS[objective]}").from_pretrained(tiny_models / name)
    found = head_layers(name, objective, columns)
    assert found
    for layer in found:
        module = dict(model.named_modules()).get(layer.name) or model.base_model.get_submodule(layer.name)
        assert tuple(module.weight.shape) == (layer.outer, layer.inner)
        assert sum(part.numel() for part in module.parameters()) == layer.parameters


def test_a_decoder_scores_without_a_bias(tiny_models: Path) -> None:
    assert head_layers("tiny/gpt2", "sequence_classification", 4) == (Layer("score", 32, 4, bias=False),)


@pytest.mark.models
def test_the_published_sizes() -> None:
    pooler, classifier = head_layers("google-bert/bert-base-uncased", "sequence_classification", 2)
    assert (pooler.name, pooler.inner, pooler.outer, pooler.then, pooler.parameters) == (
        *("pooler.dense", 768, 768, "tanh", 590_592),
    )
    assert (classifier.inner, classifier.outer, classifier.parameters) == (768, 2, 1_538)
    [finder] = head_layers("distilbert/distilbert-base-cased-distilled-squad", "question_answering", 2)
    assert (finder.inner, finder.outer, finder.parameters) == (768, 2, 1_538)


def test_a_model_that_nobody_knows_has_no_layers(empty: Path) -> None:
    assert head_layers("some/model", "sequence_classification", 2) == ()
