"""Parts of the page with a script of their own, drawn with the newest data in whatever order a browser calls it."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import streamlit as st

HERE = Path(__file__).parent


def component(name: str, html: str, css: str = "", isolated: bool = True) -> Callable[..., None]:
    """How to draw the part whose script is NAME.js, which draws with `newest`. isolated: out of reach of the page's
    own styles and the other way round. What it gives takes `key`, `data` and Streamlit's further arguments."""
    mount = st.components.v2.component(
        f"explorer.{name}", html=html, css=css or None, js=script(name), isolate_styles=isolated
    )

    def draw(key: str, data: Mapping[str, Any], **more: Any) -> None:
        mount(key=key, data={**data, "at": _changed(key, data)}, **more)

    return draw


def script(name: str) -> str:
    """NAME.js behind what it needs."""
    return "\n".join(HERE.joinpath(f"{each}.js").read_text(encoding="utf-8") for each in ("newest", name))


def _changed(key: str, data: Mapping[str, Any]) -> int:
    """Microseconds since 1970 when these data first took the place of others. The same data keep their time, so that
    a picture that stays is not sent again."""
    kept: dict[str, tuple[int, int]] = st.session_state.setdefault("components", {})
    mark = hash(tuple(map(str, data.values())))
    before, at = kept.get(key, (None, 0))
    if before != mark:
        at = max(at + 1, time.time_ns() // 1000)
        kept[key] = (mark, at)
    return at
