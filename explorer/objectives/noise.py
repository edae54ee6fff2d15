"""Noise: which tokens are damaged. Randomness is an argument, and so are the lengths; no text is needed.

A span is (start, end), end excluded; start = end is a span of length 0, which hides nothing and inserts a mask.
Random functions count ordinary tokens only; `spread` carries their spans over to a sequence with special tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer.objectives.assemble import Row, join
from explorer.settings import BOXES, knob
from explorer.types import Bools, Encoding, InputProblem, Ints, Message, Role

Spans = tuple[tuple[int, int], ...]
"""Spans in order, none overlapping the next."""


def spans_knob() -> Any:
    """The setting `spans`."""
    return knob(
        "",
        Message("Spans chosen by hand"),
        help=Message("Pairs start:end with the end excluded, such as 3:6,8:9; empty chooses by rate and seed."),
        rare=True,
        bound=BOXES,
    )


def independent(n: int, rate: float, rng: np.random.Generator) -> Bools:
    """(n,): each token chosen on its own with probability `rate`. A higher rate only adds tokens."""
    return np.asarray(rng.random(n) < rate, dtype=np.bool_)


def random_spans(n: int, rate: float, mean_length: float, rng: np.random.Generator) -> Spans:
    """Spans over round(n * rate) of n tokens, as many as give the mean length (Raffel et al. 2019, section 3.1.4).

    At least one token lies between two spans. The paper's own code lets every text end in a span, so that a text with
    one span would lose the same tokens for every seed; here all places are equally likely.

    >>> random_spans(2, 0.15, 3.0, np.random.default_rng(0))
    ((1, 2),)
    """
    if n < 2 or rate <= 0:
        return ()  # a single token: if it were taken, nothing would be left to read
    noise = min(max(round(n * rate), 1), n - 1)  # at least one token to guess and one to read
    kept = n - noise
    count = min(max(round(noise / mean_length), 1), noise, kept + 1)  # a span has a token, and a gap of its own
    cuts = np.sort(rng.choice(noise - 1, count - 1, replace=False)) + 1
    lengths = np.diff(cuts, prepend=0, append=noise)
    return _placed(lengths, np.sort(rng.choice(kept + 1, count, replace=False)))


def poisson_spans(n: int, rate: float, mean_length: float, rng: np.random.Generator) -> Spans:
    """Spans with lengths drawn from a Poisson distribution until they cover round(n * rate) of n tokens (Lewis et al.
    2019, section 2.2). The last one is cut to fit. Spans of length 0 cover nothing; spans may touch.
    """
    if n < 1 or rate <= 0:
        return ()
    noise = max(round(n * rate), 1)  # a rate above 0 damages even the shortest text
    lengths = np.zeros(0, dtype=np.int64)
    while lengths.sum() < noise:
        lengths = np.append(lengths, rng.poisson(mean_length, noise))
    covered = np.cumsum(lengths)
    count = int(np.searchsorted(covered, noise)) + 1
    lengths = lengths[:count]
    lengths[-1] -= covered[count - 1] - noise
    slots = np.sort(rng.choice(n - noise + count, count, replace=False)) - np.arange(count)
    return _placed(rng.permutation(lengths), slots)


def _placed(lengths: Ints, kept_before: Ints) -> Spans:
    """Spans of these lengths, each with `kept_before` undamaged tokens before it."""
    ends = np.cumsum(lengths) + kept_before
    return tuple(zip((ends - lengths).tolist(), ends.tolist(), strict=True))


def spread(spans: Spans, ordinary: Bools) -> Spans:
    """Spans counted in ordinary tokens -> spans counted in all T; a special token inside a span parts it in two.

    >>> spread(((0, 2), (2, 2)), np.array([False, True, False, True, False]))
    ((1, 2), (3, 4), (4, 4))
    """
    at = np.flatnonzero(ordinary)
    gaps = np.append(at, at[-1:] + 1).tolist()
    parts = []
    for start, end in spans:
        if start == end:
            parts.append((gaps[start], gaps[start]))
            continue
        runs = np.split(at[start:end], np.flatnonzero(np.diff(at[start:end]) > 1) + 1)
        parts += [(int(run[0]), int(run[-1]) + 1) for run in runs]
    return tuple(parts)


def covered(n: int, spans: Spans) -> Bools:
    """(n,): True inside a span.

    >>> covered(4, ((1, 3), (3, 3))).astype(int).tolist()
    [0, 1, 1, 0]
    """
    inside = np.zeros(n, dtype=np.bool_)
    for start, end in spans:
        inside[start:end] = True
    return inside


def cover(tokens: Row, spans: Spans, covers: Sequence[Row]) -> Row:
    """The row with each span replaced by its cover; a span of length 0 has its cover inserted."""
    parts, at = [], 0
    for (start, end), each in zip(spans, covers, strict=True):
        parts += [tokens[at:start], each]
        at = end
    return join([*parts, tokens[at:]])


def body(encoding: Encoding) -> slice:
    """The part of the sequence between the special tokens that the tokenizer's template puts around a text."""
    text = np.flatnonzero(~encoding.special | encoding.typed)
    return slice(int(text[0]), int(text[-1]) + 1) if len(text) else slice(0, 0)


def parse_spans(text: str, tokens: Row, inside: slice, *, empty: bool) -> Spans:
    """Spans from "3:6,8:8". Raises InputProblem with the span that cannot be used.

    tokens: the row they count; inside: where the text lies in it; empty: whether a span may have length 0.
    """
    spans = [_parse_span(part, text) for part in text.split(",") if part.strip()]
    end_before, start_before = 0, 0
    for start, end in spans:
        given = {"span": f"{start}:{end}"}
        _check_span(start, end, tokens, inside)
        if start == end and not empty:
            raise InputProblem("spans names {span}, which is empty; here a span needs at least one token.", given)
        if start < start_before:
            raise InputProblem(
                "spans names {span} after a span further right. List the spans from left to right.", given
            )
        if start < end_before:
            raise InputProblem("spans names {span}, which overlaps the span before it.", given)
        start_before, end_before = start, end
    return tuple(spans)


def _parse_span(part: str, text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,9}):([0-9]{1,9})", "".join(part.split()))
    if found is None:
        raise InputProblem(
            "spans is {value}, but must be pairs start:end separated by commas, such as 3:6,8:9.", {"value": text}
        )
    return int(found[1]), int(found[2])


def _check_span(start: int, end: int, tokens: Row, inside: slice) -> None:
    """Raises InputProblem unless the span lies in the text and covers no special token."""
    given = {"span": f"{start}:{end}", "first": inside.start, "last": inside.stop - 1}
    if start > end:
        raise InputProblem("spans names {span}, which ends before it starts.", given)
    if inside.start == inside.stop:
        raise InputProblem("spans names {span}, but the text has no tokens.", given)
    if end > len(tokens):
        raise InputProblem(
            "spans names {span}, but the text has positions {first} to {last}; an end is excluded.", given
        )
    special = next((i for i in range(start, end) if tokens.roles[i] is Role.SPECIAL), None)
    if special is not None:
        given |= {"position": special, "piece": tokens.visible[special]}
        raise InputProblem("spans names {span}, which covers {piece} at position {position}, a special token.", given)
    if not inside.start <= start <= inside.stop:
        raise InputProblem("spans names {span}, which lies outside the text at positions {first} to {last}.", given)
