"""Write what a family is fed: encoder input and labels of BERT, BART and T5 for one sentence and the same lost words.

The words are taken out by hand (`select`, `spans`), as on the pages. Above level 1 the rows have more places than are
needed, and what is left over must stay empty; on level 3 all three families are asked at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import count

import numpy as np

from explorer.exercises.cases import RULES, Case, Tokenizers, able, pick, pick_able, random
from explorer.exercises.labels import label_reason, text_line, token_choices
from explorer.exercises.sentences import SENTENCES
from explorer.exercises.values import Cell, Choice, Code, Exercise, Line, Sheet, place
from explorer.objectives import Objective, Texts, objective
from explorer.objectives.noise import Spans, random_spans
from explorer.tokens import encode
from explorer.types import Encoding, Example, Message, Role, Stream

WRITTEN = ("masked_lm", "denoising", "span_corruption")
EXTRA = 2
"""Places that must stay empty, at the end of a row."""

INPUTS = {
    "masked_lm": Message("BERT: each lost token becomes a mask of its own, so the length stays."),
    "denoising": Message("BART: each lost span becomes one mask, however many tokens it hides."),
    "span_corruption": Message("T5: each lost span becomes one sentinel, a new one each time."),
}
LEFT_OVER = Message("The row has ended before; this place stays empty.")


def write(code: Code, tokenizers: Tokenizers) -> Exercise:
    """Both rows of one family, or of all three."""
    rng = random(code)
    text = pick(SENTENCES, rng)
    lost = random_spans(len(words_of(text)), 0.35, 1.6, rng)
    keys = list(able(WRITTEN, tokenizers, str)) if code.level == 3 else [pick_able(WRITTEN, tokenizers, rng, str)]
    cases = [_case(objective(key), text, lost, tokenizers) for key in keys]
    rows, extra = count(), EXTRA if code.level > 1 else 0
    return Exercise(
        code,
        Message(
            "{families}: these words are lost: {words}. Write the encoder input and the labels.",
            {"words": _named(text, lost), "families": ", ".join(made.objective.family for made in cases)},
        ),
        sheets=tuple(_sheet(made, rows, extra) for made in cases),
        hints=(*(INPUTS[key] for key in keys), *(RULES[key] for key in keys)),
        steps=tuple(rule for key in keys for rule in (INPUTS[key], RULES[key])),
        examples=tuple(made.build() for made in cases),
        words=(text,),
    )


def _case(item: Objective, text: str, lost: Spans, tokenizers: Tokenizers) -> Case:
    words = tokenizers(item.model)
    spans = _token_spans(text, lost, encode(text, words))
    if item.key == "masked_lm":
        chosen = ",".join(str(at) for start, end in spans for at in range(start, end))
        settings = item.Settings(select=chosen)
    else:
        settings = item.Settings(spans=",".join(f"{start}:{end}" for start, end in spans))
    return Case(item, Texts(text), settings, words, 0)


def _token_spans(text: str, lost: Spans, encoding: Encoding) -> Spans:
    """Spans counted in words -> spans counted in the tokens that have a character of those words."""
    assert encoding.spans is not None  # noqa: S101 - every tokenizer of the app tells its characters
    bounds, at = [], 0
    for word in words_of(text):
        start = text.index(word, at)
        at = start + len(word)
        bounds.append((start, at))
    inside = []
    for first, last in lost:
        start, end = bounds[first][0], bounds[last - 1][1]
        touched = (encoding.spans[:, 1] > start) & (encoding.spans[:, 0] < end) & ~encoding.special
        found = np.flatnonzero(touched)
        inside.append((int(found[0]), int(found[-1]) + 1))
    return tuple(inside)


def words_of(text: str) -> list[str]:
    """The words of a sentence; the full stop is never lost."""
    return text.rstrip(".").split()


def _named(text: str, lost: Spans) -> str:
    """The lost words, span by span."""
    words = words_of(text)
    return " | ".join(" ".join(words[first:last]) for first, last in lost)


def _sheet(made: Case, rows: count[int], extra: int) -> Sheet:
    example = made.build()
    assert example.encoder is not None  # noqa: S101 - for the type checker
    columns = max(len(made.text), len(example.encoder) + extra, len(example.labels) + extra)
    inputs = list(_input_cells(example, next(rows), extra))
    labels = list(_label_cells(example, next(rows), extra))
    lines = (
        text_line(made.text, columns),
        Line(Message("encoder input"), _filled(inputs, columns)),
        Line(Message("labels"), _filled(labels, columns)),
    )
    empty = (Choice("", Message("empty")),) if extra else ()
    return Sheet(lines, (*token_choices([made.text], example), *empty), title=made.objective.title)


def _filled(cells: Sequence[Cell], columns: int) -> tuple[Cell | None, ...]:
    return (*cells, *[None] * (columns - len(cells)))


def _input_cells(example: Example, row: int, extra: int) -> Iterable[Cell]:
    stream = example.encoder
    assert stream is not None  # noqa: S101 - for the type checker
    for at in range(len(stream) + extra):
        name = Message("encoder input {at}", {"at": at})
        over = at >= len(stream)
        right = "" if over else str(stream.ids[at])
        yield Cell(place(row, at), name, right, LEFT_OVER if over else _why_input(example, stream, at))


def _why_input(example: Example, stream: Stream, at: int) -> Message:
    """Why the encoder reads this token."""
    role, values = stream.roles[at], {"piece": stream.visible[at]}
    if role in (Role.MASKED, Role.SENTINEL):
        return INPUTS[example.objective]
    if role is Role.SPECIAL:
        return Message("The tokenizer puts {piece} here, and it is never lost.", values)
    return Message("{piece} is not lost, so it stays as it is.", values)


def _label_cells(example: Example, row: int, extra: int) -> Iterable[Cell]:
    for at in range(len(example.labels) + extra):
        name = Message("label {at}", {"at": at})
        over = at >= len(example.labels)
        right = "" if over else str(example.labels[at])
        yield Cell(place(row, at), name, right, LEFT_OVER if over else label_reason(example, at))
