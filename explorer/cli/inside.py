"""`attention`: what each head of a model looks at. `generate`: a text written token by token."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from explorer.cli.answer import said, table
from explorer.cli.arguments import Misuse, whole
from explorer.cli.nearest import offering
from explorer.cli.sampling_flags import add_sampling, sampling_settings
from explorer.looking import KINDS, example_for
from explorer.models.catalog import card
from explorer.objectives import Stack, Texts
from explorer.records import writing_record
from explorer.sampling import check
from explorer.types import Attention, Example, SamplingSettings, check_range

if TYPE_CHECKING:
    from explorer.cli.arguments import Commands
    from explorer.generation import Session

MOST_STEPS = 2048


def add(commands: Commands) -> None:
    """The two commands."""
    attention = commands.add_parser("attention", help="what each head looks at; rows look and add up to 1")
    attention.add_argument("--model", required=True, help="owner/name")
    attention.add_argument("--text", required=True)
    attention.add_argument("--text-b", help="the second text of a pair")
    attention.add_argument("--target", help="what the decoder reads, where there are two stacks")
    attention.add_argument("--kind", help="encoder, decoder or cross; the first that the model has if not given")
    attention.add_argument("--layer", type=whole, help="one layer, counted from 0")
    attention.add_argument("--head", type=whole, help="one head, counted from 0")
    attention.set_defaults(answer=answer_attention)
    generate = commands.add_parser("generate", help="write on, token by token")
    generate.add_argument("--model", required=True, help="owner/name")
    generate.add_argument("--prompt", required=True)
    generate.add_argument("--target", help="what the decoder begins with, where there are two stacks")
    generate.add_argument("--steps", type=whole, required=True, help="how many tokens to write at most")
    generate.add_argument("--beams", type=whole, default=1, help="beam search with so many texts side by side, no draw")
    add_sampling(generate)
    generate.set_defaults(answer=answer_generate)


def answer_attention(given: argparse.Namespace) -> Looks:
    """The weights that the arguments ask for."""
    from explorer.models import runtime, tokenizer

    stack = card(given.model).stack
    _refuse_text(given, "text_b", stack, "encoder")
    _refuse_text(given, "target", stack, "encoder-decoder")
    kind = given.kind or KINDS[stack][0]
    if kind not in KINDS[stack]:
        raise Misuse(f"{given.model} has no attention of the kind {kind}; it has: {', '.join(KINDS[stack])}.")
    made = example_for(stack, Texts(given.text, given.text_b, given.target), tokenizer(given.model))
    with offering(made.model, "encoder"):
        found = runtime().attention(runtime().identify(made.model), made)[kind]
    for name, size in zip(("layer", "head"), found.weights.shape[:2], strict=True):
        if getattr(given, name) is not None:
            check_range(name, getattr(given, name), 0, size - 1)
    return Looks(found, made, given.layer, given.head)


def _refuse_text(given: argparse.Namespace, name: str, stack: Stack, wanted: Stack) -> None:
    """Raises Misuse for a text that only models with the stack `wanted` read."""
    if getattr(given, name) and stack != wanted:
        raise Misuse(f"{given.model} takes no {name}: its stack is {stack}, and only {wanted} models read one.")


@dataclass(frozen=True)
class Looks:
    """Attention weights over an Example; layer and head are None where all of them are asked for."""

    attention: Attention
    example: Example
    layer: int | None
    head: int | None

    def values(self) -> dict[str, object]:
        """Weights [L][H][Q][K], without L or H where one is chosen."""
        made, weights = self.attention, self.attention.weights
        weights = weights if self.head is None else weights[:, self.head]
        weights = weights if self.layer is None else weights[self.layer]
        told = {"warnings": self.example.warnings, "notes": self.example.notes}
        return {"kind": made.kind, "queries": made.queries, "keys": made.keys, "weights": weights, **told}

    def lines(self) -> Iterator[str]:
        """The table of one head; without a layer and a head there would be too many."""
        layers, heads, queries, keys = self.attention.weights.shape
        yield from said("warning", self.example.warnings)
        yield from said("note", self.example.notes)
        yield f"{self.attention.kind} attention, {layers} layers of {heads} heads, {queries} rows, {keys} columns"
        if self.layer is None or self.head is None:
            yield "name one with --layer and --head to see its weights; --json gives all of them"
            return
        weights = self.attention.weights[self.layer, self.head].astype(float).tolist()
        rows = ([piece, *row] for piece, row in zip(self.attention.queries, weights, strict=True))
        yield from table(["", *self.attention.keys], rows)


def answer_generate(given: argparse.Namespace) -> Written:
    """The text after so many steps."""
    from explorer import beam, generation
    from explorer.models import runtime

    check_range("steps", given.steps, 0, MOST_STEPS)
    check_range("beams", given.beams, 1, beam.MOST_BEAMS)
    settings = check(sampling_settings(given))
    if given.beams > 1 and settings != SamplingSettings():
        raise Misuse("Beam search draws nothing: leave out the filters, --greedy and --seed, or --beams.")
    _refuse_text(given, "target", card(given.model).stack, "encoder-decoder")
    with offering(given.model, "language model"):
        session = generation.start(runtime().identify(given.model), given.prompt, given.target or "")
    if given.beams == 1:
        written = generation.steps(session, settings, given.steps)
    else:
        written = beam.write(session, given.beams, given.steps)
    generation.close(written)
    return Written(written)


@dataclass(frozen=True)
class Written:
    """A text that was written."""

    session: Session

    def values(self) -> dict[str, object]:
        """Every step with its candidates; text and ids are what was written after the prompt."""
        return writing_record(self.session.generation, self.session.text)

    def lines(self) -> Iterator[str]:
        """One line a step, then the whole text."""
        made = self.session.generation
        rows = (
            (n + 1, step.chosen, step.piece, step.p_model, step.p_final, step.entropy)
            for n, step in enumerate(made.steps)
        )
        yield from table(["step", "id", "piece", "probability", "after filters", "entropy"], rows)
        yield f"text: {made.prompt}{self.session.text}"
        yield from said("stopped", filter(None, [made.stopped]))
        yield from said("note", made.notes)
