"""The frame of a matrix picture: queries look (rows), keys are looked at (columns), every token with its index.

Up to 64 tokens it is a table of square cells. Above, layers of one flat colour each, cut out by a small picture; the
numbers behind it come along for the hover.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.types import Bools, Message
from explorer.views.png import data_url, opacity_png
from explorer.views.roles import Say
from explorer.views.said import said_table
from explorer.views.style import attribute

MOST_CELLS = 64
"""The longest side of a table of cells; more tokens are drawn as layers."""

WIDEST_MAP = 640
"""Pixels that the longest side of the layers takes, as long as a cell has at least one."""


@dataclass(frozen=True)
class Axes:
    """queries (Q) and keys (K): readable pieces; rows and columns: what stands before each, its position unless given
    otherwise; words: what the rows and the columns are."""

    queries: Sequence[str]
    keys: Sequence[str]
    rows: Sequence[str] = ()
    columns: Sequence[str] = ()
    words: tuple[Message, Message] = (Message("queries: look"), Message("keys: looked at"))

    def row(self, i: int) -> str:
        """The number of a row, or what stands in its place."""
        return self.rows[i] if self.rows else str(i)

    def column(self, j: int) -> str:
        """The number of a column, or what stands in its place."""
        return self.columns[j] if self.columns else str(j)

    def query(self, i: int) -> str:
        """Number and piece of a row."""
        return f"{self.row(i)} {self.queries[i]}"

    def key(self, j: int) -> str:
        """Number and piece of a column."""
        return f"{self.column(j)} {self.keys[j]}"

    @property
    def longest(self) -> int:
        """The longer side."""
        return max(len(self.queries), len(self.keys))


@dataclass(frozen=True)
class Margins:
    """rows (Q) and columns (K): shares from 0 to 1; words: what they are, with a place for the {share}."""

    rows: Sequence[float]
    columns: Sequence[float]
    words: tuple[str, str]


@dataclass(frozen=True)
class Grid:
    """silent (Q): True for a row that may look at nothing. chosen: the cell in the reader's hand. clickable: cells
    report "cell:3:5" for row 3 and column 5. margins: for each row and each column a share from 0 to 1 that stands as a
    bar beside its name, and what it is; with them the names report "query:3" and "key:5"."""

    axes: Axes
    say: Say
    caption: Message
    silent: Bools
    clickable: bool
    chosen: tuple[int, int] | None
    margins: Margins | None = None

    @property
    def as_table(self) -> bool:
        return self.axes.longest <= MOST_CELLS

    def table(self, cell: Callable[[int, int], str]) -> str:
        """cell(i, j): the attributes of a cell, e.g. ' class="open"'."""
        size = "large" if self.axes.longest <= 20 else "small"
        caption = f'<caption class="said">{escape(self.say(self.caption))}</caption>'
        rows = "".join(self._row(i, cell) for i in range(len(self.axes.queries)))
        role = ' role="grid"' if self.clickable else ""
        table = f'<table class="{size}"{role}>{caption}<thead>{self._head()}</thead><tbody>{rows}</tbody></table>'
        return self._box(table)

    def layers(
        self,
        levels: Mapping[str, NDArray[np.uint8]],
        row: tuple[Message, Callable[[int], str]],
        values: NDArray[np.float64] | None = None,
    ) -> str:
        """levels: CSS class of a layer -> its opacities (Q,K), from bottom to top; row: what is told of each row where
        the picture is read aloud, and its heading; values (Q,K): told on hover."""
        q, k = len(self.axes.queries), len(self.axes.keys)
        pixels = max(1, WIDEST_MAP // max(q, k))
        size = f"width:{k * pixels / 16:g}em;height:{q * pixels / 16:g}em"
        parts = "".join(
            f'<i class="{name}" style="--png:url({data_url(opacity_png(level))})"></i>'
            for name, level in levels.items()
        )
        if self.chosen is not None:
            # The row is marked, not the cell: that may be less than a pixel.
            parts += f'<b style="--at:{100 * self.chosen[0] / q:.3f}%;--share:{100 / q:.3f}%"></b>'
        role = f'role="application" data-cells="{q}:{k}" tabindex="0"' if self.clickable else 'role="img"'
        told = self._names() + ("" if values is None else self._values(values))
        caption = self.say(self.caption)
        label = attribute("aria-label", caption)
        names = [[self.axes.query(0), self.axes.query(q - 1)], [self.axes.key(0), self.axes.key(k - 1)]]
        (top, bottom), (left, right) = [[escape(name) for name in ends] for ends in names]
        aloud = said_table(
            caption,
            [self.say(self.axes.words[0]), self.say(row[0])],
            ((self.axes.query(i), row[1](i)) for i in range(q)),
        )
        return self._box(
            f'<div class="map"><div class="across"><span>{left}</span><span>{right}</span></div>'
            f'<div class="down"><span>{top}</span><span>{bottom}</span></div>'
            f'<div class="layers" {role} style="{size}"{label}{told}>{parts}</div></div>'
            f'<p class="said" aria-live="polite"></p>{aloud}'
        )

    def _names(self) -> str:
        """The names of both axes, for the hover and for the arrow keys."""
        names = [
            [self.axes.query(i) for i in range(len(self.axes.queries))],
            [self.axes.key(j) for j in range(len(self.axes.keys))],
        ]
        return attribute("data-names", json.dumps(names))

    def _values(self, values: NDArray[np.float64]) -> str:
        """The numbers in 16 bits each, as a share of the largest."""
        largest = float(values.max(initial=0.0))
        shares = np.round(65535 * values / largest if largest else values).astype("<u2")
        packed = base64.b64encode(shares.tobytes()).decode("ascii")
        return f' data-values="{packed}" data-largest="{largest:.6g}"'

    def hover(self, i: int, j: int, word: str) -> str:
        """The title of a cell: query, key, and a word about them."""
        return attribute("title", f"{self.axes.query(i)} → {self.axes.key(j)}\n{word}")

    def _box(self, inner: str) -> str:
        queries, keys = (escape(self.say(word)) for word in self.axes.words)
        axes = f'<p class="axes"><span>{queries} ↓</span><span>{keys} →</span></p>'
        label = attribute("aria-label", self.say(self.caption))
        return f'{axes}<div class="scroll" tabindex="0" role="region"{label}>{inner}</div>'

    def _head(self) -> str:
        cells = (
            f'<th scope="col"{self._name("key", j)}>'
            f"<span><i>{escape(self.axes.column(j))}</i> {escape(key)}</span></th>"
            for j, key in enumerate(self.axes.keys)
        )
        return f"<tr><td></td>{''.join(cells)}</tr>"

    def _row(self, i: int, cell: Callable[[int, int], str]) -> str:
        silent = escape(self.say(Message("no query")))
        note = f" <em>{silent}</em>" if self.silent[i] else ""
        name = (
            f'<th scope="row"{self._name("query", i)}>'
            f"<i>{escape(self.axes.row(i))}</i> {escape(self.axes.queries[i])}{note}</th>"
        )
        cells = (f"<td{cell(i, j)}{self._click(i, j)}></td>" for j in range(len(self.axes.keys)))
        return f"<tr>{name}{''.join(cells)}</tr>"

    def _name(self, side: str, at: int) -> str:
        """Attributes of the name of a row or column."""
        name = self.axes.query(at) if side == "query" else self.axes.key(at)
        if self.margins is None:
            return attribute("title", name)
        row = side == "query"
        share = (self.margins.rows if row else self.margins.columns)[at]
        told = self.margins.words[0 if row else 1].format(share=f"{share:.3f}")
        title = attribute("title", f"{name}\n{told}")
        return f"{title} data-click={side}:{at} tabindex=-1 style=--m:{share:.3f}"

    def _click(self, i: int, j: int) -> str:
        """One stop for the tab key in the whole grid; arrow keys go on from there."""
        mark = " aria-selected=true" if self.chosen == (i, j) else ""
        if not self.clickable:
            return mark
        stop = 0 if (self.chosen or (0, 0)) == (i, j) else -1
        return f"{mark} data-click=cell:{i}:{j} tabindex={stop}"
