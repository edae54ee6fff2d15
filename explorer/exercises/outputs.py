"""What the outputs are compared with: where loss lies, what an output must say, how many targets there are."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from explorer.exercises.cases import FAMILIES, RULES, Case, Random, Tokenizers, case, random
from explorer.exercises.labels import token_choices
from explorer.exercises.values import (
    NOTHING,
    OFF,
    ON,
    Cell,
    Choice,
    Code,
    Exercise,
    Line,
    Sheet,
    given_line,
    label_line,
    place,
)
from explorer.reasons import why
from explorer.types import IGNORE, Example, Message

COUNTED = {**FAMILIES, 1: ("causal_lm", "masked_lm", "sft")}


def loss(code: Code, tokenizers: Tokenizers) -> Exercise:
    """Turn on the outputs that have a loss. The labels are given up to level 2."""
    made = case(code.level, tokenizers, random(code))
    example = made.build()
    asked = Line(Message("loss here?"), tuple(_loss_cells(example)))
    return Exercise(
        code,
        Message("{objective}: at which outputs does loss lie? Click them.", {"objective": made.objective.title}),
        sheets=_given(example, (asked,), labels=code.level < 3),
        hints=(RULES[made.objective.key], _shifted(example)),
        steps=(RULES[made.objective.key], _shifted(example), _targets(example)),
        examples=(example,),
    )


def _loss_cells(example: Example) -> Iterable[Cell]:
    for at, label in enumerate(example.compared.tolist()):
        name = Message("output {at}", {"at": at})
        yield Cell(place(0, at), name, OFF if label == IGNORE else ON, why(example, at), start=OFF, flips=True)


def output(code: Code, tokenizers: Tokenizers) -> Exercise:
    """Which token must output t say? One output on level 1, up to three on level 3, where no labels are given."""
    rng = random(code)
    made = case(code.level, tokenizers, rng)
    example = made.build()
    chosen = _asked(example, code.level, rng)
    cells = {at: _output_cell(example, at) for at in chosen}
    asked = Line(Message("must say"), tuple(cells.get(at) for at in range(len(example.output))))
    places = ", ".join(str(at) for at in chosen)
    return Exercise(
        code,
        Message(
            "{objective}: which token is the output compared with? Asked: {places}.",
            {"objective": made.objective.title, "places": places},
        ),
        sheets=_given(example, (asked,), labels=code.level < 3, choices=_said(made, example)),
        hints=(_shifted(example), RULES[made.objective.key]),
        steps=(_shifted(example), *(why(example, at) for at in chosen)),
        examples=(example,),
    )


def _asked(example: Example, count: int, rng: Random) -> list[int]:
    """Outputs to ask about: one with loss, the others anywhere."""
    first = int(rng.choice(np.flatnonzero(example.compared != IGNORE)))
    others = [at for at in range(len(example.output)) if at != first]
    more = rng.choice(others, min(count - 1, len(others)), replace=False).tolist()
    return sorted([first, *more])


def _output_cell(example: Example, at: int) -> Cell:
    right, slips = int(example.compared[at]), {}
    read, label = int(example.output.ids[at]), int(example.labels[at])
    if right not in (read, IGNORE):
        slips[str(read)] = Message("That is what stands at {at}. The output has read it already.", {"at": at})
    if example.shift == "loss" and at + 2 < len(example.labels) and example.labels[at + 2] not in (right, IGNORE):
        slips[str(example.labels[at + 2])] = Message("That is two tokens on, as if the labels were shifted twice.")
    if label not in (right, IGNORE) and str(label) not in slips:
        slips[str(label)] = Message("That is the label passed at {at}; the loss shifts before it compares.", {"at": at})
    return Cell(place(0, at), Message("output {at}", {"at": at}), str(right), why(example, at), slips)


def _said(made: Case, example: Example) -> tuple[Choice, ...]:
    """The tokens to choose from; -100 is told in words."""
    found = token_choices([], example)
    return tuple(Choice(NOTHING, Message("nothing")) if each.value == NOTHING else each for each in found)


def count(code: Code, tokenizers: Tokenizers) -> Exercise:
    """How many targets are there? Labels are given on level 1 only."""
    made = case(code.level, tokenizers, random(code), COUNTED[code.level])
    example = made.build()
    most = len(example.output) + 2
    cell = Cell(
        place(0, 0),
        Message("number of targets"),
        str(example.n_targets),
        _targets(example),
        dict(_miscounts(example)),
    )
    lines = _given(example, (), labels=code.level == 1)
    choices = tuple(Choice(str(n), str(n)) for n in range(most))
    return Exercise(
        code,
        Message("{objective}: over how many targets is the loss averaged?", {"objective": made.objective.title}),
        sheets=(*lines, Sheet((), choices, (cell,))),
        hints=(RULES[made.objective.key], _shifted(example)),
        steps=(RULES[made.objective.key], _shifted(example), _targets(example)),
        examples=(example,),
    )


def _miscounts(example: Example) -> Iterable[tuple[str, Message]]:
    """Numbers that come from a known mistake; the last one of equals wins."""
    tokens, labelled = len(example.output), int((example.labels != IGNORE).sum())
    real = int(example.output.attention_mask.sum())
    wrong = [
        (tokens, Message("That is the number of positions. Not every output is compared with a token.")),
        (real, Message("That is the number of tokens without the pads. Not every one of their outputs has a target.")),
        (real - 1, Message("That would be right if every token but the first were learned.")),
        (
            labelled,
            Message(
                "That is the number of labels. No output stands before the first one, so it is compared with none."
            ),
        ),
    ]
    yield from ((str(number), words) for number, words in wrong if number != example.n_targets)


def _given(
    example: Example, asked: Sequence[Line], *, labels: bool, choices: tuple[Choice, ...] = ()
) -> tuple[Sheet, ...]:
    """What each stack reads and, if wanted, the labels, over the rows asked."""
    two = example.encoder is not None and example.decoder is not None
    name = Message("decoder input") if two else Message("input")
    lines = [given_line(name, example.output)]
    if labels:
        lines.append(label_line(Message("label, as passed"), example.labels.tolist(), example.label_visible))
    own = Sheet((*lines, *asked), choices)
    if two and example.encoder is not None:
        return Sheet((given_line(Message("encoder input"), example.encoder),)), own
    return (own,)


def _shifted(example: Example) -> Message:
    """Who shifts."""
    if example.shift == "loss":
        return Message("Output t is compared with label t+1: look one place to the right.")
    if example.shift == "decoder_input":
        return Message("The decoder input was shifted already: output t is compared with label t, in the same place.")
    return Message("Nobody shifts: output t is compared with label t, in the same place.")


def _targets(example: Example) -> Message:
    values = {"count": example.n_targets, "all": len(example.output)}
    return Message("{count} of {all} outputs are targets.", values)
