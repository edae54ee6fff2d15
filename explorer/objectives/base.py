"""What an objective is: a pure function with settings, from texts to an Example.

An objective = noise mask x how the input shows it x how the target shows it (the shape of the T5
preprocessors, Raffel et al. 2019, section 3.1.4); randomness is an argument.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from explorer.tokens import Tokenizer
from explorer.types import Example, InputProblem, Message

Stack = Literal["encoder", "decoder", "encoder-decoder"]


@dataclass(frozen=True)
class Texts:
    """What the user typed. messages: a JSON list of {"role", "content"}; None = box not used."""

    text: str = ""
    text_b: str | None = None
    target: str | None = None
    messages: str | None = None


@dataclass(frozen=True)
class TextBox:
    """One text field of an objective: the name of the `Texts` field (and widget key), its label, rows of height."""

    name: Literal["text", "text_b", "target", "messages"]
    label: Message
    rows: int = 2
    optional: bool = False


@dataclass(frozen=True)
class ReadyExample:
    """An example to pick with one click: a title, the texts, settings by name as strings, the seed."""

    title: Message
    texts: Texts
    settings: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0


@dataclass(frozen=True)
class Objective:
    """key: its name on the command line; page: the page that shows it; question: one sentence of what it asks of
    the model; model: the canonical model whose tokenizer its examples suit; build: pure, raises InputProblem;
    toggle: the settings after a click on a token of the Example, where positions can be chosen by hand; chance:
    whether another seed can give another Example."""

    key: str
    title: Message
    question: Message
    page: str
    family: str
    stack: Stack
    paper: str
    boxes: tuple[TextBox, ...]
    examples: tuple[ReadyExample, ...]
    Settings: type
    model: str
    build: Callable[[Texts, Tokenizer, Any, np.random.Generator], Example]
    toggle: Callable[[Texts, Tokenizer, Any, Example, int], Any] | None = None
    chance: bool = False


def require_id(tokenizer: Tokenizer, value: int | None, what: Message) -> int:
    """The id, or InputProblem: this tokenizer has no such token (`what`: Message("mask token") ...)."""
    if value is None:
        raise InputProblem(
            "{model} has no {what}, which this objective needs.", {"model": tokenizer.name, "what": what}
        )
    return value
