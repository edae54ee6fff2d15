"""Beam search: the k most probable texts so far are written on side by side, and finished ones compete by their score.

The score of a text is the sum of its log probabilities over its length to the power of the penalty; the length counts
what was written, never the prompt (Wu et al. 2016, section 7, has another formula). It ends, as in transformers, when k
texts are finished and the best open one is no better than the worst of them. Alphabet: V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer.generation import Session, follow
from explorer.loss import log_softmax
from explorer.models import runtime
from explorer.types import check_range

if TYPE_CHECKING:
    from explorer.models.caches import Handle, Logits

MOST_BEAMS = 16


@dataclass(frozen=True)
class Hypothesis:
    """One text that was written: its ids, the sum of their log probabilities (nats), and its score by length."""

    ids: tuple[int, ...]
    log_probability: float
    score: float


@dataclass(frozen=True, eq=False)
class _Beam:
    """A text that is still being written, and the logits (V,) of what comes next."""

    ids: tuple[int, ...]
    log_probability: float
    handle: Handle
    logits: Logits


def length_score(log_probability: float, length: int, penalty: float = 1.0) -> float:
    """What a text of so many written tokens is worth.

    >>> length_score(-1.0, 1), length_score(-3.0, 4)
    (-1.0, -0.75)
    """
    return float(log_probability / length**penalty)


def search(session: Session, beams: int, steps: int, penalty: float = 1.0) -> tuple[Hypothesis, ...]:
    """The best texts that go on from the session, at most `beams` of them and `steps` tokens long, best first. Raises
    InputProblem for numbers out of range."""
    check_range("beams", beams, 1, MOST_BEAMS)
    check_range("steps", steps, low=0)
    limit = session.facts.limit
    room = steps if limit is None else min(steps, limit - len(session.handle))
    opened = [_Beam((), 0.0, session.handle, session.logits)]
    finished: list[Hypothesis] = []
    for length in range(1, room + 1):
        ranked = list(_continuations(opened, beams, session))
        done = [length == room or id in session.facts.ends for _, id, _ in ranked]
        # Only what would have stayed among the k best may finish; the rest is there to keep k texts going.
        ended = [each for each, ends in zip(ranked[:beams], done[:beams], strict=True) if ends]
        finished += [
            Hypothesis((*beam.ids, id), total, length_score(total, length, penalty)) for beam, id, total in ended
        ]
        finished = sorted(finished, key=lambda each: -each.score)[:beams]
        kept = [each for each, ends in zip(ranked, done, strict=True) if not ends][:beams]
        if not kept or (len(finished) == beams and length_score(kept[0][2], length, penalty) <= finished[-1].score):
            break
        opened = [_read(*each) for each in kept]
    return tuple(finished)


def write(session: Session, beams: int, steps: int, penalty: float = 1.0) -> Session:
    """The session with the best text that `search` finds, as steps."""
    found = search(session, beams, steps, penalty)
    return follow(session, found[0].ids) if found else session


def _continuations(opened: list[_Beam], beams: int, session: Session) -> Iterator[tuple[_Beam, int, float]]:
    """The most probable next tokens over all open texts: each with the text it goes on from and the new sum. Enough of
    them that `beams` stay open even if all end tokens are among them."""
    count = max(2, 1 + len(session.facts.ends)) * beams
    sums = np.stack([beam.log_probability + log_softmax(beam.logits) for beam in opened])  # (beams,V)
    best = np.argsort(-sums, axis=None, kind="stable")[:count]
    for row, id in zip(*np.unravel_index(best, sums.shape), strict=True):
        yield opened[row], int(id), float(sums[row, id])


def _read(beam: _Beam, id: int, total: float) -> _Beam:
    # All texts share one cache: it is cut back to where two of them part, and what differs is read again.
    handle, logits = runtime().advance(beam.handle, id)
    return _Beam((*beam.ids, id), total, handle, logits)
