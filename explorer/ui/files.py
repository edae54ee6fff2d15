"""Files of a picture: PNG and CSV, made only when somebody asks for them."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from explorer.types import Bools
from explorer.ui.words import t
from explorer.views.grid import Axes

if TYPE_CHECKING:
    import pandas as pd


def file_buttons(name: str, png: Callable[[], bytes], table: Callable[[], pd.DataFrame]) -> None:
    """Two buttons: NAME.png and NAME.csv."""
    from explorer.views.tables import csv

    with st.container(horizontal=True, gap="small"):
        button("PNG", f"{name}.png", "image/png", png)
        button("CSV", f"{name}.csv", "text/csv", lambda: csv(table()))


def button(words: str, file: str, kind: str, make: Callable[[], bytes]) -> None:
    """One file to keep."""
    st.download_button(words, make, file, kind, key=f"file_{file}", on_click="ignore", icon=":material/download:")


def weights_files(
    name: str, weights: NDArray[np.floating], axes: Axes, mask: Bools | None = None, *, log: bool = False
) -> None:
    """The files of a picture of weights."""

    def png() -> bytes:
        from explorer.views.paint import weights_png

        return weights_png(weights, axes, name, mask=mask, log=log)

    file_buttons(name, png, lambda: _table(weights, axes, mask))


def signed_files(name: str, values: NDArray[np.floating], axes: Axes) -> None:
    """The files of a picture of differences."""

    def png() -> bytes:
        from explorer.views.paint import signed_png

        return signed_png(values, axes, name)

    file_buttons(name, png, lambda: _table(values, axes, None))


def _table(values: NDArray[np.floating], axes: Axes, mask: Bools | None) -> pd.DataFrame:
    from explorer.views.tables import weights_table

    return weights_table(values, axes, t, mask)
