"""The compare page: all families on one sentence, or one objective twice."""

from __future__ import annotations

import re

import pytest

from explorer.comparison import WAYS
from explorer.objectives import objectives
from explorer.ui.frame import PAGES
from tests.app.conftest import Open, words

pytestmark = pytest.mark.models


def marks(app) -> list[list[str]]:
    """The marked positions of A and of B."""
    drawn = [each.proto.body for each in app.get("html") if 'class="rows"' in each.proto.body]
    return [re.findall("<mark>≠ (.*?)</mark>", html) for html in drawn]


def test_every_family_takes_the_sentence(open_page: Open):
    app = open_page("compare", text="The cat sat.", target="Die Katze saß.")
    told = words(app)
    for way in WAYS:
        assert f'<th scope="row">{PAGES[way.page].title}</th>' in told
    assert told.count('class="share"') == len(WAYS)
    assert not app.error


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_without_a_translation_only_the_transformer_has_nothing_to_show(open_page: Open, lang: str):
    app = open_page("compare", lang, text="The cat sat.", target="")
    app.text_area(key="target").set_value("").run()
    told = words(app)
    assert told.count('class="none"') == 1
    assert told.count('class="share"') == len(WAYS) - 1


def test_an_empty_text_is_told_in_every_row(open_page: Open):
    app = open_page("compare")
    app.text_area(key="text").set_value("").run()
    assert words(app).count('class="none"') == len(WAYS)
    assert not app.exception


def test_two_seeds_differ_where_other_tokens_are_masked(open_page: Open):
    app = open_page("compare", view="pair", text="the cat sat on the mat", select="2", select_b="3")
    assert marks(app) == [["2", "3"], ["2", "3"]]
    app.text_input(key="select_b").set_value("2").run()
    assert marks(app) == [[], []]
    assert "A and B are the same in every column." in words(app)


def test_another_model_for_b_cuts_other_tokens(open_page: Open):
    models = {"model": "HuggingFaceTB/SmolLM2-135M-Instruct", "model_b": "openai-community/gpt2"}
    app = open_page("compare", view="pair", objective="causal_lm", text="1234", **models)
    # Each digit by itself, against "12" and "34".
    assert marks(app) == [["0", "1", "2", "3"], ["0", "1"]]


@pytest.mark.parametrize("key", sorted(objectives()))
def test_each_objective_can_be_held_against_itself(open_page: Open, key: str):
    app = open_page("compare", view="pair", objective=key)
    assert not app.exception
    assert not app.error
    assert len(marks(app)) == 2


def test_the_fields_of_b_are_as_one_left_them(open_page: Open):
    app = open_page("compare", view="pair")
    app.number_input(key="rate_b").set_value(0.5).run()
    app.switch_page("pages/masks.py").run()
    app.switch_page("pages/compare.py").run()
    assert app.number_input(key="rate_b").value == 0.5
