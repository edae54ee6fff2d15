"""One prompt written on in several ways, side by side; and one setting drawn from many times.

The ways: greedy, plain sampling (temperature), top-k (Fan et al. 2018), top-p (Holtzman et al. 2020), min-p (Nguyen et
al. 2024) and beam search. All draw with the same seed, so that what differs is the way alone. Alphabet: V vocabulary.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from explorer import beam, generation
from explorer.draw import Floats, fallen, line, number
from explorer.generation import Session
from explorer.models import runtime
from explorer.types import Candidate, Ints, Message, SamplingSettings, Step

BEAMS = 4


@dataclass(frozen=True)
class Strategy:
    """A way of writing: settings of the draw, or beam search where there are none."""

    title: Message
    settings: SamplingSettings | None


@dataclass(frozen=True)
class Written:
    """What one way has written, and the end of it where the text has ended."""

    strategy: Strategy
    steps: tuple[Step, ...]
    text: str
    stopped: Message | None


def strategies(seed: int, temperature: float = 1.0) -> tuple[Strategy, ...]:
    """The usual ways, each alone, at their usual values."""
    return (
        Strategy(Message("Greedy"), SamplingSettings(greedy=True)),
        Strategy(Message("Temperature {value}", {"value": temperature}), SamplingSettings(temperature, seed=seed)),
        Strategy(Message("Top-k {value}", {"value": 40}), SamplingSettings(temperature, top_k=40, seed=seed)),
        Strategy(Message("Top-p {value}", {"value": 0.9}), SamplingSettings(temperature, top_p=0.9, seed=seed)),
        Strategy(Message("Min-p {value}", {"value": 0.1}), SamplingSettings(temperature, min_p=0.1, seed=seed)),
        Strategy(Message("Beam search, {value} beams", {"value": BEAMS}), None),
    )


def side_by_side(session: Session, ways: Sequence[Strategy], count: int) -> Iterator[Written]:
    """Each way's text of at most `count` tokens, written on from where the session is. The session stays as it is."""
    begun = len(session.generation.steps)
    fork = generation.beside(session)
    try:
        for way in ways:
            if way.settings is None:
                written = beam.write(fork, BEAMS, count)
            else:
                written = generation.steps(fork, way.settings, count)
            made = written.generation
            yield Written(way, made.steps[begun:], written.text.removeprefix(session.text), made.stopped)
    finally:
        runtime().close(fork.handle)


@dataclass(frozen=True)
class Drawn:
    """How often a token came among many draws, and how often it should come."""

    candidate: Candidate
    times: int
    expected: float


def first_tokens(step: Step, final: Floats, draws: int, place: int, seed: int = 0) -> tuple[Drawn, ...]:
    """The first token of `draws` texts that differ only in the seed, counted from `seed` on: each candidate of `step`
    that can be drawn from the probabilities `final` (V,), in their order. place: how many steps were made before."""
    counts = _counts(final, draws, place, seed)
    return tuple(
        Drawn(one, int(counts[one.id]), draws * one.p_final)
        for one in sorted(step.candidates, key=lambda one: (-one.p_final, one.id))
        if one.p_final > 0
    )


def _counts(final: Floats, draws: int, place: int, seed: int) -> Ints:
    """(V,): how often each token is drawn, one seed after the other, exactly as a step draws it."""
    numbers = [number(each, place) for each in range(seed, seed + draws)]
    return np.bincount(fallen(*line(final), numbers), minlength=len(final))
