"""`models`: what there is, and what of it is on this machine. `tokens`: a text as a model reads it."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.cli.answer import counted, said, table
from explorer.models.cards import Card
from explorer.models.catalog import catalogue, parts, state
from explorer.models.sources import locate
from explorer.records import tokens_record, word_numbers
from explorer.tokens import encode
from explorer.types import Encoding

if TYPE_CHECKING:
    from explorer.cli.arguments import Commands


def add(commands: Commands) -> None:
    """The two commands."""
    models = commands.add_parser("models", help="the models, and what of them is on this machine")
    models.set_defaults(answer=lambda _: Models(catalogue()))
    tokens = commands.add_parser("tokens", help="ids, pieces, spans and words of a text")
    tokens.add_argument("--model", required=True, help="owner/name")
    tokens.add_argument("--text", required=True)
    tokens.set_defaults(answer=answer_tokens)


@dataclass(frozen=True)
class Models:
    """The catalogue with what this machine has of each model."""

    cards: tuple[Card, ...]

    def values(self) -> dict[str, object]:
        """One object a model."""
        return {"models": [self._row(card) for card in self.cards]}

    def lines(self) -> Iterator[str]:
        """One line a model."""
        rows = ((card.name, card.family, card.stack, state(card.name), card.parameters) for card in self.cards)
        return table(["model", "family", "stack", "here", "million parameters"], rows)

    def _row(self, card: Card) -> dict[str, object]:
        source = locate(card.name)
        places = {"tokenizer": source.tokenizer, "weights": source.weights}
        return {
            "name": card.name,
            "title": card.title,
            "family": card.family,
            "stack": card.stack,
            "state": state(card.name),
            "parts": parts(card.name),
            "source": {part: place and place.origin for part, place in places.items()},
            "parameters": card.parameters,
            "licence": card.licence,
            "about": card.about,
        }


def answer_tokens(given: argparse.Namespace) -> Tokens:
    """The text through the model's tokenizer."""
    from explorer.models import tokenizer

    return Tokens(encode(given.text, tokenizer(given.model)))


@dataclass(frozen=True)
class Tokens:
    """A text as tokens."""

    encoding: Encoding

    def values(self) -> dict[str, object]:
        """ids, pieces, visible, spans, words (null for none), special, typed: one entry a token; notes in words."""
        return tokens_record(self.encoding)

    def lines(self) -> Iterator[str]:
        """One line a token, then the count and the notes."""
        made = self.encoding
        spans = [None] * len(made) if made.spans is None else [f"{start}:{end}" for start, end in made.spans.tolist()]
        special = [
            "typed" if typed else "yes" if on else "" for on, typed in zip(made.special, made.typed, strict=True)
        ]
        columns = (range(len(made)), made.ids.tolist(), made.visible, made.pieces, spans, word_numbers(made), special)
        heads = ["position", "id", "piece", "in the vocabulary", "characters", "word", "special"]
        yield from table(heads, zip(*columns, strict=True))
        yield counted(len(made), "token")
        yield from said("note", made.notes)
