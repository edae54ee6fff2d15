"""Batches as pictures: what of each row is padding, and the tensors that a model is called with."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Any

from numpy.typing import NDArray

from explorer.collation import Plan
from explorer.types import IGNORE, Bools, Message
from explorer.views.roles import Say
from explorer.views.style import attribute

MOST_ROWS = 64
"""Rows of a plan that are drawn."""


def plans(named: Sequence[tuple[Message, Plan]], say: Say) -> str:
    """The plans side by side: a line for each row of each batch, filled as far as it is tokens, hatched where it is
    padding; under its name the share that is wasted."""
    widest = max(sum(width) for _, plan in named for width in plan.widths)
    boxes = "".join(_plan(name, plan, widest, say) for name, plan in named)
    return f'<div class="xp plans">{boxes}</div>'


def _plan(name: Message, plan: Plan, widest: int, say: Say) -> str:
    told = {"share": f"{plan.wasted:.1%}", "cells": f"{plan.cells:,}"}
    wasted = say(Message("{share} of {cells} positions are padding", told))
    lines, drawn = [], 0
    for batch, width in zip(plan.batches, plan.widths, strict=True):
        rows = batch[: MOST_ROWS - drawn]
        drawn += len(rows)
        lines.append("".join(_line(sum(plan.sizes[at]), sum(width), widest) for at in rows))
    groups = "".join(f"<div>{group}</div>" for group in lines if group)
    title = f"<b>{escape(say(name))}</b><strong>{plan.wasted:.0%}</strong><small>{escape(wasted)}</small>"
    return f'<section><header>{title}</header><div class="lines" aria-hidden="true">{groups}</div></section>'


def _line(tokens: int, width: int, widest: int) -> str:
    return f'<i style="width:{100 * width / widest:.1f}%;--v:{tokens / width:.3f}"></i>'


def tensor_table(
    array: NDArray[Any], heads: Sequence[str], pieces: Sequence[Sequence[str]], real: Bools, caption: str
) -> str:
    """A tensor (B,T) or (B,) as numbers, a row for each sequence under its name; pieces (B,T): told on hover; real
    (B,T): False where there is padding."""
    rows = array.reshape(len(array), -1)
    body = []
    for at, row in enumerate(rows.tolist()):
        cells = "".join(
            _number(value, pieces[at][t] if t < len(pieces[at]) else "", bool(real[at, t]) if array.ndim == 2 else True)
            for t, value in enumerate(row)
        )
        body.append(f'<tr><th scope="row">{escape(heads[at])}</th>{cells}</tr>')
    label = escape(caption)
    return (
        f'<div class="xp tensor"><div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>'
        f'<caption class="said">{label}</caption>{"".join(body)}</table></div></div>'
    )


def _number(value: float, piece: str, real: bool) -> str:
    kind = "pad" if not real else "none" if value == IGNORE else ""
    shown = f"{value:g}".replace("-", "−")
    return f'<td class="{kind}"{attribute("title", piece) if piece else ""}>{shown}</td>'


def piece_table(heads: Sequence[str], pieces: Sequence[Sequence[str]], labelled: Sequence[Bools], caption: str) -> str:
    """The same rows as pieces; where `labelled`, an output carries loss. Padding is what a row lacks."""
    width = max(map(len, pieces))
    body = []
    for head, row, has in zip(heads, pieces, labelled, strict=True):
        cells = "".join(
            f'<td class="{"loss" if has[t] else ""}"{attribute("title", piece)}>{escape(piece)}</td>'
            for t, piece in enumerate(row)
        )
        cells += '<td class="pad" aria-label="∅"></td>' * (width - len(row))
        body.append(f'<tr><th scope="row">{escape(head)}</th>{cells}</tr>')
    label = escape(caption)
    return (
        f'<div class="xp tensor words"><div class="scroll" tabindex="0" role="region" aria-label="{label}"><table>'
        f'<caption class="said">{label}</caption>{"".join(body)}</table></div></div>'
    )
