"""A head of fine-tuning as boxes from left to right: the body's output, each layer with its shape, the logits."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Protocol

from explorer.types import Example, Message
from explorer.views.roles import Say

MOST_NAMES = 4
"""Columns of the logits that are named; of more, the first and the last."""


class Layer(Protocol):
    """One linear layer: its name, sizes in and out, its weights, what follows it."""

    @property
    def name(self) -> str: ...
    @property
    def inner(self) -> int: ...
    @property
    def outer(self) -> int: ...
    @property
    def then(self) -> str: ...
    @property
    def parameters(self) -> int: ...


def head_drawing(example: Example, layers: Sequence[Layer], say: Say) -> str:
    """HTML; layers: at least one, in order."""
    rows = 0 if example.objective == "sequence_classification" else len(example.output)
    names = ("start", "end") if example.objective == "question_answering" else example.classes
    boxes = [_box(*_reads(example, rows, layers[0].inner, say))]
    boxes += [_box(each.name, f"{each.inner:,} × {each.outer:,}", _weights(each, say), "layer") for each in layers]
    boxes.append(_box(say(Message("logits")), _shape(rows, layers[-1].outer), _columns(names), "logits"))
    label = escape(say(Message("The head, layer by layer")))
    arrow = '<i aria-hidden="true">→</i>'
    return (
        f'<div class="xp head-drawing scroll" tabindex="0" role="region" aria-label="{label}">{arrow.join(boxes)}</div>'
    )


def _reads(example: Example, rows: int, size: int, say: Say) -> tuple[str, str, str]:
    """Which outputs of the body go in."""
    if rows:
        words = say(Message("each of {n} outputs", {"n": rows}))
        return say(Message("body")), _shape(rows, size), words
    target = example.targets[0]
    words = say(Message("output {position}, {piece}", {"position": target.position, "piece": target.reads}))
    return say(Message("body")), _shape(0, size), words


def _weights(layer: Layer, say: Say) -> str:
    count = say(Message("{n} numbers", {"n": f"{layer.parameters:,}"}))
    return f"{count} · {layer.then}" if layer.then else count


def _columns(names: Sequence[str]) -> str:
    if len(names) <= MOST_NAMES:
        return ", ".join(names)
    return f"{names[0]}, {names[1]}, … {names[-1]}"


def _shape(rows: int, columns: int) -> str:
    """As torch writes it.

    >>> _shape(0, 768), _shape(28, 2)
    ('(768,)', '(28, 2)')
    """
    return f"({rows}, {columns})" if rows else f"({columns},)"


def _box(title: str, shape: str, note: str, kind: str = "") -> str:
    return f'<div class="{kind}"><b>{escape(title)}</b><code>{escape(shape)}</code><small>{escape(note)}</small></div>'
