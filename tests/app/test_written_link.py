"""A link to the generate page brings back what was written: the same tokens, drawn or taken by hand as they were."""

from __future__ import annotations

import json
from dataclasses import replace
from urllib.parse import parse_qs

import pytest

from explorer.sharing import link, pack
from tests.app.conftest import Open, words
from tests.app.test_generate import GPT2, ids, press, tiny, writing


def shared(app) -> dict[str, str]:
    """The query of the link that Share makes, one value a name."""
    visits = app.session_state["visits"]
    fields = {name: app.session_state[name] for name in visits.held["generate"] if name in app.session_state}
    query = link({**dict(app.query_params), **fields, **visits.beside}).query
    return {name: values[0] for name, values in parse_qs(query, keep_blank_values=True).items()}


def click(app, mark: str) -> None:
    app.session_state["writing"] = replace(writing(app), clicked=(mark,))
    app.run()


def how(app) -> list[tuple[int, float | None, bool]]:
    """Each token written: its id, the number that drew it, whether it was taken by hand."""
    return [(step.chosen, step.draw, step.by_hand) for step in writing(app).session.generation.steps]


@tiny
@pytest.mark.parametrize("model", [GPT2, "tiny/bart"])
def test_the_tokens_come_back_as_they_were_written(open_anywhere: Open, model: str):
    app = press(open_anywhere("generate", model=model, text="abc", seed="3", temperature="1.5"), "step", "step")
    rare = int(writing(app).session.logits.argmin())
    click(app, f"token:{rare}")
    press(app, "step")
    again = open_anywhere("generate", **shared(app))
    assert how(again) == how(app)
    assert [by_hand for *_, by_hand in how(again)] == [False, False, True, False]
    assert not writing(again).busy
    assert "z" not in again.query_params


@tiny
def test_tokens_of_other_settings_come_back_as_taken_by_hand(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc", seed="3"), "step", "step")
    app.number_input(key="seed").set_value(4).run()
    press(app, "step")
    again = open_anywhere("generate", **shared(app))
    assert ids(again) == ids(app)
    assert not writing(again).session.generation.steps[-1].by_hand


@tiny
def test_only_the_branch_at_hand_is_in_the_link_and_none_once_all_is_taken_back(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc", seed="3"), "step", "step", "undo")
    again = open_anywhere("generate", **shared(app))
    assert ids(again) == ids(app)
    assert len(writing(again).tree.nodes) == 1
    assert "z" not in shared(press(app, "reset"))


@tiny
def test_a_link_to_the_text_that_is_there_loses_no_branch(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="abc", seed="3"), "step", "step")
    before, query = ids(app), shared(app)
    press(app, "undo")
    click(app, f"token:{int(writing(app).session.logits.argmin())}")
    assert ids(app) != before
    app.query_params["z"] = query["z"]
    app.run()
    assert ids(app) == before
    assert len(writing(app).tree.leaves) == 2


@tiny
def test_a_text_that_went_on_without_its_beginning_does_so_again(open_anywhere: Open):
    app = press(open_anywhere("generate", model=GPT2, text="a" * 510, seed="3"), "step_10", "forget", "step", "step")
    again = open_anywhere("generate", **shared(app))
    assert how(again) == how(app)
    assert writing(again).session.handle.ids == writing(app).session.handle.ids


def kept(app) -> tuple[str, str]:
    """What the browser keeps for a reload: of which prompt and model, and the ids."""
    [found] = [json.loads(each.proto.json) for each in app.get("bidi_component") if each.proto.id.endswith("-reload")]
    return found["about"], found["ids"]


@tiny
def test_the_browser_is_given_the_ids_of_the_text_for_a_reload(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc", z=pack({"ids": "70 71"}))
    assert kept(app)[1] == "70 71"
    assert kept(press(app, "undo"))[1] == "70"
    assert kept(press(app, "reset"))[1] == ""
    assert kept(open_anywhere("generate", model=GPT2, text="abc")) == kept(app)
    assert kept(open_anywhere("generate", model=GPT2, text="abcd"))[0] != kept(app)[0]


@tiny
@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(("given", "told"), [("5 99999 7", "99999"), ("5 x7", "x7"), ("5 -3", "-3")])
def test_ids_that_the_model_has_not_are_told_and_the_page_goes_on(
    open_anywhere: Open, lang: str, given: str, told: str
):
    app = open_anywhere("generate", lang, model=GPT2, text="abc", z=pack({"ids": given}))
    assert len(app.error) == 1
    assert told in app.error[0].value
    assert not writing(app).busy
    before = len(ids(app))
    assert len(ids(press(app, "step"))) == before + 1


@tiny
def test_the_ids_of_a_link_that_has_been_followed_are_not_followed_again(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2, text="abc", z=pack({"ids": "70 71"}))
    assert ids(app) == [70, 71]
    press(app, "undo")
    app.switch_page("pages/masks.py").run()
    app.switch_page("pages/generate.py").run()
    assert ids(app) == [70]
    assert "taken by hand" in words(app)
