"""A picture of explorer.views on the page whose marked parts (`data-click`) tell what was clicked."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import streamlit as st

from explorer.views.style import stylesheet

_mount = st.components.v2.component(
    "explorer.picture",
    html="<div id='picture'></div>",
    css=stylesheet(),
    js=Path(__file__).with_name("clickable.js").read_text(encoding="utf-8"),
)


def clickable(html: str, key: str) -> str | None:
    """Draw escaped HTML; gives what was clicked (or entered with the keyboard) just now, else None."""
    result = _mount(key=key, data=html, on_clicked_change=lambda: None)
    return cast("str | None", result.clicked)
