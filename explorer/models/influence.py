"""How far each token reaches, measured from outside: the model reads the text once for each replaced token.

A product of matrices may round differently in a batch of another shape, so the text itself is read as a batch of the
same shape too and compared row by row: where nothing can arrive the difference is exactly 0. Alphabet: B rows of a
batch, Q outputs, K inputs, V vocabulary or size of a state.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.influence import LONGEST, Influence, replacements
from explorer.models.forward import inputs, running, sides
from explorer.models.loading import Loaded
from explorer.models.places import Progress
from explorer.types import AttentionKind, Example, InputProblem, Message

if TYPE_CHECKING:
    import torch

ROOM = 2**27
"""Bytes that the outputs of one batch may take."""

NAMES: dict[AttentionKind, str] = {"encoder": "input_ids", "decoder": "decoder_input_ids", "cross": "input_ids"}
"""The argument that holds the keys' tokens, where a model has two stacks."""


def influence(loaded: Loaded, example: Example, kind: AttentionKind, progress: Progress | None = None) -> Influence:
    """The change of each output for each replaced input. Raises InputProblem for a text that is too long, or has one
    kind of token only."""
    queries, keys = sides(example, kind)
    _check_length(max(len(queries), len(keys)))
    others = replacements(keys.ids)
    change = np.zeros((len(queries), len(keys)), dtype=np.float32)
    told = Message("{model} reads the text with one token replaced", {"model": loaded.facts.model.name})
    with running(loaded):
        given = inputs(loaded, example)
        name = NAMES[kind] if "decoder_input_ids" in given else "input_ids"
        size = min(len(keys), max(1, ROOM // (4 * len(queries) * loaded.facts.vocabulary)))
        before = _outputs(loaded, _rows(given, size), kind)  # (B,Q,V)
        for start in range(0, len(keys), size):
            at = range(start, min(start + size, len(keys)))
            rows = _rows(given, size)
            for row, key in enumerate(at):
                rows[name][row, key] = int(others[key])
            moved = (_outputs(loaded, rows, kind) - before).abs().amax(dim=-1)[: len(at)]  # (B,Q)
            change[:, at.start : at.stop] = moved.T.float().cpu().numpy()
            if progress is not None:
                progress(told, at.stop / len(keys))
    return Influence(change, kind)


def _check_length(count: int) -> None:
    if count > LONGEST:
        raise InputProblem(
            "The text has {count} tokens, but influence is measured up to {limit}, as each token is one more reading. "
            "Shorten it.",
            {"count": count, "limit": LONGEST},
        )


def _rows(given: dict[str, torch.Tensor], size: int) -> dict[str, torch.Tensor]:
    """The same text in every row of a batch."""
    return {name: tensor.repeat(size, *[1] * (tensor.dim() - 1)) for name, tensor in given.items()}


def _outputs(loaded: Loaded, rows: dict[str, torch.Tensor], kind: AttentionKind) -> Any:
    """(B,Q,V): the numbers that the queries' stack puts out: logits where there are any, else its last state."""
    output = loaded.module(**rows)
    both = "decoder_input_ids" in rows
    if kind == "encoder" and both:
        return output["encoder_last_hidden_state"]
    name = next(each for each in ("prediction_logits", "logits", "last_hidden_state") if each in output)
    if name == "logits" and output[name].dim() < 3:
        raise InputProblem(
            "{model} gives one answer for the whole text, so no position's output can be compared.",
            {"model": loaded.facts.model.name},
        )
    return output[name]
