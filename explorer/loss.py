"""Cross entropy per position, means weighted by token, label smoothing, perplexity, bits per byte.

Losses are in nats. Label smoothing: Vaswani et al. 2017, section 5.4; it is spread over all V classes, the right one
included, as torch does. Alphabet: T positions, V vocabulary.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.streams import freeze
from explorer.types import IGNORE, InputProblem, Ints, Message, check_range, read_only

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LossResult:
    """The loss of each position (T,), NaN where the label is IGNORE; everything else follows from it.

    >>> LossResult(read_only([1.0, np.nan, 3.0], np.float64)).mean
    2.0
    """

    per_position: Floats

    def __post_init__(self) -> None:
        freeze(self, per_position=np.float64)

    @property
    def n_targets(self) -> int:
        """How many positions carry loss: what the mean divides by."""
        return int(np.count_nonzero(~np.isnan(self.per_position)))

    @property
    def total(self) -> float:
        """The sum over the positions with loss."""
        return float(np.nansum(self.per_position))

    @property
    def mean(self) -> float | None:
        """The mean over the positions with loss; None where there are none, for 0/0 is no loss of 0."""
        return self.total / self.n_targets if self.n_targets else None

    @property
    def perplexity(self) -> float | None:
        """Exp of the mean; infinite where that overflows."""
        return _exp(self.mean)

    @property
    def warnings(self) -> tuple[Message, ...]:
        """What a reader of the mean must know."""
        if not self.n_targets:
            return (Message("There are no supervised tokens: every label is ignored, so the loss is undefined."),)
        endless = np.flatnonzero(np.isposinf(self.per_position))
        if not len(endless):
            return ()
        given = {"count": len(endless), "targets": self.n_targets, "first": int(endless[0])}
        return (
            Message(
                "The loss is infinite at {count} of {targets} targets, first at position {first}: the label has no "
                "probability at all there. So the mean and the perplexity are infinite too.",
                given,
            ),
        )


@dataclass(frozen=True)
class CombinedLoss:
    """The loss of several batches. mean: every token counts the same; mean_of_means: every batch counts the same,
    which is wrong as soon as the batches have different numbers of targets. Both None where nothing carries loss."""

    mean: float | None
    mean_of_means: float | None
    n_targets: int

    @property
    def perplexity(self) -> float | None:
        """Exp of the mean over tokens."""
        return _exp(self.mean)


def log_softmax(logits: ArrayLike) -> Floats:
    """(..., V): the logarithms of the probabilities over the last axis; -inf stays -inf."""
    values = np.asarray(logits, dtype=np.float64)
    with np.errstate(over="ignore"):
        lowered = values - values.max(axis=-1, keepdims=True)
    return np.asarray(lowered - np.log(np.exp(lowered).sum(axis=-1, keepdims=True)), dtype=np.float64)


def cross_entropy(logits: ArrayLike, labels: ArrayLike, smoothing: float = 0.0) -> LossResult:
    """The loss of logits (T,V) against labels (T,), IGNORE = no loss there; a single position may come as (V,) and
    one label. Raises InputProblem for shapes that do not fit, labels outside 0..V-1, logits that are no numbers.

    >>> round(cross_entropy([2.0, 1.0, 0.1], 0).mean, 4)
    0.417
    """
    rows, targets = _checked(logits, labels)
    check_range("smoothing", smoothing, 0, 1)
    scored = np.flatnonzero(targets != IGNORE)
    logs = log_softmax(rows[scored])  # (N,V)
    losses = 0.0 - logs[np.arange(len(scored)), targets[scored]]  # (N,), and a sure thing costs 0.0, not -0.0
    if smoothing:
        losses = (1 - smoothing) * losses - smoothing * logs.mean(axis=1)
    per_position = np.full(len(targets), np.nan)
    per_position[scored] = losses
    return LossResult(per_position)


def smoothed_target(target: int, size: int, smoothing: float) -> Floats:
    """(V,): what the model is compared with: 1 - smoothing + smoothing/V for the right class, smoothing/V elsewhere."""
    check_range("smoothing", smoothing, 0, 1)
    spread = np.full(size, smoothing / size)
    spread[target] += 1 - smoothing
    return read_only(spread, np.float64)


def combine(results: Sequence[LossResult]) -> CombinedLoss:
    """Several batches as one: the sum of all losses over the number of all targets. Batches without targets add
    nothing, neither here nor in the mean of means."""
    scored = [result for result in results if result.n_targets]
    count = sum(result.n_targets for result in scored)
    if not count:
        return CombinedLoss(None, None, 0)
    means = [result.total / result.n_targets for result in scored]
    return CombinedLoss(sum(result.total for result in scored) / count, sum(means) / len(means), count)


def bits_per_byte(result: LossResult, n_bytes: int) -> float | None:
    """The summed loss in bits over the UTF-8 bytes of the text scored, which can be compared across tokenizers; None
    without targets. Raises InputProblem where there are no bytes."""
    if n_bytes < 1:
        raise InputProblem("The text has {count} bytes, but bits per byte need at least 1.", {"count": n_bytes})
    return result.total / np.log(2) / n_bytes if result.n_targets else None


def smoothing_floor(size: int, smoothing: float) -> float:
    """The lowest loss that label smoothing leaves: the entropy of the smoothed target over `size` classes, reached
    where the model says exactly that target.

    >>> round(smoothing_floor(8000, 0.1), 4), smoothing_floor(8000, 0.0)
    (1.2237, 0.0)
    """
    target = smoothed_target(0, size, smoothing)
    return float(-(target[target > 0] * np.log(target[target > 0])).sum()) + 0.0


def joint_loss(task: float, language: float, weight: float = 0.5) -> float:
    """GPT-1's loss of fine-tuning, L3 = L2 + weight * L1: that of the task and, as an auxiliary, that of the language
    model on the same texts (Radford et al. 2018, section 3.2).

    >>> joint_loss(0.25, 3.0)
    1.75
    """
    check_range("weight", weight, low=0)
    return task + weight * language


def _exp(mean: float | None) -> float | None:
    if mean is None:
        return None
    with np.errstate(over="ignore"):
        return float(np.exp(mean))


def _checked(logits: ArrayLike, labels: ArrayLike) -> tuple[Floats, Ints]:
    try:
        rows = np.atleast_2d(np.asarray(logits, dtype=np.float64))
        targets = np.atleast_1d(np.asarray(labels, dtype=object))
    except (TypeError, ValueError, OverflowError):
        raise InputProblem("The logits must be rows of numbers, all of one length.") from None
    if rows.ndim != 2 or targets.ndim != 1 or len(rows) != len(targets):
        raise InputProblem(
            "The logits have the shape {logits} and the labels {labels}; give one row of logits for each label.",
            {"logits": rows.shape, "labels": targets.shape},
        )
    if not rows.size:
        raise InputProblem("Row 0 of the logits is empty; give a number for each token that could come.")
    for t in np.flatnonzero(~np.isfinite(rows.max(axis=1, initial=-np.inf))):
        raise InputProblem(
            "Row {row} of the logits has no finite largest value; give plain numbers, -Infinity for what cannot be.",
            {"row": int(t)},
        )
    return rows, _checked_labels(targets, rows.shape[1])


def _checked_labels(labels: NDArray[np.generic], size: int) -> Ints:
    for label in labels.tolist():
        if not isinstance(label, int) or isinstance(label, bool) or not (label == IGNORE or 0 <= label < size):
            raise InputProblem(
                "There is a label {label}; give a whole number from 0 to {last}, or {ignore} for no loss.",
                {"label": label, "last": size - 1, "ignore": IGNORE},
            )
    return np.asarray(labels, dtype=np.int64)
