"""The guided tour: from the home page through all its stops and back, also from where one has strayed to."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from explorer.ui.frame import PAGES
from explorer.ui.tour import STATIONS
from tests.browser.test_deep_links import PICTURES

pytestmark = [pytest.mark.browser, pytest.mark.models]


@pytest.mark.parametrize("language", ["en", "ko"])
def test_the_tour_leads_through_all_stops(reader) -> None:
    reader.open("home")
    tour = reader.part("tour")
    expect(tour).to_have_count(0)
    reader.part("tour_box").get_by_role("link").click()
    for at, station in enumerate(STATIONS):
        reader.arrived(station.page)
        expect(tour).to_contain_text(reader.say(station.words))
        expect(reader.tab.locator(PICTURES.get(station.page, ".rows td")).first).to_be_visible()
        text = station.fields.get("text")
        if text is not None:
            expect(reader.field("text")).to_have_value(text)
        expect(tour.get_by_text(reader.say("Back"), exact=True)).to_have_count(min(at, 1))
        if at + 1 < len(STATIONS):
            tour.get_by_text(reader.say("Next"), exact=True).click()
    expect(tour.get_by_text(reader.say("Next"), exact=True)).to_have_count(0)


def test_the_tour_survives_a_stray_step_and_can_be_ended(reader) -> None:
    reader.open(STATIONS[1].page, tour=2)
    tour = reader.part("tour")
    expect(tour).to_contain_text(STATIONS[1].words.id)
    reader.go("loss")
    tour.get_by_text("Back to the stop", exact=True).click()
    reader.arrived(STATIONS[1].page)
    tour.get_by_text("Back", exact=True).click()
    reader.arrived(STATIONS[0].page)
    reader.press("end_tour")
    expect(tour).to_have_count(0)
    reader.go("bert")
    expect(tour).to_have_count(0)


def test_every_stop_is_a_page_of_the_app() -> None:
    assert {station.page for station in STATIONS} <= PAGES.keys()
    assert 6 <= len(STATIONS) <= 8
