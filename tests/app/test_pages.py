"""Each page in each language: it draws, says nothing went wrong, and keeps what was typed."""

from __future__ import annotations

import subprocess
import sys

import pytest

from explorer.ui.frame import PAGES
from explorer.ui.words import languages
from tests.app.conftest import ROOT, Open


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("page", PAGES)
def test_each_page_draws_in_each_language(open_page: Open, page: str, lang: str):
    app = open_page(page, lang)
    assert not app.exception
    assert not app.error
    assert app.session_state["lang"] == lang


@pytest.mark.parametrize("script", ["app.py", "pages/masks.py"])
def test_home_and_masks_import_neither_torch_nor_transformers(script: str):
    code = (
        "import sys\nfrom streamlit.testing.v1 import AppTest\n"
        f"app = AppTest.from_file({script!r}, default_timeout=300).run()\n"
        "assert not app.exception\n"
        "sys.exit(bool({'torch', 'transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, check=False).returncode == 0


def test_english_and_korean_are_there():
    assert languages() == {"en": "English", "ko": "한국어"}
