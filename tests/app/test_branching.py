"""The generate page: any token taken, texts appended, earlier steps, branches, and a text that writes itself."""

from __future__ import annotations

from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from explorer import generation
from tests.app.conftest import Open, picture, words
from tests.app.test_generate import GPT2, ids, press, writing

pytestmark = pytest.mark.usefixtures("tiny_models")


def click(app: AppTest, *marks: str) -> AppTest:
    """What the pictures report when a part of them is clicked."""
    app.session_state["writing"] = replace(writing(app), clicked=marks)
    app.run()
    assert not app.exception
    assert writing(app).clicked == ()
    return app


def test_tokens_taken_branches_and_the_way_back(open_anywhere: Open):
    app = open_anywhere("generate", state={"take_home": True}, model=GPT2, text="abc", seed="3")
    first = ids(press(app, "step_10"))
    assert ids(click(app, "step:4")) == first[:4]
    assert ids(click(app, "token:75")) == [*first[:4], 75]
    assert writing(app).session.generation.steps[4].by_hand
    assert "taken = {4: 75}" in words(app)
    press(app, "step")
    assert len(writing(app).tree.leaves) == 2
    assert ids(click(app, f"node:{writing(app).tree.leaves[0]}")) == first
    app.session_state["further"] = "Branches"
    app.run()
    assert '<th scope="row">2</th>' in words(app)
    assert any("Two branches compared" in each.value for each in app.header)
    press(app, "undo")
    assert (ids(app), len(writing(app).tree.leaves)) == (first[:-1], 2)
    press(app, "reset")
    assert (ids(app), writing(app).tree.nodes) == ([], ())


def test_a_text_can_be_appended(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    app.text_input(key="append").set_value(" de").run()
    assert writing(app).session.text == " de"
    assert app.text_input(key="append").value == ""
    assert not app.error


def test_a_click_stops_a_text_that_writes_itself(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    app.session_state["writing"] = replace(writing(app), owed=10**9)
    click(app, "token:75")
    assert (ids(app), writing(app).owed) == ([75], 0)


def test_play_goes_on_until_the_end_token_and_stop_ends_it(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="a" * 500, greedy="true")
    session = writing(app).session
    ends = replace(session, facts=replace(session.facts, limit=len(session.handle) + 5))
    app.session_state["writing"] = replace(writing(app), session=ends)
    press(app, "play")
    assert (len(ids(app)), writing(app).owed) == (5, 0)
    assert writing(app).session.generation.stopped is not None


def test_a_full_text_goes_on_without_its_beginning_by_choice(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2)
    app.text_area(key="text").set_value("a" * 511).run()
    press(app, "step")
    assert app.button(key="step").disabled
    press(app, "forget")
    assert any("no longer reads the first" in each.value for each in app.caption)
    assert len(ids(press(app, "step"))) == 2


def test_bytes_that_are_no_character_yet_are_told(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    first, *_ = generation.tokenizer(GPT2).encode("🍕").ids
    click(app, f"token:{first}")
    assert any("not whole yet" in each.value for each in app.caption)


def test_the_whole_text_shaded_and_its_loops(open_anywhere: Open):
    app = click(open_anywhere("generate", model=GPT2, text="x"), "append:" + "abcd" * 4)
    assert any("comes 4 times in a row" in each.value for each in app.markdown)
    app.session_state["shade"] = "rank"
    app.run()
    assert 'class="told hand again"' in words(app)


def test_beam_search_grows_in_its_tab_and_its_best_text_can_be_written(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    app.session_state["further"] = "Beam search"
    app.run()
    app.slider(key="beam_steps").set_value(3).run()
    press(app, "search")
    assert 'class="xp beams"' in words(app)
    assert any("no text may be longer than `3`" in each.value or "longer than 3" in each.value for each in app.markdown)
    press(app, "take_best")
    assert len(ids(app)) == 3


def test_six_ways_side_by_side_leave_the_text_as_it_is(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step")
    before = ids(app)
    app.session_state["further"] = "Strategies"
    app.run()
    assert 'class="xp counted"' in words(app)
    app.slider(key="way_steps").set_value(5).run()
    press(app, "write_ways")
    assert words(app).count("<h3>") == 6
    assert ids(app) == before


def test_what_is_inside_a_step_and_in_its_cache(open_anywhere: Open):
    app = press(open_anywhere("generate", model="tiny/t5", text="abc"), "step")
    app.session_state["further"] = "Inside the step"
    app.run()
    assert not app.exception
    assert picture(app, "looked_across").count('<th scope="col">') == 1 + len("abc") + 1
    assert picture(app, "looked_at").count('<th scope="col">') == 1 + 2
    assert 'class="xp inside scroll heat"' in words(app)
    assert 'class="xp inside scroll words"' in words(app)
    app.session_state["further"] = "KV cache"
    app.run()
    said = [each.value for each in app.markdown]
    assert any("2 layers keep keys and values of 4 heads, 2 positions" in each for each in said)
    assert any("The encoder has run once" in each for each in said)
    assert any("Tokens fed to the model: 1, 1" in each.value for each in app.caption)
    assert any("Without the cache they would be: 1, 2" in each.value for each in app.caption)
    assert not app.button(key="time_cache").disabled
    assert "grow_prefix" not in {each.key for each in app.button}


def test_the_lens_shows_more_positions_by_choice(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="a" * 20)
    app.session_state["further"] = "Inside the step"
    app.run()
    assert picture(app, "lens").count('<th scope="col">') == 1 + 12
    app.session_state["lens_positions"] = "many"
    app.run()
    assert picture(app, "lens").count('<th scope="col">') == 1 + 20


def test_what_one_button_measured_stays_when_another_is_pressed(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abcdef")
    app.session_state["further"] = "KV cache"
    app.run()
    press(app, "grow_prefix", "time_cache")
    assert "layer 0: 0.0 %" in words(app)
    assert "milliseconds of each step" in picture(app, "cache_times")
    press(app, "step")
    assert "layer 0: 0.0 %" not in words(app)


def test_an_encoder_fills_gaps_in_the_order_chosen(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    assert 'class="xp inside scroll words fills"' not in words(app)
    app.session_state["filling"] = True
    app.run()
    app.selectbox(key="gap_model").set_value("tiny/bert-masked-lm").run()
    app.text_input(key="gap_text").set_value("a [MASK] c [MASK]").run()
    assert not app.exception
    assert words(app).count('class="new"') == 2
    app.text_input(key="gap_text").set_value("a b").run()
    assert any("The text has no gap" in each.value for each in app.error)
