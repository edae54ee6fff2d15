"""Pictures as PNG files to keep: a matrix with the names of its rows and columns and a scale, dark on white."""

from __future__ import annotations

from functools import cache
from io import BytesIO

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from explorer.views.mosaic import Mosaic
from explorer.views.painting import HATCH, HIGH, INK, LOSS, LOW, Painting
from explorer.views.strip import NO_FILL, SIGN, Strip, clipped

WIDEST = 1200
"""Pixels that the longer side of the cells takes at most, as long as a cell has one."""
NAMED = 8
"""Pixels of a cell from which its row and column are named; smaller ones are numbered at the ends only."""


def painting_png(painting: Painting) -> bytes:
    """Square cells with their names; cells too small for a name are numbered at both ends."""
    rows, columns = painting.closed.shape
    axes, title = painting.axes, painting.title
    size = max(1, min(20, WIDEST // max(rows, columns)))
    cells = painting.colours.repeat(size, axis=0).repeat(size, axis=1)
    down, across = np.indices(cells.shape[:2])
    hatched = painting.closed.repeat(size, axis=0).repeat(size, axis=1)
    stripe = (down + across) % 5 == 0
    cells[hatched] = np.where(stripe[..., None], HATCH, 255).astype(np.uint8)[hatched]
    room = 130
    width = max(room + columns * size, 10 + 7 * len(title)) + 10
    page = Image.new("RGB", (width, room + rows * size + 34), "white")
    page.paste(Image.fromarray(cells), (room, room))
    pen, font = ImageDraw.Draw(page), _font(11)
    pen.text((10, room + rows * size + 10), _plain(title, 200), fill=INK, font=font)
    for i in named(rows, size):
        pen.text((room - 6, room + (i + 0.5) * size), _plain(axes.query(i)), fill=INK, font=font, anchor="rm")
    for j in named(columns, size):
        _upright(page, _plain(axes.key(j)), (int(room + (j + 0.5) * size), room - 6))
    return _png(page)


def strip_png(strip: Strip) -> bytes:
    """The same boxes as in the SVG."""
    page = Image.new("RGB", (int(strip.width) + 24, int(strip.height) + 40), "white")
    pen, font, small = ImageDraw.Draw(page), _font(12), _font(10)
    pen.text((12, 12), _plain(strip.title, 200), fill=INK, font=font)
    for box in strip.boxes:
        x, y = box.x + 12, box.y + 36
        if box.fill != NO_FILL:
            pen.rounded_rectangle((x, y, x + box.width, y + box.height), 3, fill=box.fill)
        at, anchor = (x, "ls") if box.x == 0 else (x + box.width / 2, "ms")
        line = y + (box.height / 2 + 4 if not box.small else 15)
        pen.text((at, line), clipped(_plain(box.text, 40), box.width), fill=box.ink, font=font, anchor=anchor)
        pen.text((at, y + 29), _plain(box.small), fill=box.ink, font=small, anchor=anchor)
    return _png(page)


def pixels_png(painting: Painting) -> bytes:
    """The cells alone, a pixel each; closed ones in the colour of the hatch."""
    return _png(Image.fromarray(np.where(painting.closed[..., None], HATCH, painting.colours).astype(np.uint8)))


def mosaic_png(mosaic: Mosaic) -> bytes:
    """All heads, from the layers of opacities of their mosaic, each tile with its layer and head over it."""
    large = max(1, round(96 / mosaic.tile[1]))
    page = Image.fromarray(_mosaic_cells(mosaic).repeat(large, axis=0).repeat(large, axis=1))
    pen, font = ImageDraw.Draw(page), _font(max(8, mosaic.margins[0] * large - 4))
    layers, heads = mosaic.size
    down, across = (large * side for side in mosaic.tile)
    for layer, head in np.ndindex(layers, heads + 1):
        word = f"{layer}.{head}" if head < heads else f"{layer}"
        pen.text((head * across, layer * down), word, fill=INK, font=font)
    return _png(page)


def mosaic_pixels_png(mosaic: Mosaic) -> bytes:
    """The cells of all heads without names, a pixel each."""
    return _png(Image.fromarray(_mosaic_cells(mosaic)))


def _mosaic_cells(mosaic: Mosaic) -> NDArray[np.uint8]:
    """(rows,columns,3): the layers of opacities in their colours on white."""
    shape = next(iter(mosaic.levels.values())).shape
    colours = np.full((*shape, 3), 255.0)
    for name, end in {"low": LOW, "high": HIGH, "closed": HATCH, "odd": LOSS}.items():
        if name in mosaic.levels:
            colours += mosaic.levels[name][..., None] / 255 * (end - colours)
    return colours.astype(np.uint8)


def named(count: int, size: float) -> range:
    """The rows or columns whose names have room: all, or the first and the last."""
    return range(count) if size >= NAMED else range(0, count, max(1, count - 1))


def _upright(page: Image.Image, text: str, foot: tuple[int, int]) -> None:
    """The text from its foot upwards."""
    strip = Image.new("RGB", (120, 14), "white")
    ImageDraw.Draw(strip).text((0, 7), text, fill=INK, font=_font(11), anchor="lm")
    turned = strip.rotate(90, expand=True)
    page.paste(turned, (foot[0] - 7, foot[1] - turned.height))


FACES = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansKR-Regular.otf",
    "NanumGothic.ttf",
    "malgun.ttf",
    "AppleSDGothicNeo.ttc",
)
"""Fonts with Korean letters, as systems have them."""

BRACKETS = str.maketrans("⟨⟩", "‹›")
"""The signs around bytes that those fonts lack, and what stands for them."""


@cache
def _face() -> str | None:
    """The first of them that is here."""
    for name in FACES:
        try:
            ImageFont.truetype(name, 11)
        except OSError:
            continue
        return name
    return None


@cache
def _font(size: int) -> ImageFont.ImageFont | ImageFont.FreeTypeFont:
    face = _face()
    return ImageFont.load_default(size) if face is None else ImageFont.truetype(face, size)


def _plain(text: str, most: int = 18) -> str:
    """At most so many characters of what can be drawn."""
    return clipped(text.translate(BRACKETS) if _face() else _coded(text), most * SIGN + 4)


def _coded(text: str) -> str:
    """What Pillow's own font can draw: other letters are told by their codes, which the CSV spells out.

    >>> _coded("0 ·나")
    '0 ·U+B098'
    """
    return "".join(sign if ord(sign) < 0x250 else f"U+{ord(sign):04X}" for sign in text)


def _png(page: Image.Image) -> bytes:
    file = BytesIO()
    page.save(file, "PNG", optimize=False)
    return file.getvalue()
