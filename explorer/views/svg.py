"""Pictures as SVG files to keep: sharp at every size, with a title that screen readers say and a word on each cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape

import numpy as np

from explorer.views.grid import MOST_CELLS
from explorer.views.mosaic import Mosaic
from explorer.views.paint import mosaic_pixels_png, named, pixels_png
from explorer.views.painting import HATCH, INK, Painting
from explorer.views.png import data_url
from explorer.views.strip import Box, Strip, clipped

CELL, ROOM, EDGE = 18, 140, 12
"""Pixels of a cell's side, of the place for the names, and around everything."""

WIDEST = 900
"""Pixels that the longer side of the cells takes at most, where they are drawn one by one."""

TILE = 96
"""Pixels of a head among all heads."""

LETTERS = 18
"""Characters of a name."""

FORBIDDEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
"""Characters that no XML may hold (XML 1.0, section 2.2)."""


def painting_svg(painting: Painting) -> str:
    """The matrix with the names of its rows and columns; of more than MOST_CELLS a side, the cells are one image."""
    rows, columns = painting.closed.shape
    size = CELL if max(rows, columns) <= MOST_CELLS else max(1.0, WIDEST / max(rows, columns))
    cells = _cells(painting) if max(rows, columns) <= MOST_CELLS else _image(painting, size)
    title = _text(painting.title)
    width = max(ROOM + columns * size, 8 * len(painting.title)) + EDGE
    height = ROOM + rows * size + 34
    red, green, blue = HATCH.tolist()
    return (
        f"{_begin(painting.title, width, height)}"
        '<defs><pattern id="closed" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
        f'<path d="M0 0V5" stroke="rgb({red},{green},{blue})" stroke-width="3"/></pattern></defs>'
        f'{cells}<g font-size="11" fill="{INK}">'
        f"{''.join(_names(painting, size))}"
        f'<text x="{EDGE}" y="{height - 10:g}" font-size="13">{title}</text></g></svg>\n'
    )


def strip_svg(strip: Strip) -> str:
    """Boxes with their texts under the title."""
    boxes = "".join(_box(box) for box in strip.boxes)
    title = f'<text x="0" y="-12" font-size="13" fill="{INK}">{_text(strip.title)}</text>'
    begin = _begin(strip.title, strip.width + 2 * EDGE, strip.height + 40)
    return f'{begin}<g transform="translate({EDGE} 36)" font-size="12">{title}{boxes}</g></svg>\n'


def mosaic_svg(mosaic: Mosaic, title: str) -> str:
    """All heads: the cells as one image, the layer and the head over each tile as text."""
    layers, heads = mosaic.size
    scale = TILE / mosaic.tile[1]
    down, across = (scale * side for side in mosaic.tile)
    width, height = across * (heads + 1), down * layers
    image = f'width="{width:g}" height="{height:g}" href="{data_url(mosaic_pixels_png(mosaic))}"'
    size = min(14.0, 0.7 * scale * mosaic.margins[0])
    names = "".join(
        f'<text x="{head * across:g}" y="{layer * down + size:g}">{layer}{f".{head}" if head < heads else ""}</text>'
        for layer, head in np.ndindex(layers, heads + 1)
    )
    return (
        f'{_begin(title, width, height)}<image {image} preserveAspectRatio="none" style="image-rendering:pixelated"/>'
        f'<g font-size="{size:g}" fill="{INK}">{names}</g></svg>\n'
    )


def _begin(title: str, width: float, height: float) -> str:
    """The opening of a picture on white paper."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="title" '
        'font-family="ui-monospace, Menlo, Consolas, monospace">'
        f'<title id="title">{_text(title)}</title><rect width="100%" height="100%" fill="#fff"/>'
    )


def _box(box: Box) -> str:
    told = f"<title>{_text(box.told)}</title>" if box.told else ""
    place = f'x="{box.x:g}" y="{box.y:g}" width="{box.width:g}" height="{box.height:g}" rx="3"'
    rect = f'<rect {place} fill="{box.fill}">{told}</rect>' if told else ""
    named = box.x == 0  # the name of a row stands at the left
    x, anchor = (box.x, "start") if named else (box.x + box.width / 2, "middle")
    y = box.y + (box.height / 2 + 4 if not box.small else 15)
    how = f'text-anchor="{anchor}" fill="{box.ink}"'
    text = f'<text x="{x:g}" y="{y:g}" {how}>{_text(clipped(box.text, box.width))}</text>'
    small = f'<text x="{x:g}" y="{box.y + 29:g}" {how} font-size="10">{_text(box.small)}</text>' if box.small else ""
    return rect + text + small


def _cells(painting: Painting) -> str:
    """A square for each cell, which tells who looks at whom and how much."""

    def cell(i: int, j: int) -> str:
        red, green, blue = painting.colours[i, j].tolist()
        fill = "url(#closed)" if painting.closed[i, j] else f"rgb({red},{green},{blue})"
        told = _text(f"{painting.axes.query(i)} → {painting.axes.key(j)}: {painting.word(i, j)}")
        place = f'x="{ROOM + j * CELL}" y="{ROOM + i * CELL}" width="{CELL - 1}" height="{CELL - 1}"'
        return f'<rect {place} fill="{fill}"><title>{told}</title></rect>'

    return "".join(cell(i, j) for i, j in np.ndindex(painting.closed.shape))


def _image(painting: Painting, size: float) -> str:
    """All cells as a picture inside the picture, a pixel each; a closed cell is grey."""
    rows, columns = painting.closed.shape
    place = f'x="{ROOM}" y="{ROOM}" width="{columns * size:g}" height="{rows * size:g}"'
    return (
        f'<image {place} preserveAspectRatio="none" style="image-rendering:pixelated" '
        f'href="{data_url(pixels_png(painting))}"/>'
    )


def _names(painting: Painting, size: float) -> Iterator[str]:
    rows, columns = painting.closed.shape
    for i in named(rows, size):
        y = ROOM + (i + 0.5) * size + 4
        yield f'<text x="{ROOM - 6}" y="{y:g}" text-anchor="end">{_name(painting.axes.query(i))}</text>'
    for j in named(columns, size):
        x = ROOM + (j + 0.5) * size + 4
        turned = f'transform="translate({x:g} {ROOM - 6}) rotate(-90)"'
        yield f"<text {turned}>{_name(painting.axes.key(j))}</text>"


def _name(text: str) -> str:
    return _text(text if len(text) <= LETTERS else text[: LETTERS - 1] + "…")


def _text(text: str) -> str:
    """Escaped, without the characters that XML forbids."""
    return escape(FORBIDDEN.sub("\N{REPLACEMENT CHARACTER}", text))
