"""Find the bug in a broken batch: mistakes that people make, put into a right Example.

Two of them are switches of the objectives themselves (`shift_twice`, `mask_eos`); the others change one array.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from explorer.exercises.cases import Case, Random, Tokenizers, case, padded, pick, random
from explorer.exercises.values import (
    Board,
    Cell,
    Choice,
    Code,
    Exercise,
    Line,
    Sheet,
    Shown,
    given_line,
    label_line,
    place,
)
from explorer.objectives.assemble import Row, made
from explorer.types import IGNORE, Bools, Example, Masks, Message, Role, Stream, read_only

NONE = "none"


@dataclass(frozen=True)
class Bug:
    """One mistake: its name, what it does, and why a batch that has another one does not have it."""

    title: Message
    does: Message
    absent: Message


BUGS = {
    "shift_twice": Bug(
        Message("the labels are shifted twice"),
        Message(
            "The labels were moved one place to the left by hand and the shift comes on top: token t+2 is learned."
        ),
        Message("The labels stand where they belong, so nothing is shifted twice."),
    ),
    "no_ignore": Bug(
        Message("-100 is missing"),
        Message("Tokens that are only to be read have a label too, so the model is trained to repeat them."),
        Message("Tokens that are only to be read have -100, as they must."),
    ),
    "pad_loss": Bug(
        Message("the padding is in the loss"),
        Message("The pads have labels, so part of the mean loss is about writing padding."),
        Message("No pad has a label here."),
    ),
    "eos_masked": Bug(
        Message("the end token is masked out"),
        Message("The end token has -100, so the model never learns to stop."),
        Message("No end token that should be learned has -100."),
    ),
    "start": Bug(
        Message("the decoder starts with the wrong token"),
        Message("The decoder input begins with a token that this model does not begin with when it writes."),
        Message("No decoder input begins with a wrong token."),
    ),
    "leak": Bug(
        Message("the prefix sees the target"),
        Message("Rows of the prefix look at the target, so what is to be predicted can simply be read."),
        Message("No row looks at a target that it must predict."),
    ),
    NONE: Bug(
        Message("nothing is wrong"),
        Message("Labels, padding, start and mask are all as they must be."),
        Message(
            "Something is wrong. Compare the labels with the input place by place, then look at pads, end and mask."
        ),
    ),
}
"""Every answer there is, in the order of the page."""

ALONE = ("shift_twice", "no_ignore", "pad_loss", "eos_masked")

POSSIBLE = {
    "causal_lm": ("shift_twice", "pad_loss", "eos_masked"),
    "sft": ALONE,
    "masked_lm": ("no_ignore", "pad_loss"),
    "prefix_lm": ("shift_twice", "no_ignore", "leak"),
    "seq2seq": ("shift_twice", "start"),
    "denoising": ("shift_twice", "start"),
    "span_corruption": ("shift_twice", "start"),
}
"""The mistakes that can be made with an objective."""

ASKED = {1: ("causal_lm", "sft"), 2: ("sft", "masked_lm", "prefix_lm", "seq2seq"), 3: tuple(POSSIBLE)}


def bug(code: Code, tokenizers: Tokenizers) -> Exercise:
    """One row of a batch and every mistake to choose from; on level 3 there may be none."""
    rng = random(code)
    right = _case(code.level, tokenizers, rng)
    names = POSSIBLE[right.objective.key] + ((NONE,) if code.level == 3 else ())
    name = str(pick(names, rng))
    broken = BREAK[name](right)
    cell = Cell(
        place(0, 0),
        Message("the bug"),
        name,
        BUGS[name].does,
        {other: bug.absent for other, bug in BUGS.items() if other != name},
    )
    choices = tuple(Choice(other, bug.title) for other, bug in BUGS.items())
    hints = (_where(name), Message("{count} outputs have a loss; rightly it would be {right}.", _counts(right, broken)))
    return Exercise(
        code,
        Message(
            "{objective}: a row of a batch as the model gets it. What is wrong?", {"objective": right.objective.title}
        ),
        sheets=(*_shown(broken), Sheet((), choices, (cell,))),
        board=_board(broken) if right.objective.key == "prefix_lm" else None,
        hints=hints,
        steps=(BUGS[name].does, Message("This is how it should be:")),
        examples=(right.build(),),
    )


def _case(level: int, tokenizers: Tokenizers, rng: Random) -> Case:
    """A row with an end token and with pads, where the objective has them."""
    found = case(min(level, 2), tokenizers, rng, ASKED[level])
    if hasattr(found.settings, "add_eos"):
        found = replace(found, settings=replace(found.settings, add_eos=True))
    return (
        padded(found, 2) if hasattr(found.settings, "pad_to") and found.objective.stack != "encoder-decoder" else found
    )


def _counts(right: Case, broken: Example) -> dict[str, int]:
    return {"count": broken.n_targets, "right": right.build().n_targets}


def _where(name: str) -> Message:
    """A first hint: what to look at."""
    if name == "leak":
        return Message("Look at the mask.")
    if name == "start":
        return Message("Look at the decoder input.")
    return Message("Look at the labels, place by place.")


def _shown(example: Example) -> tuple[Sheet, ...]:
    """The arrays as the model gets them; who compares what is not told."""
    stream, two = example.output, example.encoder is not None and example.decoder is not None
    first = given_line(Message("decoder input") if two else Message("input"), stream)
    mask = Line(Message("attention mask"), tuple(Shown(str(value)) for value in stream.attention_mask))
    lines = [first, mask, label_line(Message("labels"), example.labels.tolist(), example.label_visible)]
    own = Sheet(tuple(lines))
    if two and example.encoder is not None:
        return Sheet((given_line(Message("encoder input"), example.encoder),)), own
    return (own,)


def _board(example: Example) -> Board | None:
    stream, mask = example.output, example.masks.decoder
    return None if mask is None else Board(stream.visible, stream.visible, mask)


# -- the mistakes -----------------------------------------------------------------------------------------------------


def _shift_twice(right: Case) -> Example:
    """The objective's own switch; beside an encoder the labels are moved here."""
    if hasattr(right.settings, "shift_twice"):
        return right.build(shift_twice=True)
    example = right.build()
    labels = np.append(example.labels[1:], IGNORE)
    return replace(example, labels=labels, label_visible=(*example.label_visible[1:], ""))


