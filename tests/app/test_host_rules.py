"""What the host forbids is not there, and the page says so."""

from __future__ import annotations

import pytest

from tests.app.conftest import Open, words

pytestmark = pytest.mark.models


@pytest.mark.parametrize(("page", "query"), [("home", {}), ("loss", {})])
def test_without_uploads_no_page_takes_a_file(open_page: Open, monkeypatch, page: str, query: dict[str, str]):
    monkeypatch.setenv("EXPLORER_UPLOADS", "0")
    app = open_page(page, **query)
    assert not app.exception
    assert not app.get("file_uploader")


def test_without_training_start_is_switched_off_and_says_why(open_page: Open, monkeypatch):
    monkeypatch.setenv("EXPLORER_TRAINING", "0")
    app = open_page("train")
    assert app.button(key="start").disabled
    assert "EXPLORER_TRAINING" in words(app)


def test_the_host_makes_texts_shorter(open_page: Open, monkeypatch):
    monkeypatch.setenv("EXPLORER_LONGEST_TEXT", "7")
    app = open_page("gpt", text="the cat sat on the mat")
    assert any("7" in each.value for each in app.warning)
    assert "·mat" not in words(app)
