"""`example`: what a model is fed for an objective. `score`: the same, with what the model says at each target."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.cli.answer import counted, said, table
from explorer.cli.arguments import Misuse, contents, whole
from explorer.cli.nearest import offering
from explorer.models.checkpoint import head_for
from explorer.objectives import Objective, Texts, objective, objectives
from explorer.records import record
from explorer.settings import knobs, parse_settings
from explorer.types import IGNORE, Example, Scores, Stream, check_range

if TYPE_CHECKING:
    from explorer.cli.arguments import Commands

SHIFTS = {
    "none": "nobody shifts: output t is compared with label t",
    "loss": "the loss shifts: output t is compared with label t + 1",
    "decoder_input": "the decoder input was shifted right: output t is compared with label t",
}


def add(commands: Commands) -> None:
    """The two commands, with the same arguments."""
    example = commands.add_parser("example", help="what a model is fed for an objective, and where the loss lies")
    score = commands.add_parser("score", help="the same with the model's loss and best guesses at each target")
    for command, answer in ((example, answer_example), (score, answer_score)):
        command.add_argument("objective", metavar="OBJECTIVE", help=", ".join(objectives()))
        command.add_argument("--model", help="owner/name; the objective's usual one if not given")
        command.add_argument("--text")
        command.add_argument("--text-b", help="the second text of a pair")
        command.add_argument("--target", help="what the model should answer")
        command.add_argument("--messages", metavar="FILE", help="a conversation as a JSON list; - is standard input")
        command.add_argument("--seed", type=whole, default=0, help="the draw (default 0)")
        command.add_argument("--set", action="append", default=[], metavar="NAME=VALUE", help="a setting, by its name")
        command.set_defaults(answer=answer)


def answer_example(given: argparse.Namespace) -> Made:
    """The Example that the arguments ask for."""
    from explorer.models import tokenizer

    wanted = objective(given.objective)
    check_range("seed", given.seed, low=0)
    texts = _texts(given, wanted)
    settings: Any = parse_settings(wanted.Settings, _assignments(given.set, wanted))
    made = wanted.build(texts, tokenizer(given.model or wanted.model), settings, np.random.default_rng(given.seed))
    return Made(made, settings, given.seed)


def answer_score(given: argparse.Namespace) -> Scored:
    """The same with what the model says of it."""
    from explorer.models import runtime

    made = answer_example(given)
    with offering(made.example.model, head_for(made.example.objective)):
        return Scored(made, runtime().score(runtime().identify(made.example.model), made.example))


def _texts(given: argparse.Namespace, wanted: Objective) -> Texts:
    """What was typed. Raises Misuse for a text that the objective has no box for."""
    typed = {name: getattr(given, name) for name in ("text", "text_b", "target", "messages") if getattr(given, name)}
    boxes = [box.name for box in wanted.boxes]
    for name in typed:
        if name not in boxes:
            raise Misuse(f"{wanted.key} takes no {name}; it takes: {', '.join(boxes)}.")
    if "messages" in typed:
        typed["messages"] = contents(typed["messages"])
    return Texts(**typed)


def _assignments(given: Sequence[str], wanted: Objective) -> dict[str, str]:
    """Settings as name -> text. Raises Misuse for what is no NAME=VALUE, or a name that comes twice."""
    found: dict[str, str] = {}
    for each in given:
        name, sign, value = each.partition("=")
        if not sign:
            raise Misuse(f"--set takes NAME=VALUE, not {each!r}; the names are: {', '.join(knobs(wanted.Settings))}.")
        if name in found:
            raise Misuse(f"--set gives {name} twice: {found[name]!r} and {value!r}.")
        found[name] = value
    return found


@dataclass(frozen=True)
class Made:
    """An Example with the settings and the seed it was made with."""

    example: Example
    settings: Any
    seed: int

    def values(self) -> dict[str, object]:
        """All the numbers of the Example; a mask has 1 where it is open."""
        return record(self.example, self.settings, self.seed)

    def lines(self) -> Iterator[str]:
        """The streams with labels beside the outputs, then counts and words."""
        return self._lines([], {})

    def _lines(self, heads: Sequence[str], further: Mapping[int, Sequence[object]]) -> Iterator[str]:
        """further: more columns, by output position."""
        made = self.example
        yield f"{made.objective}, {made.model}, seed {self.seed}"
        if made.encoder is not None and made.decoder is not None:
            yield from ("", "encoder", *table(["position", "id", "piece", "role"], _rows(made.encoder)))
        predicts = {target.position: made.label_visible[target.label_index] for target in made.targets}
        columns = zip(_rows(made.output), made.labels.tolist(), made.compared.tolist(), strict=True)
        rows = [
            (
                *row,
                label,
                None if compared == IGNORE else compared,
                predicts.get(t, ""),
                *further.get(t, [""] * len(heads)),
            )
            for t, (row, label, compared) in enumerate(columns)
        ]
        yield from ("", "outputs")
        yield from table(["position", "id", "piece", "role", "label", "compared with", "must say", *heads], rows)
        yield ""
        counts = f"{counted(made.n_targets, 'target')} at {counted(len(made.output), 'position')}"
        yield f"{counts}; {SHIFTS[made.shift]}"
        yield from (f"{name}: {value}" for name, value in made.extra.items())
        yield from said("warning", made.warnings)
        yield from said("note", made.notes)


@dataclass(frozen=True)
class Scored:
    """An Example with a model's scores."""

    made: Made
    scores: Scores

    def values(self) -> dict[str, object]:
        """The Example with a loss and the best guesses at each target, mean and perplexity."""
        return record(self.made.example, self.made.settings, self.made.seed, self.scores)

    def lines(self) -> Iterator[str]:
        """The Example with two columns more, then mean and perplexity."""
        scores = self.scores
        further = {
            target.position: (float(scores.losses[n]), _told(scores, n))
            for n, target in enumerate(self.made.example.targets)
        }
        yield from self.made._lines(["loss", "most probable"], further)
        if scores.mean is not None:
            perplexity = "" if scores.perplexity is None else f", perplexity {scores.perplexity:.4f}"
            yield f"mean loss {scores.mean:.4f}{perplexity}"
        if scores.next_sentence is not None:
            follows, random = scores.next_sentence
            yield f"B follows A {follows:.4f}, B is random {random:.4f}, loss {scores.next_sentence_loss:.4f}"


def _rows(stream: Stream) -> Iterator[tuple[object, ...]]:
    roles = (role.value for role in stream.roles)
    return zip(range(len(stream)), stream.ids.tolist(), stream.visible, roles, strict=True)


def _told(scores: Scores, n: int) -> str:
    pairs = zip(scores.top_pieces[n], scores.top_probabilities[n].tolist(), strict=True)
    return "  ".join(f"{piece} {p:.3f}" for piece, p in pairs)
