"""From two numbers a token to an answer: the best span under the rules, and what is wrong with two separate maxima.

The score of a span is S.T_i + E.T_j with j >= i (Devlin et al. 2018, section 4.2); that of no answer is the same with
[CLS] as both ends (section 4.3). Answers are compared as SQuAD does (Rajpurkar et al. 2016, section 6.1). Alphabet: T
tokens of a window.
"""

from __future__ import annotations

import re
import string
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.types import Bools, Message

Floats = NDArray[np.floating]


@dataclass(frozen=True)
class Answer:
    """First and last token, and the sum of the start score of the one and the end score of the other."""

    first: int
    last: int
    score: float


def best_answers(start: Floats, end: Floats, inside: Bools, longest: int, most: int = 1) -> tuple[Answer, ...]:
    """The `most` best spans of up to `longest` tokens within the context, the best first; none where there is no
    context. start, end, inside (T,).

    >>> best_answers(np.array([0.0, 2.0, 1.0]), np.array([9.0, 0.0, 3.0]), np.array([False, True, True]), 5)
    (Answer(first=1, last=2, score=5.0),)
    """
    at = np.flatnonzero(inside)
    sums = start[at][:, None] + end[at][None, :]
    steps = at[None, :] - at[:, None]
    sums = np.where((steps >= 0) & (steps < longest), sums, -np.inf)
    order = np.argsort(-sums, axis=None, kind="stable")[:most]
    pairs = [np.unravel_index(place, sums.shape) for place in order]
    return tuple(Answer(int(at[i]), int(at[j]), float(sums[i, j])) for i, j in pairs if np.isfinite(sums[i, j]))


def separate(start: Floats, end: Floats) -> Answer:
    """The largest start score and the largest end score, each looked for alone."""
    first, last = int(start.argmax()), int(end.argmax())
    return Answer(first, last, float(start[first] + end[last]))


def broken(answer: Answer, inside: Bools, longest: int) -> Message | None:
    """The rule that a span breaks, None where it breaks none."""
    given = {"first": answer.first, "last": answer.last, "longest": longest}
    if answer.last < answer.first:
        return Message("the end, {last}, stands before the start, {first}", given)
    if not (inside[answer.first] and inside[answer.last]):
        return Message("tokens {first} to {last} are not all in the context", given)
    if answer.last - answer.first >= longest:
        return Message("tokens {first} to {last} are more than {longest}", given)
    return None


def plain(answer: str) -> str:
    """What is compared of an answer: lower case, no punctuation, no articles, single spaces.

    >>> plain("The  Eiffel Tower, Paris.")
    'eiffel tower paris'
    """
    bare = "".join(sign for sign in answer.lower() if sign not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", bare).split())


def overlap(wanted: str, said: str) -> float:
    """F1 of the words of two answers, 1 where both are empty.

    >>> round(overlap("Paris", "Paris, France"), 4)
    0.6667
    """
    words = [Counter(plain(answer).split()) for answer in (wanted, said)]
    if not all(words):
        return float(words[0] == words[1])
    return 2 * (words[0] & words[1]).total() / (words[0].total() + words[1].total())


def marked(words: Sequence[tuple[int, int]], span: tuple[int, int] | None, word: int) -> tuple[int, int] | None:
    """Characters of the answer after a click on a word: a first click marks the word, one behind it goes on up to
    there, one on the only marked word takes the mark away. words: characters of each; span: what was marked before.

    >>> words = [(0, 3), (4, 9), (10, 12)]
    >>> marked(words, None, 1), marked(words, (0, 3), 1), marked(words, (0, 9), 2), marked(words, (4, 9), 1)
    ((4, 9), (0, 9), (10, 12), None)
    """
    start, end = words[word]
    over = [] if span is None else [at for at, (a, b) in enumerate(words) if a < span[1] and b > span[0]]
    if over == [word]:
        return None
    return (words[over[0]][0], end) if len(over) == 1 and word > over[0] else (start, end)
