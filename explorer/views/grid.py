"""The frame of a matrix picture: queries look (rows), keys are looked at (columns), every token with its index.

Up to 64 tokens it is a table of square cells. Above, layers of one flat colour each, cut out by a small picture.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.types import Bools, Message
from explorer.views.png import data_url, opacity_png
from explorer.views.roles import Say
from explorer.views.style import attribute

MOST_CELLS = 64
"""The longest side of a table of cells; more tokens are drawn as layers."""

WIDEST_MAP = 640
"""Pixels that the longest side of the layers takes, as long as a cell has at least one."""


@dataclass(frozen=True)
class Grid:
    """queries (Q) and keys (K): readable pieces. silent (Q): True for a row that may look at nothing. chosen: the cell
    in the reader's hand. clickable: cells report "cell:3:5" for query 3 and key 5."""

    queries: Sequence[str]
    keys: Sequence[str]
    say: Say
    caption: Message
    silent: Bools
    clickable: bool
    chosen: tuple[int, int] | None

    @property
    def as_table(self) -> bool:
        return max(len(self.queries), len(self.keys)) <= MOST_CELLS

    def table(self, cell: Callable[[int, int], str]) -> str:
        """cell(i, j): the attributes of a cell, e.g. ' class="open"'."""
        size = "large" if max(len(self.queries), len(self.keys)) <= 20 else "small"
        caption = f'<caption class="said">{escape(self.say(self.caption))}</caption>'
        rows = "".join(self._row(i, cell) for i in range(len(self.queries)))
        role = ' role="grid"' if self.clickable else ""
        table = f'<table class="{size}"{role}>{caption}<thead>{self._head()}</thead><tbody>{rows}</tbody></table>'
        return self._box(table)

    def layers(self, levels: Mapping[str, NDArray[np.uint8]]) -> str:
        """levels: CSS class of a layer -> its opacities (Q,K), from bottom to top."""
        q, k = len(self.queries), len(self.keys)
        pixels = max(1, WIDEST_MAP // max(q, k))
        size = f"width:{k * pixels / 16:g}em;height:{q * pixels / 16:g}em"
        parts = "".join(
            f'<i class="{name}" style="--png:url({data_url(opacity_png(level))})"></i>'
            for name, level in levels.items()
        )
        if self.chosen is not None:
            # The row is marked, not the cell: that may be less than a pixel.
            parts += f'<b style="--at:{100 * self.chosen[0] / q:.3f}%;--share:{100 / q:.3f}%"></b>'
        click = f' data-cells="{q}:{k}" tabindex="0"' if self.clickable else ""
        label = attribute("aria-label", self.say(self.caption))
        ends = [(name, escape(f"{at} {pieces[at]}")) for name, pieces in self._axes for at in (0, len(pieces) - 1)]
        (_, top), (_, bottom), (_, left), (_, right) = ends
        return self._box(
            f'<div class="map"><div class="across"><span>{left}</span><span>{right}</span></div>'
            f'<div class="down"><span>{top}</span><span>{bottom}</span></div>'
            f'<div class="layers" role="img" style="{size}"{label}{click}>{parts}</div></div>'
        )

    def hover(self, i: int, j: int, word: str) -> str:
        """The title of a cell: query, key, and a word about them."""
        return attribute("title", f"{i} {self.queries[i]} → {j} {self.keys[j]}\n{word}")

    @property
    def _axes(self) -> tuple[tuple[str, Sequence[str]], ...]:
        return ("queries", self.queries), ("keys", self.keys)

    def _box(self, inner: str) -> str:
        keys = escape(self.say(Message("keys: looked at")))
        queries = escape(self.say(Message("queries: look")))
        axes = f'<p class="axes"><span>{queries} ↓</span><span>{keys} →</span></p>'
        label = attribute("aria-label", self.say(self.caption))
        return f'{axes}<div class="scroll" tabindex="0" role="region"{label}>{inner}</div>'

    def _head(self) -> str:
        cells = (
            f'<th scope="col"{attribute("title", f"{j} {key}")}><span><i>{j}</i> {escape(key)}</span></th>'
            for j, key in enumerate(self.keys)
        )
        return f"<tr><td></td>{''.join(cells)}</tr>"

    def _row(self, i: int, cell: Callable[[int, int], str]) -> str:
        query = self.queries[i]
        silent = escape(self.say(Message("no query")))
        note = f" <em>{silent}</em>" if self.silent[i] else ""
        name = f'<th scope="row"{attribute("title", f"{i} {query}")}><i>{i}</i> {escape(query)}{note}</th>'
        return f"<tr>{name}{''.join(f'<td{cell(i, j)}{self._click(i, j)}></td>' for j in range(len(self.keys)))}</tr>"

    def _click(self, i: int, j: int) -> str:
        """One stop for the tab key in the whole grid; arrow keys go on from there."""
        mark = " aria-selected=true" if self.chosen == (i, j) else ""
        if not self.clickable:
            return mark
        stop = 0 if (self.chosen or (0, 0)) == (i, j) else -1
        return f"{mark} data-click=cell:{i}:{j} tabindex={stop}"
