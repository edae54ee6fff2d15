"""Pictures of matrices: the mask (who may look at whom) and attention weights (who does look at whom).

What the mask closes is hatched and never a colour of the scale; what is not a number has a cross and a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.masks import empty_rows
from explorer.types import Bools, Message
from explorer.views.grid import Grid
from explorer.views.roles import Say

MOST_REASONS = 1024
"""Cells up to which each one carries its reason as a hover."""

Reason = Callable[[int, int], Message]
"""Why row i may or may not look at column j."""


def mask_picture(
    mask: Bools,
    queries: Sequence[str],
    keys: Sequence[str],
    say: Say,
    *,
    answer: Bools | None = None,
    reason: Reason | None = None,
    clickable: bool = False,
    chosen: tuple[int, int] | None = None,
) -> str:
    """The mask (Q,K) as cells, True = may look; queries (Q) and keys (K) are readable pieces.

    answer (T,), for a square mask: the positions of the target or response; where they look at one another the
    colour is deeper.
    """
    within = np.zeros_like(mask) if answer is None else mask & answer[:, None] & answer[None, :]
    silent = empty_rows(mask)
    grid = Grid(queries, keys, say, Message("Which position may look at which"), silent, clickable, chosen)
    if grid.as_table:
        picture = grid.table(_mask_cells(mask, within, grid, reason))
    else:
        layers = {"closed": ~mask, "open": mask, "deep": within}
        picture = grid.layers({name: np.uint8(255) * layer for name, layer in layers.items() if layer.any()})
    key = [("open", Message("may look")), ("deep", Message("answer looks at answer")), ("closed", Message("closed"))]
    present = {"open": bool((mask & ~within).any()), "deep": bool(within.any()), "closed": bool((~mask).any())}
    return _picture(picture, _legend([(name, say(word)) for name, word in key if present[name]]))


def _mask_cells(mask: Bools, within: Bools, grid: Grid, reason: Reason | None) -> Callable[[int, int], str]:
    names = np.where(within, "deep", np.where(mask, "open", "closed")).tolist()
    told = mask.size <= MOST_REASONS

    def cell(i: int, j: int) -> str:
        name = names[i][j]
        if not told:
            return f" class={name}"
        word = reason(i, j) if reason else Message("closed") if name == "closed" else Message("may look")
        return f" class={name}{grid.hover(i, j, grid.say(word))}"

    return cell


def weights_picture(
    weights: NDArray[np.floating],
    queries: Sequence[str],
    keys: Sequence[str],
    say: Say,
    *,
    mask: Bools | None = None,
    clickable: bool = False,
    chosen: tuple[int, int] | None = None,
) -> str:
    """The weights (Q,K) of one head; mask (Q,K): False is closed and hatched. The scale runs from 0 to the largest
    weight, which the legend tells."""
    shown = np.ones(weights.shape, dtype=bool) if mask is None else mask
    odd = shown & ~np.isfinite(weights)
    values = np.where(shown & ~odd, weights, 0.0).astype(np.float64)
    largest = float(values.max(initial=0.0))
    shares = values / largest if largest else values
    silent = empty_rows(shown)
    grid = Grid(queries, keys, say, Message("How much each position looks at which"), silent, clickable, chosen)
    if grid.as_table:
        picture = grid.table(_weight_cells(values, shares, shown, odd, grid))
    else:
        solid = np.uint8(255)
        levels = {
            "closed": solid * ~shown,
            "low": solid * shown,
            "high": np.round(255 * shares).astype(np.uint8),
            "odd": solid * odd,
        }
        picture = grid.layers({name: level for name, level in levels.items() if level.any()})
    entries = [("closed", say(Message("closed")))] if not shown.all() else []
    entries += [("odd", say(Message("not a number")))] if odd.any() else []
    scale = f'<li class="scale"><span>0</span><i aria-hidden="true"></i><span>{largest:.4f}</span></li>'
    return _picture(picture, _legend(entries, scale))


def _weight_cells(
    values: NDArray[np.float64], shares: NDArray[np.float64], shown: Bools, odd: Bools, grid: Grid
) -> Callable[[int, int], str]:
    kinds = np.where(odd, "odd", np.where(shown, "weight", "closed")).tolist()
    words = {"odd": grid.say(Message("not a number")), "closed": grid.say(Message("closed"))}
    numbers, parts = values.tolist(), shares.tolist()

    def cell(i: int, j: int) -> str:
        kind = kinds[i][j]
        told = words.get(kind) or f"{numbers[i][j]:.4f}"
        title = grid.hover(i, j, told)
        return f" class={kind}{title}" if kind != "weight" else f" style=--v:{parts[i][j]:.3f}{title}"

    return cell


def _legend(entries: Sequence[tuple[str, str]], more: str = "") -> str:
    items = "".join(f'<li><i class="key {name}" aria-hidden="true"></i>{escape(word)}</li>' for name, word in entries)
    return f'<ul class="legend">{more}{items}</ul>'


def _picture(picture: str, legend: str) -> str:
    return f'<div class="xp matrix">{picture}{legend}</div>'
