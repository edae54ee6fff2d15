"""Each page in each language: it draws, says nothing went wrong, and keeps what was typed."""

from __future__ import annotations

import pytest

from explorer.ui.frame import PAGES
from explorer.ui.words import languages
from tests.app.conftest import Open


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_draws_in_each_language(open_page: Open, page: str, lang: str):
    app = open_page(page, lang)
    assert not app.exception
    assert not app.error
    assert app.session_state["lang"] == lang


def test_english_and_korean_are_there():
    assert languages() == {"en": "English", "ko": "한국어"}
