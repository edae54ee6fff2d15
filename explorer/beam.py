"""Beam search: the k most probable texts so far are written on side by side, and finished ones compete by their score.

The score of a text is the sum of its log probabilities over its length to the power of the penalty; the length counts
what was written, never the prompt (Wu et al. 2016, section 7, has another formula). It ends as in transformers: by
default when k texts are finished and the best open one, at the length that it has now, is no better than the worst of
them. Alphabet: B open texts, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from explorer.generation import Session, follow
from explorer.loss import log_softmax
from explorer.models import runtime
from explorer.types import Message, check_range

if TYPE_CHECKING:
    from explorer.models.caches import Logits

MOST_BEAMS = 16

EarlyStopping = Literal["first", "likely", "never"]
"""When k texts are finished: end at once (True in transformers), end when no open text would score better at its
present length (False), or only when none could at any length ("never")."""

Fate = Literal["open", "finished", "pruned"]


@dataclass(frozen=True)
class Hypothesis:
    """One text that was written: its ids, the sum of their log probabilities (nats), and its score by length."""

    ids: tuple[int, ...]
    log_probability: float
    score: float


@dataclass(frozen=True)
class Continuation(Hypothesis):
    """A text one token longer than an open one (its number in the round before), and what became of it."""

    parent: int
    fate: Fate


@dataclass(frozen=True)
class Round:
    """One step of the search: the continuations that were looked at, best first; all texts finished so far, best first;
    why the search ended, None while it goes on."""

    continuations: tuple[Continuation, ...]
    finished: tuple[Hypothesis, ...]
    ended: Message | None = None

    @property
    def open(self) -> tuple[Continuation, ...]:
        """The texts that are written on."""
        return tuple(each for each in self.continuations if each.fate == "open")


@dataclass(frozen=True)
class Search:
    """beams: how many texts stay open; steps: the longest text; penalty: power of the length in the score."""

    beams: int
    steps: int
    penalty: float = 1.0
    early_stopping: EarlyStopping = "likely"

    def check(self) -> Search:
        """The search itself. Raises InputProblem for numbers out of range."""
        check_range("beams", self.beams, 1, MOST_BEAMS)
        check_range("steps", self.steps, low=0)
        check_range("penalty", self.penalty)
        return self


def length_score(log_probability: float, length: int, penalty: float = 1.0) -> float:
    """What a text of so many written tokens is worth.

    >>> length_score(-1.0, 1), length_score(-3.0, 4)
    (-1.0, -0.75)
    """
    return float(log_probability / length**penalty)


def rounds(session: Session, how: Search) -> Iterator[Round]:
    """The search from the session on, step by step. Raises InputProblem for numbers out of range."""
    how.check()
    limit = session.facts.limit
    room = how.steps if limit is None else min(how.steps, limit - len(session.handle))
    texts: tuple[Hypothesis, ...] = (Hypothesis((), 0.0, 0.0),)
    finished: tuple[Hypothesis, ...] = ()
    handle = runtime().fork(session.handle)
    try:
        # As many equal rows as beams, as transformers reads them: in one row float32 would add up in another order, and
        # a score would miss theirs in its fourth place.
        logits = runtime().read_rows(handle, [session.handle.ids] * how.beams)[:1]
        for length in range(1, room + 1):
            looked = _continue(texts, logits, how, length == room, session.facts.ends)
            ended = [each for each in looked if each.fate == "finished"]
            finished = tuple(sorted((*finished, *ended), key=lambda each: -each.score))[: how.beams]
            made = Round(looked, finished)
            reason = _reason(made, how, length, room)
            yield Round(looked, finished, reason)
            if reason is not None:
                return
            texts = made.open
            logits = runtime().read_rows(handle, [(*session.handle.ids, *each.ids) for each in texts])
    finally:
        runtime().close(handle)


def search(
    session: Session, beams: int, steps: int, penalty: float = 1.0, early_stopping: EarlyStopping = "likely"
) -> tuple[Hypothesis, ...]:
    """The best texts that go on from the session, at most `beams` of them and `steps` tokens long, best first. Raises
    InputProblem for numbers out of range."""
    last: tuple[Hypothesis, ...] = ()
    for each in rounds(session, Search(beams, steps, penalty, early_stopping)):
        last = each.finished
    return last


def write(session: Session, beams: int, steps: int, penalty: float = 1.0) -> Session:
    """The session with the best text that `search` finds, as steps."""
    found = search(session, beams, steps, penalty)
    return follow(session, found[0].ids) if found else session


def _continue(
    texts: Sequence[Hypothesis], logits: Logits, how: Search, last: bool, ends: frozenset[int]
) -> tuple[Continuation, ...]:
    """The most probable next tokens over all open texts, best first. Enough of them that k stay open even if all end
    tokens are among them; only what would have stayed among the k best may finish."""
    count = max(2, 1 + len(ends)) * how.beams
    sums = np.stack([text.log_probability + log_softmax(row) for text, row in zip(texts, logits, strict=True)])  # (B,V)
    count = min(count, sums.size)
    # Only the largest are sorted: a whole vocabulary for each text is long.
    edge = np.partition(sums, -count, axis=None)[-count]
    near = np.flatnonzero(sums.ravel() >= edge)
    best = near[np.argsort(-sums.ravel()[near], kind="stable")][:count]
    found: list[Continuation] = []
    going_on = 0
    for place, (row, id) in enumerate(zip(*np.unravel_index(best, sums.shape), strict=True)):
        ids, total = (*texts[row].ids, int(id)), float(sums[row, id])
        done = last or int(id) in ends
        keeps = place < how.beams if done else going_on < how.beams
        going_on += not done
        fate: Fate = "pruned" if not keeps else "finished" if done else "open"
        found.append(Continuation(ids, total, length_score(total, len(ids), how.penalty), int(row), fate))
    return tuple(found)


def _reason(made: Round, how: Search, length: int, room: int) -> Message | None:
    """Which rule ends the search after this round, None where it goes on."""
    given = {"count": len(made.finished), "length": length}
    if not made.open:
        return Message("It ends because no text may be longer than {length} tokens.", given)
    if len(made.finished) < how.beams:
        return None
    if how.early_stopping == "first":
        return Message("It ends because {count} texts are finished, as many as there are beams.", given)
    far = how.early_stopping == "never" and how.penalty > 0
    hope = length_score(made.open[0].log_probability, room if far else length, how.penalty)
    if hope > made.finished[-1].score:
        return None
    return Message("It ends because no open text would score better than the worst of the {count} finished.", given)
