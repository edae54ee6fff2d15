"""What the app shows as JSON objects: an Example, a text as tokens, a mask, a loss; the same on the command
line and in a file from a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.loss import LossResult
from explorer.types import Bools, Encoding, Example, Generation, Message, Scores, Stream, Target


def record(made: Example, settings: Any, seed: int, scores: Scores | None = None) -> dict[str, object]:
    """All the numbers of the Example, with the settings and the seed it was made with; a mask has 1 where it is open.
    scores: what a model says at its targets. Arrays, roles and messages are still as they are: see `plain`."""
    return {
        "objective": made.objective,
        "model": made.model,
        "seed": seed,
        "settings": asdict(settings),
        "encoder": _stream(made.encoder),
        "decoder": _stream(made.decoder),
        "labels": made.labels,
        "shift": made.shift,
        "targets": [target_record(target) for target in made.targets],
        "n_targets": made.n_targets,
        "masks": {kind: _cells(getattr(made.masks, kind)) for kind in ("encoder", "decoder", "cross")},
        "extra": {**made.extra, **({} if made.value is None else {"value": made.value})},
        **({"classes": made.classes} if made.classes else {}),
        "warnings": made.warnings,
        "notes": made.notes,
        **({} if scores is None else _scored(made, scores)),
    }


def _scored(made: Example, scores: Scores) -> dict[str, object]:
    """A loss and the best guesses at each target, mean and perplexity."""
    targets = [
        {**target_record(target), "loss": loss, "top": _guesses(scores, n)}
        for n, (target, loss) in enumerate(zip(made.targets, scores.losses.tolist(), strict=True))
    ]
    return {
        "targets": targets,
        "mean": scores.mean,
        "perplexity": scores.perplexity,
        "next_sentence": scores.next_sentence,
        "next_sentence_loss": scores.next_sentence_loss,
        "device": scores.model.device,
        "dtype": scores.model.dtype,
    }


def _guesses(scores: Scores, n: int) -> list[dict[str, object]]:
    columns = (scores.top_ids[n].tolist(), scores.top_pieces[n], scores.top_probabilities[n].tolist())
    return [{"id": id, "piece": piece, "probability": p} for id, piece, p in zip(*columns, strict=True)]


def tokens_record(made: Encoding) -> dict[str, object]:
    """One entry a token: ids, pieces, visible, spans, words (None for none), special, typed; notes in words."""
    return {
        "ids": made.ids,
        "pieces": made.pieces,
        "visible": made.visible,
        "spans": made.spans,
        "words": word_numbers(made),
        "special": made.special,
        "typed": made.typed,
        "notes": made.notes,
    }


def word_numbers(made: Encoding) -> list[int | None]:
    """The word that each token belongs to, None for none."""
    return [None if word < 0 else word for word in made.words.tolist()]


def mask_record(mask: Bools) -> dict[str, object]:
    """1 = may attend; rows look, columns are looked at; how many cells are open."""
    return {"mask": _cells(mask), "allowed": int(mask.sum())}


def loss_record(result: LossResult) -> dict[str, object]:
    """No number at positions without loss, and no mean where there is none at all."""
    names = ("per_position", "mean", "n_targets", "perplexity", "warnings")
    return {name: getattr(result, name) for name in names}


def writing_record(made: Generation, text: str) -> dict[str, object]:
    """Every step with its candidates; text and ids are what was written after the prompt."""
    names = ("id", "piece", "p_model", "p_final", "removed_by")
    return {
        "steps": [
            {
                "chosen": step.chosen,
                "piece": step.piece,
                "text": step.text,
                "entropy": step.entropy,
                "candidates": [{name: getattr(one, name) for name in names} for one in step.candidates],
            }
            for step in made.steps
        ],
        "text": text,
        "ids": made.ids,
        "stopped": made.stopped,
        "notes": made.notes,
    }


def target_record(target: Target) -> dict[str, object]:
    """One place with loss."""
    return {name: getattr(target, name) for name in ("position", "reads", "reads_id", "predicts", "predicts_id")}


def plain(value: object) -> object:
    """The value as JSON has it.

    >>> plain({"loss": float("nan"), "ids": np.array([1, 2]), "say": Message("{n} targets", {"n": 3})})
    {'loss': None, 'ids': [1, 2], 'say': '3 targets'}
    """
    if isinstance(value, np.ndarray):
        return _finite(value).tolist()
    if isinstance(value, Mapping):
        return {str(name): plain(each) for name, each in value.items()}
    if isinstance(value, (list, tuple, frozenset)):
        return [plain(each) for each in (sorted(value) if isinstance(value, frozenset) else value)]
    if isinstance(value, float):
        return float(value) if np.isfinite(value) else None
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Message) else value


def _finite(array: NDArray[Any]) -> NDArray[Any]:
    """The array with None for what is no finite number."""
    if array.dtype.kind != "f" or np.isfinite(array).all():
        return array
    held = array.astype(object)
    held[~np.isfinite(array)] = None
    return held


def _stream(stream: Stream | None) -> dict[str, object] | None:
    if stream is None:
        return None
    names = ("ids", "pieces", "visible", "roles", "attention_mask", "token_types", "position_ids", "documents")
    return {name: getattr(stream, name) for name in names}


def _cells(mask: Bools | None) -> object:
    return None if mask is None else mask.astype(np.int64)
