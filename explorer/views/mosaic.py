"""All heads of all layers at once: one picture of opacities, with a labelled tile to click for each head.

The picture is shown by CSS masks (see png.py). It stands in a style sheet of its own, so that choosing another head
sends the labels anew but never the picture. Alphabet: L layers, H heads, q and k the cells of one tile.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

from explorer.combined import blocks
from explorer.types import Attention, Bools, Message
from explorer.views.matrix import shares
from explorer.views.png import data_url, opacity_png
from explorer.views.roles import Say
from explorer.views.style import attribute

SIDE = 128
"""The most cells of a tile's side; longer texts are drawn in blocks of tokens."""

CAPTION, GAP = 0.34, 0.06
"""Room over a tile for its label, and beside it, as a share of its sides."""

PIXELATED = 40
"""Columns of a tile up to which its cells keep sharp edges."""

STEPS = 32
"""Shades of a tile: more cannot be told apart at this size, and fewer make the picture small."""


@dataclass(frozen=True, eq=False)
class Mosaic:
    """levels: CSS class of a layer -> opacities of the whole picture; sharpness (L,H): the mean largest weight of a
    row; tile: rows and columns of one tile with its margins; margins: rows over it, columns beside it."""

    levels: dict[str, NDArray[np.uint8]]
    sharpness: NDArray[np.float64]
    tile: tuple[int, int]
    margins: tuple[int, int]

    @property
    def size(self) -> tuple[int, int]:
        """Layers and heads."""
        layers, heads = self.sharpness.shape
        return layers, heads


