"""The layers that a head of fine-tuning has in transformers, with their shapes: read from a config, nothing is loaded.

The pooler of BERT is the dense layer with tanh behind [CLS] (Devlin et al. 2018, section 3.2, "final hidden vector C";
the layer itself is in the code of the paper). Alphabet: D size of a state, C columns.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from explorer.models.catalog import canonical
from explorer.models.checkpoint import read_config
from explorer.models.sources import locate
from explorer.types import InputProblem

SIZES = ("hidden_size", "d_model", "n_embd", "dim")
DENSE: Mapping[str, tuple[str, str]] = {
    "bert": ("pooler.dense", "tanh"),
    "albert": ("pooler", "tanh"),
    "distilbert": ("pre_classifier", "ReLU"),
    "roberta": ("classifier.dense", "tanh"),
    "xlm-roberta": ("classifier.dense", "tanh"),
    "camembert": ("classifier.dense", "tanh"),
    "electra": ("classifier.dense", "GELU"),
    "bart": ("classification_head.dense", "tanh"),
    "mbart": ("classification_head.dense", "tanh"),
}
"""Model type -> the layer between the state and the classifier of a whole text, and what follows it."""

LAST: Mapping[str, str] = {
    **dict.fromkeys(("bart", "mbart"), "classification_head.out_proj"),
    **dict.fromkeys(("roberta", "xlm-roberta", "camembert", "electra"), "classifier.out_proj"),
}
"""Names of the last layer that are not plainly "classifier"."""


@dataclass(frozen=True)
class Layer:
    """One linear layer: its name in transformers, sizes in and out, whether it has a bias, what follows it."""

    name: str
    inner: int
    outer: int
    bias: bool = True
    then: str = ""

    @property
    def parameters(self) -> int:
        return self.inner * self.outer + (self.outer if self.bias else 0)


def head_layers(model: str, objective: str, columns: int) -> tuple[Layer, ...]:
    """From a state to the logits; none where the size of a state is not known."""
    config = _config(model)
    size = next((int(config[name]) for name in SIZES if config.get(name)), 0)
    if not size:
        return ()
    kind = str(config.get("model_type"))
    if objective == "question_answering":
        return (Layer("qa_outputs", size, 2),)
    if objective == "token_classification":
        return (Layer("classifier", size, columns),)
    if kind in DENSE:
        name, then = DENSE[kind]
        return Layer(name, size, size, then=then), Layer(LAST.get(kind, "classifier"), size, columns)
    return (Layer("score", size, columns, bias=False),)


def _config(model: str) -> Mapping[str, Any]:
    source = locate(canonical(model))
    place = source.tokenizer or source.weights
    try:
        return {} if place is None or place.packed else read_config(place.path)
    except InputProblem:
        return {}
