"""Draw a mask: which query may look at which key. The right one and its reasons come from an Example."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from explorer import masks
from explorer.exercises.cases import Case, Random, Tokenizers, case, padded, pick, pick_able, random
from explorer.exercises.sentences import SHORT
from explorer.exercises.values import OFF, ON, Board, Cell, Code, Exercise, Sheet, given_line, place
from explorer.objectives import Texts
from explorer.types import AttentionKind, Bools, Example, Message

MOST_DRAWN = 16
"""Cells up to which a mask is drawn from nothing; a larger one is mended."""


@dataclass(frozen=True)
class Ask:
    """A mask to ask about: the objective, which of its masks, how many pads, and its rule in words."""

    key: str
    kind: AttentionKind
    rule: Message
    pads: int = 0


CAUSAL = Message("A decoder reads from left to right: a position looks at itself and at what comes before it.")
FULL = Message("An encoder reads both ways: every position looks at every real token, and nobody looks at padding.")
PREFIX = Message(
    "A prefix is read both ways, the target causally: everyone sees the prefix, and the prefix never sees the target."
)
PACKED = Message(
    "Documents that share a block are kept apart: a position looks back, and only inside its own document."
)
CROSS = Message("In cross-attention every target position looks at every real token of the source, at no padding.")
PADS = Message("Nobody looks at padding. The rows of the pads themselves are computed all the same.")

ASKS = {
    1: (Ask("causal_lm", "decoder", CAUSAL), Ask("masked_lm", "encoder", FULL)),
    2: (
        Ask("prefix_lm", "decoder", PREFIX),
        Ask("causal_lm", "decoder", CAUSAL, 1),
        Ask("masked_lm", "encoder", FULL, 2),
    ),
    3: (
        Ask("packed_lm", "decoder", PACKED),
        Ask("prefix_lm", "decoder", PREFIX),
        Ask("seq2seq", "cross", CROSS, 2),
        Ask("sft", "decoder", CAUSAL, 2),
    ),
}

TITLES: dict[AttentionKind, Message] = {
    "encoder": Message("the mask of the encoder"),
    "decoder": Message("the mask of the decoder"),
    "cross": Message("the mask of cross-attention"),
}


def mask(code: Code, tokenizers: Tokenizers) -> Exercise:
    """A board that starts empty, causal or full, whichever is nearer; the reader turns cells on and off."""
    rng = random(code)
    ask = pick_able(ASKS[code.level], tokenizers, rng, lambda each: each.key)
    made = _case(ask, code.level, tokenizers, rng)
    example = made.build()
    board = _board(example, ask.kind, code.level)
    return Exercise(
        code,
        Message(
            "{objective}: draw {mask}. Click a cell to open or close it; the row looks, the column is looked at.",
            {"objective": made.objective.title, "mask": TITLES[ask.kind]},
        ),
        sheets=_read(example),
        board=board,
        hints=(ask.rule, _open(example, ask.kind)),
        steps=(ask.rule, *((PADS,) if ask.pads and ask.rule is CAUSAL else ()), _open(example, ask.kind)),
        examples=(example,),
    )


def _case(ask: Ask, level: int, tokenizers: Tokenizers, rng: Random) -> Case:
    """The objective with a text short enough to draw every cell of its mask."""
    made = case(1, tokenizers, rng, (ask.key,))
    text = str(pick(SHORT, rng))
    texts = {
        "sft": Texts(text, target="."),
        "prefix_lm": Texts(text, target="." if level == 2 else "and you?"),
        "packed_lm": made.texts,
        "seq2seq": made.texts,
    }
    short = replace(made, texts=texts.get(ask.key, Texts(text)), settings=_plain(made))
    return padded(short, ask.pads) if ask.pads else short


def _plain(made: Case) -> object:
    """The settings without an end token, which would be one row more."""
    names = {"add_eos": False} if hasattr(made.settings, "add_eos") else {}
    return replace(made.settings, **names)


def _read(example: Example) -> tuple[Sheet, ...]:
    """What the stacks read: the roles tell prompts, targets and padding."""
    if example.encoder is not None and example.decoder is not None:
        source, target = (Message("encoder input"), example.encoder), (Message("decoder input"), example.decoder)
        return tuple(Sheet((given_line(*each),)) for each in (source, target))
    return (Sheet((given_line(Message("input"), example.output),)),)


def _board(example: Example, kind: AttentionKind, level: int) -> Board:
    rules = masks.rules_of(example, kind)
    queries = example.encoder if kind == "encoder" else example.decoder
    keys = example.decoder if kind == "decoder" else example.encoder
    assert queries is not None and keys is not None  # noqa: S101 - for the type checker
    start = _start(rules.mask, level)
    cells = tuple(
        Cell(
            place(i, j),
            Message(
                "row {query}, column {key}", {"query": f"{i} {queries.visible[i]}", "key": f"{j} {keys.visible[j]}"}
            ),
            ON if rules.mask[i, j] else OFF,
            masks.reason(rules, i, j),
            start=ON if start[i, j] else OFF,
            flips=True,
        )
        for i, j in np.ndindex(*rules.mask.shape)
    )
    return Board(queries.visible, keys.visible, start, cells)


def _start(right: Bools, level: int) -> Bools:
    """What the reader begins with: nothing where the mask is small, else the usual mask that is nearest to it."""
    empty = np.zeros_like(right)
    if level == 1 and right.size <= MOST_DRAWN:
        return empty
    usual = [masks.full(*right.shape)]
    usual += [masks.causal(len(right))] if right.shape[0] == right.shape[1] else []
    other = [each for each in usual if not np.array_equal(each, right)]
    return min(other, key=lambda each: int((each != right).sum()), default=empty)


def _open(example: Example, kind: AttentionKind) -> Message:
    found = masks.rules_of(example, kind).mask
    return Message("{open} of {all} cells are open.", {"open": masks.allowed(found), "all": found.size})
