"""Pictures of matrices: the mask (who may look at whom) and attention weights (who does look at whom).

What the mask closes is hatched and never a colour of the scale; what is not a number has a cross and a word.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.masks import empty_rows
from explorer.types import Bools, Message
from explorer.views.figures import runs
from explorer.views.grid import Axes, Grid, Margins
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
    caption = Message("Which position may look at which")
    grid = Grid(Axes(queries, keys), say, caption, silent, clickable, chosen)
    if grid.as_table:
        picture = grid.table(_mask_cells(mask, within, grid, reason))
    else:
        layers = {"closed": ~mask, "open": mask, "deep": within}
        drawn = {name: np.uint8(255) * layer for name, layer in layers.items() if layer.any()}
        picture = grid.layers(drawn, (Message("may look"), lambda i: _runs(mask[i])))
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


LOWEST = 1e-4
"""Where a logarithmic scale begins; smaller weights look like none."""


def shares(values: NDArray[np.float64], *, log: bool, largest: float | None = None) -> NDArray[np.float64]:
    """Where values lie on the scale, 0 to 1: linear from 0 to the largest, or logarithmic from LOWEST to 1.

    >>> shares(np.array([0.0, 0.25, 0.5]), log=False).tolist()
    [0.0, 0.5, 1.0]
    >>> shares(np.array([0.0, 1e-4, 1e-2, 1.0]), log=True).tolist()
    [0.0, 0.0, 0.5, 1.0]
    """
    if log:
        found = np.log10(np.maximum(values, LOWEST) / LOWEST) / -np.log10(LOWEST)
        return np.asarray(np.minimum(found, 1.0), dtype=np.float64)
    top = float(values.max(initial=0.0)) if largest is None else largest
    return values / top if top else values


@dataclass(frozen=True)
class Wording:
    """The words of a picture of numbers that are at least 0."""

    caption: Message
    closed: Message
    wrong: Message


WEIGHTS = Wording(
    Message("How much each position looks at which"),
    Message("closed"),
    Message("error: a weight where the mask is closed"),
)


def weights_picture(
    weights: NDArray[np.floating],
    axes: Axes,
    say: Say,
    *,
    mask: Bools | None = None,
    wrong: Bools | None = None,
    log: bool = False,
    clickable: bool = False,
    chosen: tuple[int, int] | None = None,
    words: Wording = WEIGHTS,
) -> str:
    """The weights (Q,K) of one head; mask (Q,K): False is closed and hatched; wrong (Q,K): cells that must be 0 and are
    not, by default those that the mask closes. The legend tells the scale; a click on a name picks row or column."""
    shown = np.ones(weights.shape, dtype=bool) if mask is None else mask
    wrong = ~shown & (weights > 0) if wrong is None else wrong
    odd = shown & ~np.isfinite(weights)
    values = np.where(shown & ~odd, weights, 0.0).astype(np.float64)
    parts = shares(values, log=log)
    silent = empty_rows(shown)
    margins = _margins(values, silent, say) if clickable else None
    grid = Grid(axes, say, words.caption, silent, clickable, chosen, margins)
    kinds = np.select([wrong, odd, shown], ["wrong", "odd", "weight"], "closed")
    if grid.as_table:
        picture = grid.table(_weight_cells(np.where(wrong, weights, values), parts, kinds, grid, words))
    else:
        solid, levels = np.uint8(255), {"closed": ~shown, "low": shown, "high": parts, "odd": odd, "wrong": wrong}
        drawn = {name: np.round(solid * level).astype(np.uint8) for name, level in levels.items() if level.any()}
        picture = grid.layers(drawn, (Message("largest weight"), lambda i: _largest(values[i], grid)), values)
    told = [("closed", words.closed), ("odd", Message("not a number")), ("wrong", words.wrong)]
    entries = [(name, say(word)) for name, word in told if (kinds == name).any()]
    return _picture(picture, _legend(entries, _scale(float(values.max(initial=0.0)), say, log=log)))


def _margins(values: NDArray[np.float64], silent: Bools, say: Say) -> Margins:
    """How sharply each row looks, and how much each column is looked at."""
    looking = values[~silent] if (~silent).any() else values
    place = {"share": "{share}"}  # filled in for each name
    words = say(Message("its largest weight: {share}", place)), say(Message("looked at with {share} on average", place))
    return Margins(
        np.minimum(values.max(axis=1, initial=0.0), 1.0).tolist(),
        np.minimum(looking.mean(axis=0), 1.0).tolist(),
        words,
    )


def _scale(largest: float, say: Say, *, log: bool) -> str:
    low, high, kind = ("≤ 0.0001", "1", Message("logarithmic")) if log else ("0", f"{largest:.4f}", Message("linear"))
    words = escape(say(kind))
    return f'<li class="scale"><span>{low}</span><i aria-hidden="true"></i><span>{high}</span><span>{words}</span></li>'


def _weight_cells(
    values: NDArray[np.floating], parts: NDArray[np.float64], kinds: NDArray[np.str_], grid: Grid, words: Wording
) -> Callable[[int, int], str]:
    told = {"odd": grid.say(Message("not a number")), "closed": grid.say(words.closed), "wrong": grid.say(words.wrong)}
    names, numbers, heights = kinds.tolist(), values.tolist(), parts.tolist()

    def cell(i: int, j: int) -> str:
        kind, told_of = names[i][j], number(numbers[i][j])
        if kind == "weight":
            return f" style=--v:{heights[i][j]:.3f}{grid.hover(i, j, told_of)}"
        return f" class={kind}{grid.hover(i, j, f'{told[kind]} ({told_of})' if kind == 'wrong' else told[kind])}"

    return cell


def _runs(row: Bools) -> str:
    """The open columns of a row (K,), as "0-17, 20"."""
    return ", ".join(runs(np.flatnonzero(row).tolist())) or "–"


def _largest(row: NDArray[np.floating], grid: Grid) -> str:
    """The column of a row (K,) whose number is farthest from 0, with the number."""
    column = int(np.abs(np.nan_to_num(row)).argmax())
    return f"{grid.axes.key(column)}: {number(float(row[column]))}"


def number(value: float) -> str:
    """Four places; two figures where that would hide a number that is not 0."""
    return f"{value:.4f}" if value == 0 or abs(value) >= LOWEST else f"{value:.1e}"


def signed_picture(values: NDArray[np.floating], axes: Axes, say: Say, caption: Message) -> str:
    """Differences (Q,K) around 0: one colour for more, another with a minus sign for less; both reach the largest."""
    largest = float(np.abs(values).max(initial=0.0))
    grid = Grid(axes, say, caption, np.zeros(len(values), dtype=bool), clickable=False, chosen=None)
    parts = np.abs(values) / largest if largest else np.abs(values)
    if grid.as_table:
        picture = grid.table(
            lambda i, j: (
                f" class={'minus' if values[i, j] < 0 else 'plus'} style=--v:{parts[i, j]:.3f}"
                + grid.hover(i, j, f"{values[i, j]:+.4f}")
            )
        )
    else:
        levels = {"low": np.ones_like(parts), "plus": parts * (values > 0), "minus": parts * (values < 0)}
        drawn = {name: np.round(255 * level).astype(np.uint8) for name, level in levels.items()}
        picture = grid.layers(drawn, (Message("largest difference"), lambda i: _largest(values[i], grid)))
    ends = f"<span>−{largest:.4f}</span>", f"<span>+{largest:.4f}</span>"
    return _picture(picture, _legend((), f'<li class="scale signed">{ends[0]}<i aria-hidden="true"></i>{ends[1]}</li>'))


def _legend(entries: Sequence[tuple[str, str]], more: str = "") -> str:
    items = "".join(f'<li><i class="key {name}" aria-hidden="true"></i>{escape(word)}</li>' for name, word in entries)
    return f'<ul class="legend">{more}{items}</ul>'


def _picture(picture: str, legend: str) -> str:
    return f'<div class="xp matrix">{picture}{legend}</div>'
