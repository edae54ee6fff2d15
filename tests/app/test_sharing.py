"""A link brings a page back in another session, with long texts too; lesson plans."""

from __future__ import annotations

from urllib.parse import parse_qs

import pytest

from explorer.sharing import Stop, link, pack, write_plan
from tests.app.conftest import Open, words

pytestmark = pytest.mark.models

LONG = "The cat sat on the mat. " * 100


def shared(app) -> dict[str, list[str]]:
    """The query of the link that Share makes."""
    from explorer.ui.visits import Visits

    visits: Visits = app.session_state["visits"]
    names = visits.held[visits.place]
    state = {name: app.session_state[name] for name in names if name in app.session_state}
    return parse_qs(link({**dict(app.query_params), **state}).query, keep_blank_values=True)


def rows(app) -> list[str]:
    return [each.proto.body for each in app.get("html") if 'class="rows"' in each.proto.body]


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_long_text_comes_back_from_a_packed_link(open_page: Open, lang: str):
    app = open_page("compare", lang, view="pair", z=pack({"text": LONG}), rate="0.4", seed_b="3")
    assert app.text_area(key="text").value == LONG
    assert app.number_input(key="rate").value == 0.4
    assert not app.warning
    assert "z" not in app.query_params


def test_a_link_of_a_page_gives_the_same_rows_in_another_session(open_page: Open):
    first = open_page("compare", view="pair")
    first.text_area(key="text").set_value(LONG).run()
    first.number_input(key="rate").set_value(0.4).run()
    first.number_input(key="seed_b").set_value(7).run()
    query = shared(first)
    assert "z" in query
    again = open_page("compare", **{name: values[0] for name, values in query.items()})
    assert rows(again) == rows(first)
    assert len(rows(first)) == 2


def test_a_text_of_the_link_wins_over_the_one_that_follows_the_reader(open_page: Open):
    app = open_page("bert")
    app.text_area(key="text").set_value("my own words").run()
    app.query_params["z"] = pack({"text": LONG})
    app.run()
    assert app.text_area(key="text").value == LONG


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_packed_text_that_was_cut_is_told_and_the_page_goes_on(open_page: Open, lang: str):
    app = open_page("bert", lang, z=pack({"text": LONG})[:-5])
    assert len(app.warning) == 1
    assert not app.exception
    assert app.text_area(key="text").value
    app.switch_page("pages/gpt.py").run()
    assert not app.warning


PLAN = (Stop("First", "bert", "text=one&rate=0.5"), Stop("Second", "masks", "length=7"), Stop("Third", "gpt", ""))


def titles(app) -> list[str]:
    return [stop.title for stop in app.session_state["plan"]]


def test_the_stops_of_a_plan_are_moved_and_removed(open_page: Open):
    app = open_page("home", state={"plan": PLAN})
    app.button(key="stop_2_arrow_upward").click().run()
    assert titles(app) == ["First", "Third", "Second"]
    app.button(key="stop_0_close").click().run()
    assert titles(app) == ["Third", "Second"]
    assert app.button(key="stop_0_arrow_upward").disabled
    assert app.button(key="stop_1_arrow_downward").disabled


def test_a_plan_is_opened_from_its_file(open_page: Open):
    app = open_page("home")
    app.file_uploader(key="plan_file").set_value(("plan.json", write_plan(PLAN).encode(), "application/json")).run()
    assert titles(app) == ["First", "Second", "Third"]
    assert not app.error


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_file_that_is_no_plan_leaves_the_plan_as_it_is(open_page: Open, lang: str):
    app = open_page("home", lang, state={"plan": PLAN})
    app.file_uploader(key="plan_file").set_value(("x.json", b"\x00\x01 nothing", "application/json")).run()
    assert len(app.error) == 1
    assert titles(app) == ["First", "Second", "Third"]
    assert "x.json" in words(app)
