"""A table on the page: sortable, and to be downloaded as CSV."""

from __future__ import annotations

from typing import TYPE_CHECKING

import streamlit as st

from explorer.ui.words import t

if TYPE_CHECKING:
    import pandas as pd


def table_with_csv(table: pd.DataFrame, name: str) -> None:
    """Draw the table; the file NAME.csv is only made when somebody asks for it."""
    from explorer.views.tables import csv

    st.dataframe(table, hide_index=True)
    words, file = t("Download as CSV"), f"{name}.csv"
    st.download_button(words, lambda: csv(table), file, "text/csv", key=f"csv_{name}", on_click="ignore")
