"""What a component draws when the browser makes its first calls in another order than they were meant."""

from __future__ import annotations

import pytest

from explorer.ui.components import script

pytestmark = pytest.mark.browser

LOAD = """
const { default: draw } = await import(URL.createObjectURL(new Blob([script], { type: "text/javascript" })));
const parentElement = document.body;
"""

DRAW = f"""async ([script, calls]) => {{ {LOAD}
  for (const data of calls) draw({{ data, parentElement }});
  return document.querySelector("#picture").innerHTML;
}}"""

PRESS = f"""async ([script, calls]) => {{ {LOAD}
  const told = [];
  const setStateValue = (name, value) => told.push(value);
  const [cleanUp] = calls.map((data) => draw({{ data, parentElement, setStateValue }}));
  cleanUp();
  document.querySelector("button").click();
  return told;
}}"""


@pytest.fixture
def tab(chromium):
    """An empty tab, away from the app."""
    opened = chromium.new_page()
    yield opened
    opened.close()


def test_the_newest_picture_stays_whatever_is_drawn_last(tab) -> None:
    tab.set_content("<div id='picture'></div>")
    calls = [{"html": f"<b>{count}</b>", "keep": False, "at": count} for count in (7, 10, 9)]
    assert tab.evaluate(DRAW, [script("clickable"), calls]) == "<b>10</b>"


def test_presses_are_told_though_the_call_before_is_cleaned_up_late(tab) -> None:
    tab.set_content("<div class='st-key-step'><button>Step</button></div>")
    calls = [{"buttons": ["step"], "seen": 0, "at": at} for at in (1, 2)]
    assert tab.evaluate(PRESS, [script("presses"), calls]) == [{"from": 0, "names": ["step"]}]
