"""A linear head learned on frozen states: the smallest fine-tuning there is (a linear probe: Alain and Bengio 2016).

The body is not touched; weights and bias are found by Adam (Kingma and Ba 2014, algorithm 1) on all examples at once,
with a little weight decay. The states are shifted and scaled to mean 0 and deviation 1 first, which a linear layer
could do itself. Alphabet: N rows, D size of a state, C columns, G examples.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from explorer.decoding import ENDS
from explorer.types import Example, HeadOutput, InputProblem, Ints

Floats = NDArray[np.float64]

RATE, DECAY = 0.02, 1e-2
"""Learning rate, and how much of each weight is a cost of its own."""

HELD = 4
"""One in so many examples is held out: never learned from."""


@dataclass(frozen=True, eq=False)
class Rows:
    """states (N,D); wanted (N,C): 1 in the column of the right class or end, or the number to come near to; starts
    (G,): the first row of each example; kind: what the columns are."""

    states: Floats
    wanted: Floats
    starts: Ints
    kind: str


@dataclass(frozen=True, eq=False)
class Head:
    """weights (D,C) and bias (C,) over states less `middle` (D,) and divided by `scale` (D,); names of the columns."""

    weights: Floats
    bias: Floats
    middle: Floats
    scale: Floats
    names: tuple[str, ...]

    def output(self, states: NDArray[np.floating], example: Example) -> HeadOutput:
        """What the head says of an example, in the shape of its objective."""
        logits = self.logits(np.asarray(states, dtype=np.float64))
        if example.objective == "sequence_classification":
            logits = logits[example.targets[0].position]
        return HeadOutput("", logits.astype(np.float32), self.names)

    def logits(self, states: Floats) -> Floats:
        """(N,C) for states (N,D)."""
        return np.asarray((states - self.middle) / self.scale @ self.weights + self.bias)


@dataclass(frozen=True)
class Point:
    """How far learning was after a step: mean loss and share of right answers, learned from and held out (None: nothing
    is held out, or the answers are numbers)."""

    step: int
    loss: float
    right: float | None
    held_loss: float | None
    held_right: float | None


@dataclass(frozen=True, eq=False)
class Learned:
    """The head after the last step, and how it came about."""

    head: Head
    points: tuple[Point, ...]


def rows_of(examples: Sequence[Example], states: Sequence[NDArray[np.floating]]) -> Rows:
    """What the examples teach: the states (T,D) at their targets, or, for an answer, at all positions."""
    kept, wanted, starts, count = [], [], [], 0
    for example, state in zip(examples, states, strict=True):
        kind = example.objective if example.value is None else "value"
        at = [target.position for target in example.targets]
        if kind == "question_answering":
            goal = np.zeros((len(state), len(ENDS)))
            goal[at, [0, 1]] = 1
        elif example.value is not None:
            goal = np.array([[example.value]])
        else:
            goal = np.eye(len(example.classes))[[target.predicts_id for target in example.targets]]
        starts.append(count)
        count += len(goal)
        kept.append(state if kind == "question_answering" else state[at])
        wanted.append(goal)
    return Rows(np.concatenate(kept).astype(np.float64), np.concatenate(wanted), np.array(starts), kind)


def split(labels: Sequence[str]) -> tuple[list[int], list[int]]:
    """Numbers of the examples to learn from, and of those held out: drawn, the same share of every label. Every fourth
    line alone would not do, for in a list that goes yes, no, yes, no it is always a no.

    >>> taught, held = split(["yes", "no"] * 4)
    >>> len(taught), {at % 2 for at in held}
    (6, {0, 1})
    """
    drawn = np.random.default_rng(0).permutation(len(labels)).tolist()
    held = sorted(drawn, key=lambda at: labels[at])[HELD - 1 :: HELD]
    return [at for at in range(len(labels)) if at not in held], sorted(held)


def learn(
    rows: Rows, held: Rows | None, names: tuple[str, ...], steps: int, told: Callable[[int], None] = lambda step: None
) -> Learned:
    """A head after so many steps of Adam. told: hears of each step. Raises InputProblem where all examples to learn
    from want the same."""
    if rows.kind != "question_answering" and not np.ptp(rows.wanted, axis=0).any():
        raise InputProblem("All examples to learn from have the same label. Give at least two different ones.")
    middle, scale = rows.states.mean(axis=0), rows.states.std(axis=0) + 1e-6
    head = Head(np.zeros((rows.states.shape[1], len(names))), np.zeros(len(names)), middle, scale, names)
    inputs, points = (rows.states - middle) / scale, [_point(0, head, rows, held)]
    sizes = [np.zeros_like(part) for part in (head.weights, head.weights, head.bias, head.bias)]
    for step in range(1, steps + 1):
        slope = _slope(head.logits(rows.states), rows)
        grads = (inputs.T @ slope + DECAY * head.weights, slope.sum(axis=0))
        weights, sizes[0], sizes[1] = _adam(head.weights, grads[0], sizes[0], sizes[1], step)
        bias, sizes[2], sizes[3] = _adam(head.bias, grads[1], sizes[2], sizes[3], step)
        head = Head(weights, bias, middle, scale, names)
        if step % max(1, steps // 40) == 0 or step == steps:
            points.append(_point(step, head, rows, held))
            told(step)
    return Learned(head, tuple(points))


def _adam(part: Floats, grad: Floats, mean: Floats, square: Floats, step: int) -> tuple[Floats, Floats, Floats]:
    mean, square = 0.9 * mean + 0.1 * grad, 0.999 * square + 0.001 * grad**2
    move = mean / (1 - 0.9**step) / (np.sqrt(square / (1 - 0.999**step)) + 1e-8)
    return part - RATE * move, mean, square


def _probabilities(logits: Floats, rows: Rows) -> Floats:
    """(N,C): a softmax over the columns, or, for an answer, over the rows of each example."""
    if rows.kind != "question_answering":
        raised = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(raised / raised.sum(axis=1, keepdims=True))
    sizes = np.diff(np.append(rows.starts, len(logits)))
    raised = np.exp(logits - np.repeat(np.maximum.reduceat(logits, rows.starts), sizes, axis=0))
    return np.asarray(raised / np.repeat(np.add.reduceat(raised, rows.starts), sizes, axis=0))


def _slope(logits: Floats, rows: Rows) -> Floats:
    """(N,C): how the mean loss changes with each logit."""
    count = rows.wanted.sum() if rows.kind != "value" else len(rows.wanted)
    if rows.kind == "value":
        return np.asarray(2 * (logits - rows.wanted) / count)
    return np.asarray((_probabilities(logits, rows) - rows.wanted) / count)


def _point(step: int, head: Head, rows: Rows, held: Rows | None) -> Point:
    return Point(step, *_measured(head, rows), *((None, None) if held is None else _measured(head, held)))


def _measured(head: Head, rows: Rows) -> tuple[float, float | None]:
    """Mean loss, and the share of rows (of examples, for an answer) whose best column is right."""
    logits = head.logits(rows.states)
    if rows.kind == "value":
        return float(((logits - rows.wanted) ** 2).mean()), None
    wanted = rows.wanted.astype(bool)
    loss = float(-np.log(np.maximum(_probabilities(logits, rows)[wanted], 1e-30)).mean())
    if rows.kind != "question_answering":
        return loss, float((logits.argmax(axis=1) == wanted.argmax(axis=1)).mean())
    parts = [slice(a, b) for a, b in zip(rows.starts, [*rows.starts[1:], len(logits)], strict=True)]
    right = [(logits[part].argmax(axis=0) == wanted[part].argmax(axis=0)).all() for part in parts]
    return loss, float(np.mean(right))
