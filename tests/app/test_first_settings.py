"""What the generate page begins with suits the model, and gives way to the address and to what somebody has chosen."""

from __future__ import annotations

import pytest

from tests.app.conftest import Open
from tests.app.test_generate import GPT2, press, tiny
from tests.app.test_written_link import shared

T5, BART = "tiny/t5", "tiny/bart"
TOLD = {
    "en": "so Greedy is on at first: always the most probable token. Switch it off to draw.",
    "ko": "처음에는 탐욕적(greedy) 설정이 켜져 있습니다",
}


@tiny
@pytest.mark.parametrize("lang", TOLD)
@pytest.mark.parametrize(("model", "greedy"), [(T5, True), (BART, True), ("tiny/marian", True), (GPT2, False)])
def test_an_encoder_decoder_begins_greedy_and_says_so(open_anywhere: Open, model: str, greedy: bool, lang: str):
    app = open_anywhere("generate", lang, model=model, text="abc")
    assert app.session_state["greedy"] is greedy
    assert "greedy" not in app.query_params
    assert any(TOLD[lang] in each.value for each in app.caption) is greedy
    press(app, "step")
    assert app.session_state["greedy"] is greedy


@tiny
@pytest.mark.parametrize(
    ("model", "asked", "greedy"),
    [
        (T5, {"greedy": "false"}, False),
        (T5, {"temperature": "1.5"}, False),
        (T5, {"min_p": "0.1"}, False),
        (T5, {"temperature": "1.5", "greedy": "true"}, True),
        (T5, {"temperature": "0.8", "seed": "3", "greedy": "true"}, True),
        (T5, {"repetition_penalty": "1.5"}, True),
        (GPT2, {"greedy": "true"}, True),
    ],
)
def test_the_address_wins(open_anywhere: Open, model: str, asked: dict[str, str], greedy: bool):
    app = open_anywhere("generate", model=model, text="abc", **asked)
    assert app.session_state["greedy"] is greedy
    assert app.run().session_state["greedy"] is greedy
    again = open_anywhere("generate", **shared(app))
    assert again.session_state["greedy"] is greedy


@tiny
def test_another_model_begins_as_suits_it(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    for model, greedy in ((T5, True), (GPT2, False), (BART, True)):
        app.selectbox(key="model").set_value(model).run()
        assert app.session_state["greedy"] is greedy


@tiny
@pytest.mark.parametrize(("first", "second", "chosen"), [(GPT2, T5, True), (T5, GPT2, False)])
def test_what_somebody_has_chosen_stays_with_every_model(open_anywhere: Open, first: str, second: str, chosen: bool):
    app = open_anywhere("generate", model=first, text="abc")
    app.toggle(key="greedy").set_value(chosen).run()
    for model in (second, first):
        app.selectbox(key="model").set_value(model).run()
        assert app.session_state["greedy"] is chosen


@tiny
def test_a_filter_that_was_set_goes_along_to_a_model_that_would_begin_greedy(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    app.slider(key="temperature").set_value(1.2).run()
    app.selectbox(key="model").set_value(T5).run()
    assert app.session_state["greedy"] is False
    assert app.session_state["temperature"] == 1.2