def _no_ignore(right: Case) -> Example:
    """Every real token has a label."""
    example = right.build()
    return _labelled(example, example.output.attention_mask == 1)


def _pad_loss(right: Case) -> Example:
    """Every pad has a label."""
    example = right.build()
    return _labelled(example, example.output.attention_mask == 0)


def _labelled(example: Example, where: Bools) -> Example:
    """The example with the input's own token as label wherever there is none and `where` (T,) says so."""
    stream = example.output
    added = where & (example.labels == IGNORE)
    shown = zip(added.tolist(), stream.visible, example.label_visible, strict=True)
    return replace(
        example,
        labels=np.where(added, stream.ids, example.labels),
        label_visible=tuple(own if new else before for new, own, before in shown),
    )


def _wrong_start(right: Case) -> Example:
    """The decoder begins with another of the control tokens."""
    example, special = right.build(), right.tokenizer.special
    stream = example.decoder
    assert stream is not None  # noqa: S101 - for the type checker
    others = (special.bos, special.eos, special.cls, special.pad, special.sep)
    wrong = next(id for id in others if id is not None and id != stream.ids[0])
    first = made([wrong], right.tokenizer, Role.SPECIAL)
    return replace(example, decoder=_began(stream, first))


def _began(stream: Stream, first: Row) -> Stream:
    """The stream with another first token."""
    return replace(
        stream,
        ids=read_only([*first.ids, *stream.ids[1:]], np.int64),
        pieces=(*first.pieces, *stream.pieces[1:]),
        visible=(*first.visible, *stream.visible[1:]),
    )


def _leak(right: Case) -> Example:
    """The prefix looks at everything."""
    example = right.build()
    mask = np.array(example.masks.decoder)
    mask[[role is Role.PROMPT for role in example.output.roles]] = True
    return replace(example, masks=Masks(decoder=mask))


BREAK: dict[str, Callable[[Case], Example]] = {
    "shift_twice": _shift_twice,
    "no_ignore": _no_ignore,
    "pad_loss": _pad_loss,
    "eos_masked": lambda right: right.build(mask_eos=True),
    "start": _wrong_start,
    "leak": _leak,
    NONE: lambda right: right.build(),
}
