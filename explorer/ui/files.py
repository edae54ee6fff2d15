"""Files of a picture: PNG, SVG and CSV, made only when somebody asks for them, away from the page and its session."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from explorer.types import Bools
from explorer.ui.words import language, say_in
from explorer.views.grid import Axes
from explorer.views.painting import Painting, signed_painting, weights_painting
from explorer.views.strip import Strip
from explorer.views.tables import csv, weights_table

if TYPE_CHECKING:
    import pandas as pd

Paint = Callable[[], Painting]


@dataclass(frozen=True)
class File:
    """A file: the words of its button, its name, its kind, how it is made, and why it cannot be had, if so."""

    words: str
    name: str
    kind: str
    make: Callable[[], str | bytes]
    off: str = ""


def file_row(files: Sequence[File], words: str = "") -> None:
    """Files side by side, after the words for what they show."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        if words:
            st.caption(words, width="content")
        for file in files:
            st.download_button(
                file.words,
                file.make,
                file.name,
                file.kind,
                key=f"file_{file.name}",
                help=file.off or None,
                on_click="ignore",
                type="tertiary",
                disabled=bool(file.off),
            )


def picture_files(name: str, paint: Paint) -> list[File]:
    """A picture as NAME.png and as NAME.svg."""

    def png() -> bytes:
        from explorer.views.paint import painting_png

        return painting_png(paint())

    def svg() -> str:
        from explorer.views.svg import painting_svg

        return painting_svg(paint())

    return drawn_files(name, png, svg)


def strip_files(name: str, draw: Callable[[], Strip]) -> list[File]:
    """Token rows as NAME.png and as NAME.svg."""

    def png() -> bytes:
        from explorer.views.paint import strip_png

        return strip_png(draw())

    def svg() -> str:
        from explorer.views.svg import strip_svg

        return strip_svg(draw())

    return drawn_files(name, png, svg)


def drawn_files(name: str, png: Callable[[], bytes], svg: Callable[[], str]) -> list[File]:
    """A picture in both forms."""
    return [File("PNG", f"{name}.png", "image/png", png), File("SVG", f"{name}.svg", "image/svg+xml", svg)]


def table_file(name: str, words: str, table: Callable[[], pd.DataFrame]) -> File:
    """A table as NAME.csv."""
    return File(words, f"{name}.csv", "text/csv", lambda: csv(table()))


def weights_files(
    name: str, weights: NDArray[np.floating], axes: Axes, mask: Bools | None = None, *, log: bool = False
) -> None:
    """The files of a picture of weights."""
    paint = partial(weights_painting, weights, axes, name, mask=mask, log=log)
    file_row([*picture_files(name, paint), matrix_file(name, weights, axes, mask)])


def signed_files(name: str, values: NDArray[np.floating], axes: Axes) -> None:
    """The files of a picture of differences."""
    paint = partial(signed_painting, values, axes, name)
    file_row([*picture_files(name, paint), matrix_file(name, values, axes, None)])


def matrix_file(name: str, values: NDArray[np.floating], axes: Axes, mask: Bools | None) -> File:
    """The numbers of a picture, one row a cell."""
    return table_file(name, "CSV", partial(weights_table, values, axes, say_in(language()), mask))
