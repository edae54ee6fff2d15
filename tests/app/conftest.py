"""Pages run by Streamlit's own test runner, from the home script, so that every link of the sidebar is there."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streamlit.testing.v1 import AppTest

if TYPE_CHECKING:
    from tests.app.baskets import Basket

ROOT = Path(__file__).parents[2]

Open = Callable[..., AppTest]


@pytest.fixture
def open_anywhere(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens a page ("home" is app.py) with the fields of its URL, after `state` is put into the session; runs it."""
    monkeypatch.setenv("EXPLORER_OFFLINE", "1")
    monkeypatch.chdir(ROOT)

    def open_(page: str, lang: str = "en", state: dict[str, object] | None = None, **fields: str) -> AppTest:
        app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300)
        if page != "home":
            app.switch_page(f"pages/{page}.py")
        for name, value in {"lang": lang, **fields}.items():
            app.query_params[name] = value
        for name, value in (state or {}).items():
            app.session_state[name] = value
        return app.run()

    return open_


@pytest.fixture
def open_page(models_folder: Path, open_anywhere: Open) -> Open:
    """The same, where the real tokenizers are."""
    return open_anywhere


@pytest.fixture
def basket(monkeypatch: pytest.MonkeyPatch) -> Basket:
    """The files of the page that is opened next."""
    from tests.app.baskets import Basket

    return Basket(monkeypatch)


def words(app: AppTest) -> str:
    """All text on the page, one element a line; pictures that can be clicked come last."""
    kinds = ("title", "header", "markdown", "caption", "warning", "error", "info", "html", "code")
    told = [str(each.value if kind != "html" else each.proto.body) for kind in kinds for each in app.get(kind)]
    drawn = [json.loads(each.proto.json or "{}") for each in app.get("bidi_component")]
    return "\n".join([*told, *(each["html"] for each in drawn if "html" in each)])


def picture(app: AppTest, key: str) -> str:
    """The HTML of a clickable picture."""
    [found] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith(f"-{key}")]
    return str(json.loads(found.json)["html"])
