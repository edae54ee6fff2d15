"""A table on the page: sortable, and to be downloaded as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from explorer.ui.words import t
from explorer.views.tables import csv

if TYPE_CHECKING:
    import pandas as pd


def table_with_csv(table: pd.DataFrame, name: str, wide: Sequence[str] = ()) -> None:
    """Draw the table; the file NAME.csv is only made when somebody asks for it. wide: columns of words."""
    columns = {column: st.column_config.TextColumn(width="medium") for column in wide}
    st.dataframe(table, hide_index=True, column_config=columns)
    words, file = t("Download as CSV"), f"{name}.csv"
    st.download_button(words, lambda: csv(table), file, "text/csv", key=f"csv_{name}", on_click="ignore")
