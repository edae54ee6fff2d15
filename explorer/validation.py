"""A validation loop: pieces of a text file as Examples of one objective, their losses summed over all targets.

It is teacher-forced like training: every target is predicted from the right tokens before it. Each piece is read by
itself, so the first tokens of a piece have little to go by.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import exp, inf

import numpy as np
from numpy.typing import NDArray

from explorer.objectives.assemble import documents
from explorer.objectives.base import Texts
from explorer.types import Example, InputProblem, Message
from explorer.uploads import lines_of

LONGEST = 800
"""UTF-8 bytes of a piece at most, so that no pass of a model takes long."""

PAIRED = frozenset({"seq2seq", "sft"})
"""Objectives with two texts in a line, a tab between them."""

OBJECTIVES = ("causal_lm", "prefix_lm", "sft", "masked_lm", "denoising", "span_corruption", "seq2seq")
"""One for each family and way of pretraining."""


@dataclass(frozen=True)
class Pieces:
    """What is to be scored, in the order of the file; notes: what was left out."""

    texts: tuple[Texts, ...]
    notes: tuple[Message, ...] = ()


def pieces(text: str, most: int, *, paired: bool = False) -> Pieces:
    r"""At most `most` pieces, evenly spread: paragraphs, or lines where no blank line parts any; long ones are cut.
    paired: lines with two texts, a tab between. Raises InputProblem where there is nothing of the kind.

    >>> [each.text for each in pieces("one\n\ntwo two\nlines", 9).texts]
    ['one', 'two two\nlines']
    """
    if paired:
        return _pairs(text, most)
    parts = documents(text)
    if len(parts) < 2:
        parts = [line.strip() for line in text.split("\n") if line.strip()]
    short = [piece for part in parts for piece in _cut(part)]
    if not short:
        raise InputProblem("There is no text. Type a sentence to see what the model is fed.")
    chosen = [short[at * len(short) // most] for at in range(most)] if len(short) > most else short
    notes: tuple[Message, ...] = ()
    if len(chosen) < len(short):
        given = {"count": len(short), "most": most}
        notes = (Message("Of {count} pieces {most} are read, evenly spread over the file.", given),)
    return Pieces(tuple(Texts(each) for each in chosen), notes)


def _pairs(text: str, most: int) -> Pieces:
    found = lines_of(text, most)
    halves = [(number, line.split("\t")) for number, line in found.numbered]
    good = [half for _, half in halves if len(half) >= 2 and half[0].strip() and half[1].strip()]
    bad = [number for number, half in halves if len(half) < 2 or not (half[0].strip() and half[1].strip())]
    if not good:
        raise InputProblem("No line holds two texts with a tab between them, as this objective needs.")
    notes = found.notes
    if bad:
        given = {"count": len(bad), "first": bad[0]}
        notes = (*notes, Message("Lines without two texts and a tab between: {count}, first line {first}.", given))
    return Pieces(tuple(Texts(_short(half[0]), target=_short(half[1])) for half in good), notes)


def _cut(text: str) -> Iterator[str]:
    """Parts of at most LONGEST bytes, cut at white space where there is any."""
    while len(text.encode()) > LONGEST:
        head = _short(text)
        space = head.rfind(" ") if not text[len(head)].isspace() else len(head)
        end = space if space > len(head) // 2 else len(head)
        yield text[:end].strip()
        text = text[end:].strip()
    if text:
        yield text


def _short(text: str) -> str:
    return text.encode()[:LONGEST].decode(errors="ignore")


@dataclass(frozen=True)
class Tally:
    """Of how many pieces there are losses so far, of how many none; nats: the sum over all targets; means: the sum of
    the pieces' own means; reason: why the first piece that could not be scored has none."""

    scored: int = 0
    skipped: int = 0
    targets: int = 0
    nats: float = 0.0
    means: float = 0.0
    reason: Message | None = None

    @property
    def mean(self) -> float | None:
        """Every target counts the same."""
        return self.nats / self.targets if self.targets else None

    @property
    def mean_of_means(self) -> float | None:
        """Every piece counts the same: not the loss of the file."""
        return self.means / self.scored if self.scored else None

    @property
    def perplexity(self) -> float | None:
        """Exp of the mean."""
        return None if self.mean is None else exp(self.mean) if self.mean < 700 else inf

    @property
    def done(self) -> int:
        """Pieces behind us."""
        return self.scored + self.skipped

    def add(self, losses: NDArray[np.float64]) -> Tally:
        """With the losses (N,) of one more piece."""
        if not len(losses):
            return self.skip(Message("A piece without targets has no loss."))
        return replace(
            self,
            scored=self.scored + 1,
            targets=self.targets + len(losses),
            nats=self.nats + float(losses.sum()),
            means=self.means + float(losses.mean()),
        )

    def skip(self, reason: Message) -> Tally:
        """With one more piece that has no loss."""
        return replace(self, skipped=self.skipped + 1, reason=self.reason or reason)


def validate(
    texts: Sequence[Texts], build: Callable[[Texts], Example], score: Callable[[Example], NDArray[np.float64]]
) -> Iterator[Tally]:
    """The tally after each piece. A piece that cannot be built or scored is skipped with its reason."""
    tally = Tally()
    for each in texts:
        try:
            made = build(each)
            tally = tally.add(score(made) if made.n_targets else np.array([]))
        except InputProblem as problem:
            tally = tally.skip(problem.message)
        yield tally
