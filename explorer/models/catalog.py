"""What there is: a card for each model, which of its parts this machine has, and the nearest one that has a part.

A model is "weights", "tokenizer only" or "absent". All of it is read from file names and headers: nothing is loaded,
no network is asked, torch is not imported.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from explorer.models.checkpoint import Checkpoint, Part, family_of, read_checkpoint, read_config, stack_of
from explorer.models.places import check_name
from explorer.models.sources import local_names, locate, tokenizer_folder
from explorer.objectives.base import Stack
from explorer.types import InputProblem, Message

State = Literal["weights", "tokenizer only", "absent"]


@dataclass(frozen=True)
class Card:
    """What a person should know of a model before choosing it. name: its id on the Hub; title: for lists; family and
    stack as objectives have them; parameters: in millions, None if unknown; licence: of the weights."""

    name: str
    title: str
    family: str
    stack: Stack
    about: Message
    parameters: int | None = None
    licence: str = ""


CARDS = (
    Card(
        "openai-community/gpt2",
        "GPT-2 small",
        "GPT",
        "decoder",
        Message("Writes on, token by token. 12 layers, trained on web pages, context 1,024."),
        124,
        "MIT",
    ),
    Card(
        "HuggingFaceTB/SmolLM2-135M-Instruct",
        "SmolLM2 135M Instruct",
        "GPT",
        "decoder",
        Message("A small Llama-type model made for chat. 30 layers, context 8,192; can be installed as a package."),
        135,
        "Apache-2.0",
    ),
    Card(
        "google-bert/bert-base-uncased",
        "BERT base, uncased",
        "BERT",
        "encoder",
        Message("Reads both ways and fills in what is masked. 12 layers, lower case only."),
        110,
        "Apache-2.0",
    ),
    Card(
        "google-bert/bert-base-cased",
        "BERT base, cased",
        "BERT",
        "encoder",
        Message("As BERT uncased, but tells capital letters from small ones."),
        108,
        "Apache-2.0",
    ),
    Card(
        "sentence-transformers/all-MiniLM-L6-v2",
        "MiniLM encoder",
        "BERT",
        "encoder",
        Message(
            "A small BERT encoder, 6 layers, the vocabulary of BERT uncased, no head; can be installed as a package."
        ),
        23,
        "Apache-2.0",
    ),
    Card(
        "facebook/bart-base",
        "BART base",
        "BART",
        "encoder-decoder",
        Message("Reads a damaged text and writes the whole original. 6 and 6 layers."),
        139,
        "Apache-2.0",
    ),
    Card(
        "facebook/bart-large",
        "BART large",
        "BART",
        "encoder-decoder",
        Message("As BART base, with 12 and 12 layers."),
        406,
        "Apache-2.0",
    ),
    Card(
        "facebook/bart-large-cnn",
        "BART large, summaries",
        "BART",
        "encoder-decoder",
        Message("BART large trained further to summarise news. Its <mask> token has no row of weights."),
        406,
        "MIT",
    ),
    Card(
        "google-t5/t5-small",
        "T5 small",
        "T5",
        "encoder-decoder",
        Message("Everything as text to text; trained to write only the spans that were removed. 6 and 6 layers."),
        61,
        "Apache-2.0",
    ),
    Card(
        "distilbert/distilbert-base-cased-distilled-squad",
        "DistilBERT for questions",
        "BERT",
        "encoder",
        Message("Finds the answer to a question inside a text. 6 layers, fine-tuned on SQuAD."),
        65,
        "Apache-2.0",
    ),
    Card(
        "dslim/bert-base-NER",
        "BERT for names",
        "BERT",
        "encoder",
        Message("Marks people, places, organisations and other names, token by token. Fine-tuned on CoNLL-2003."),
        108,
        "MIT",
    ),
)


def catalogue() -> tuple[Card, ...]:
    """The known models, then those of the school's mirror and our own that are not among them."""
    known = {card.name for card in CARDS}
    return (*CARDS, *(_found(name) for name in local_names() if name not in known))


def canonical(name: str) -> str:
    """The full id: short names that the Hub once used are known too.

    >>> canonical("gpt2")
    'openai-community/gpt2'
    """
    short = {card.name.rpartition("/")[2]: card.name for card in CARDS}
    return short.get(name, name)


def card(name: str) -> Card:
    """The card of a model; one that is in no list gets one from its config.json, downloaded if need be. Raises
    InputProblem for what is no model id, cannot be had, or may not be typed on this host."""
    full = check_name(canonical(name))
    for known in catalogue():
        if known.name == full:
            return known
    check_allowed(full)
    tokenizer_folder(full)
    return _found(full)


def others_allowed() -> bool:
    """Whether ids outside the catalogue may be typed; a host forbids it with EXPLORER_ANY_MODEL=0."""
    return os.environ.get("EXPLORER_ANY_MODEL", "1") not in {"0", "false", "no", "off"}


def check_allowed(name: str) -> None:
    """Raises InputProblem for a model that may not be typed on this host."""
    names = () if others_allowed() else tuple(each.name for each in catalogue())
    if names and canonical(name) not in names:
        given = {"model": name, "names": ", ".join(names)}
        raise InputProblem("There is no model {model} here; the models are: {names}.", given)


def state(name: str) -> State:
    """What this machine has of a model."""
    source = locate(canonical(name))
    if source.weights is not None:
        return "weights"
    return "absent" if source.tokenizer is None else "tokenizer only"


def parts(name: str) -> frozenset[Part]:
    """The parts of a model that have weights on this machine; none where there are no weights, or a damaged file."""
    checkpoint = _checkpoint(name)
    return frozenset() if checkpoint is None else checkpoint.parts


def best(near: str, part: Part | None = None) -> str | None:
    """The nearest model that has weights for `part` (None: a tokenizer is enough), or None where there is none.

    `near` is a model, a family or a stack. First the model itself, then its family, then its stack.
    """
    wanted = next((each for each in catalogue() if each.name == canonical(near)), None)
    names = {near} if wanted is None else {wanted.name, wanted.family, wanted.stack}

    def distance(each: Card) -> int:
        return 0 if each.name in names else 1 if each.family in names else 2 if each.stack in names else 3

    ordered = sorted(catalogue(), key=distance)
    return next((each.name for each in ordered if distance(each) < 3 and _has(each.name, part)), None)


def having(part: Part | None = None, stack: Stack | None = None) -> Iterable[Card]:
    """The cards of models that have weights for `part` (None: a tokenizer is enough) and this stack (None: any)."""
    return (each for each in catalogue() if stack in {None, each.stack} and _has(each.name, part))


def _has(name: str, part: Part | None) -> bool:
    return state(name) != "absent" if part is None else part in parts(name)


def _checkpoint(name: str) -> Checkpoint | None:
    place = locate(canonical(name)).weights
    try:
        return None if place is None else read_checkpoint(place)
    except InputProblem:
        return None


def _found(name: str) -> Card:
    """A card for a model that is in no list, from what its config tells."""
    source = locate(name)
    place = source.weights or source.tokenizer
    try:
        config = {} if place is None or place.packed else read_config(place.path)
    except InputProblem:
        # One broken folder must not take the whole list away; loading the model tells what is wrong with it.
        config = {}
    about = Message("Found on this machine; of the type {kind}.", {"kind": config.get("model_type", "unknown")})
    return Card(name, name, family_of(config), stack_of(config), about)
