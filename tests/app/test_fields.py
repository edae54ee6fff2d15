"""Fields of the objective pages: what is typed, picked, linked to, and kept from page to page."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.conftest import Open, picture, words

pytestmark = pytest.mark.models
PUBLISHED = "google-bert/bert-base-uncased"
OWN = "my own words $5 and $6 **b** <img src=x onerror=alert(1)>"


def go(app: AppTest, page: str) -> AppTest:
    return app.switch_page(f"pages/{page}.py").run()


def test_the_ready_example_is_on_the_page_first(open_page: Open):
    app = open_page("bert", model=PUBLISHED)
    assert app.text_area(key="text").value.startswith("my dog is hairy")
    assert app.session_state["select"] == "2,3,12"
    rows = picture(app, "rows")
    assert rows.count("[MASK]</b>") == 3
    assert all(f"<i>{id}</i>" in rows for id in (3899, 2003, 1996))
    assert "<b>17</b> positions" in words(app)
    assert "<b>3</b> targets (outputs 2, 3, 12)" in words(app)


def test_typing_changes_rows_and_mask_and_drops_what_was_chosen_by_hand(open_page: Open):
    app = open_page("bert")
    app.text_area(key="text").set_value("the cat saw the dog").run()
    assert not app.error
    assert app.session_state["select"] == ""
    assert "<b>7</b> positions" in words(app)
    assert picture(app, "mask_cell").count('scope="row"') == 7


def test_a_chip_brings_texts_settings_and_seed(open_page: Open):
    app = open_page("bert", model=PUBLISHED)
    app.pills(key="example").set_value(1).run()
    assert app.text_area(key="text_b").value == "he likes to play"
    assert (app.session_state["select"], app.session_state["replace"]) == ("4,9", "mask,keep")
    assert "<b>11</b> positions" in words(app)


def test_the_url_holds_text_and_settings(open_page: Open):
    app = open_page("bert", text="the cat saw the dog", select="2,5", replace="mask,keep", whole_word="true")
    assert not app.error
    assert app.toggle(key="whole_word").value is True
    assert "<b>2</b> targets (outputs 2, 5)" in words(app)


def test_a_choice_stands_in_the_url_by_name_in_every_language(open_page: Open):
    for lang in ("en", "ko"):
        app = open_page("sft", lang, mode="last")
        assert app.session_state["mode"] == "last"
        assert app.session_state["mode_shown"] == "last"
    app.segmented_control(key="mode_shown").set_value("all").run()
    assert app.session_state["mode"] == "all"


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_settings_of_the_url_that_cannot_be_used_are_told(open_page: Open, lang: str):
    app = open_page("bert", lang, rate="7", whole_word="perhaps", seed="-1")
    assert len(app.warning) == 3
    assert "7" in app.warning[0].value
    assert not app.error
    assert 0 <= app.session_state["rate"] <= 1
    assert app.session_state["seed"] == 0


def test_a_language_switch_keeps_everything(open_page: Open):
    app = open_page("bert")
    app.text_area(key="text").set_value(OWN).run()
    app.number_input(key="rate").set_value(0.4).run()
    app.segmented_control(key="lang_shown").set_value("ko").run()
    assert app.session_state["lang"] == "ko"
    assert app.text_area(key="text").value == OWN
    assert app.session_state["rate"] == 0.4


def test_typed_text_follows_the_reader_and_settings_stay_with_their_page(open_page: Open):
    app = open_page("bert")
    app.text_area(key="text").set_value(OWN).run()
    app.number_input(key="rate").set_value(0.4).run()
    go(app, "bart")
    assert app.text_area(key="text").value == OWN
    assert app.session_state["rate"] == 0.3
    go(app, "bert")
    assert app.text_area(key="text").value == OWN
    assert app.session_state["rate"] == 0.4


def test_ready_texts_do_not_follow(open_page: Open):
    app = go(open_page("bert"), "gpt")
    assert app.text_area(key="text").value == "The quick brown fox jumps over the lazy dog"
    assert "<b>8</b> targets" in words(app)


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("text", ["", "   ", "\n"])
def test_an_empty_text_is_told(open_page: Open, lang: str, text: str):
    app = open_page("gpt", lang)
    app.text_area(key="text").set_value(text).run()
    assert not app.exception
    assert len(app.error) == 1
    assert app.text_area(key="text").value == text


def test_a_very_long_text_is_counted_capped_and_kept(open_page: Open):
    app = open_page("bert")
    app.text_area(key="text").set_value("cat " * 25_000).run()
    assert not app.exception
    assert any("100000" in each.value and "20000" in each.value for each in app.warning)
    assert len(app.text_area(key="text").value) == 100_000


def test_half_a_character_is_told(open_page: Open):
    app = open_page("bert", state={"text": "bad \ud83d x"})
    assert not app.exception
    assert app.text_area(key="text").value == "bad \ufffd x"
    assert any("lone surrogate" in each.value for each in app.warning)


def test_an_unknown_model_and_broken_messages_are_told_and_kept(open_page: Open):
    app = open_page("sft", model="nobody/nothing")
    assert "nobody/nothing" in app.error[0].value
    assert app.session_state["model"] == "nobody/nothing"
    assert app.button(key="use_other").label.startswith("Use ")
    app = open_page("sft")
    app.text_area(key="messages").set_value('[{"role": "user"').run()
    assert len(app.error) == 1
    assert app.text_area(key="messages").value == '[{"role": "user"'


def test_markup_in_a_text_is_shown_as_it_is(open_page: Open):
    for page in ("bert", "gpt", "tokens"):
        app = open_page(page)
        app.text_area(key="text").set_value("<img src=x onerror=alert(1)> $5 and $6 **b**").run()
        drawn = words(app) + "".join(picture(app, key) for key in (("rows", "mask_cell") if page != "tokens" else ()))
        assert "<img" not in drawn


def test_both_objectives_of_the_gpt_page(open_page: Open):
    app = open_page("gpt", objective="packed_lm")
    assert app.session_state["block"] == 5
    app.segmented_control(key="objective_shown").set_value("causal_lm").run()
    assert not app.error
    assert "<b>8</b> targets" in words(app)


def test_a_model_without_weights_offers_one_that_has_them(open_page: Open):
    app = open_page("gpt", model="openai-community/gpt2")
    assert any("The weights of" in each.value for each in app.markdown)