def mosaic(attention: Attention, mask: Bools, *, log: bool = False) -> Mosaic:
    """The tiles of all heads, and one more a layer for the mean of its heads. A tile is as dark as its own largest
    weight; on a logarithmic scale all tiles share one scale. mask (Q,K)."""
    drawn = [_layer(heads, mask, log=log) for heads in attention.weights]
    open_cells = blocks(np.zeros(mask.shape), mask, SIDE).mask
    q, k = open_cells.shape
    repeat = -(-24 // max(q, k))  # a short text is drawn larger, so that the margins can be thin
    margins = max(1, round(CAPTION * q * repeat)), max(1, round(GAP * k * repeat))
    tiles = np.stack([each for each, _ in drawn])  # (L,H+1,q,k)
    high = np.where(np.isnan(tiles), 0, np.round(tiles * STEPS) * (255 / STEPS)).astype(np.uint8)
    alike = np.broadcast_to(open_cells, tiles.shape)
    levels = {"closed": ~alike, "low": alike, "high": high, "odd": np.isnan(tiles)}
    return Mosaic(
        {name: _sheet(level, repeat, *margins) for name, level in levels.items() if level.any()},
        np.stack([sharpness for _, sharpness in drawn]),
        (q * repeat + margins[0], k * repeat + margins[1]),
        margins,
    )


def _layer(heads: NDArray[np.floating], mask: Bools, *, log: bool) -> tuple[NDArray[np.float32], NDArray[np.float64]]:
    """The tiles (H+1,q,k) of a layer's heads and of their mean, 0 to 1, NaN where a weight is; the sharpness (H,)."""
    kept = heads if mask.all() else np.where(mask, heads, np.float32(0))  # (H,Q,K)
    looks = mask.any(axis=1)
    sharpness = kept[:, looks].max(axis=-1).mean(axis=-1) if looks.any() else np.zeros(len(heads))
    every = np.concatenate([kept, kept.mean(axis=0, keepdims=True)])
    small = every if max(mask.shape) <= SIDE else np.stack([blocks(tile, mask, SIDE).weights for tile in every])
    tiles = [shares(tile, log=log, largest=float(np.nanmax(tile, initial=0.0))) for tile in small]
    return np.stack(tiles).astype(np.float32), sharpness.astype(np.float64)


def _sheet(tiles: NDArray[np.generic], repeat: int, top: int, side: int) -> NDArray[np.uint8]:
    """(L,H,q,k) opacities, or True for solid, as one picture with room over and beside each tile."""
    levels = tiles.astype(np.uint8) * np.uint8(255) if tiles.dtype == np.bool_ else tiles
    layers, heads, q, k = tiles.shape
    sheet = np.zeros((layers, q * repeat + top, heads, k * repeat + side), dtype=np.uint8)
    sheet[:, top:, :, : k * repeat] = levels.repeat(repeat, axis=2).repeat(repeat, axis=3).transpose(0, 2, 1, 3)
    return sheet.reshape(layers * sheet.shape[1], -1)


def mosaic_sheet(picture: Mosaic) -> str:
    """The picture itself, as a style sheet of custom properties."""
    rules = "".join(f"--mosaic-{name}:url({data_url(opacity_png(level))});" for name, level in picture.levels.items())
    return f"<style>:root{{{rules}}}</style>"


def mosaic_picture(picture: Mosaic, shape: tuple[int, int], say: Say, chosen: tuple[int, int | None] | None) -> str:
    """Labels and tiles to click over the picture. shape: queries and keys. chosen: layer and head, None for the mean.
    Marks: "head:3:5", "mean:3" for the mean of a layer's heads, "layer:3", "column:5" for a head of the same layer."""
    layers, heads = picture.size
    height, width = picture.tile
    ratio = min(3.0, max(1 / 3, shape[0] / shape[1]))
    size = (
        f"--heads:{heads + 1};--layers:{layers};--ratio:{ratio * height / (height - picture.margins[0]):.4f};"
        f"--top:{picture.margins[0] / height:.4f};--side:{picture.margins[1] / width:.4f}"
    )
    parts = "".join(f'<i class="{name}" style="--png:var(--mosaic-{name})"></i>' for name in picture.levels)
    rows = "".join(_row(picture, layer, say, chosen) for layer in range(layers))
    label = attribute("aria-label", say(Message("All heads: a row of tiles for each layer")))
    few = " few" if width <= PIXELATED else ""
    sheet = f'<div class="sheet" aria-hidden="true">{parts}</div>'
    box = f'<div class="scroll" tabindex="0" role="region"{label}>'
    inside = f'<div class="all">{_head(picture, say)}{sheet}{rows}</div>'
    return f'<div class="xp mosaic{few}" style="{size}">{box}{inside}</div></div>'


def _head(picture: Mosaic, say: Say) -> str:
    cells = "".join(
        _name(f"column:{head}", str(head), Message("Head {head}", {"head": head}), float(share), say)
        for head, share in enumerate(picture.sharpness.mean(axis=0))
    )
    corner, mean = (escape(say(word)) for word in (Message("Head"), Message("mean")))
    return f'<span class="corner">{corner}</span>{cells}<span class="name">{mean}</span>'


def _row(picture: Mosaic, layer: int, say: Say, chosen: tuple[int, int | None] | None) -> str:
    share = float(picture.sharpness[layer].mean())
    word = Message("Layer {layer}", {"layer": layer})
    name = _name(f"layer:{layer}", say(word), word, share, say)
    tiles = "".join(
        _tile(
            f"head:{layer}:{head}",
            f"{layer}.{head}",
            Message("Layer {layer}, head {head}", {"layer": layer, "head": head}),
            say,
            chosen=chosen == (layer, head),
        )
        for head in range(picture.size[1])
    )
    mean = Message("Layer {layer}, mean of its heads", {"layer": layer})
    return name + tiles + _tile(f"mean:{layer}", f"{layer}", mean, say, chosen=chosen == (layer, None))


def _name(mark: str, label: str, word: Message, share: float, say: Say) -> str:
    """A layer or a head of all layers; the bar under it is how sharply its rows look."""
    hover = Message(
        "{name}: the largest weight of a row is {share} on average", {"name": word, "share": f"{share:.2f}"}
    )
    return (
        f'<button class="name" data-click="{mark}" style="--v:{share:.3f}"{attribute("title", say(hover))}>'
        f"{escape(label)}</button>"
    )


def _tile(mark: str, label: str, word: Message, say: Say, *, chosen: bool) -> str:
    name = escape(say(word))
    told = f'aria-label="{name}" title="{name}" aria-pressed={"true" if chosen else "false"}'
    return f'<button class="tile" data-click="{mark}" {told}><span>{label}</span></button>'
