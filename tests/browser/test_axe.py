"""axe-core looks at pages: names, roles, contrast, focus, headings, in both languages and both themes; and in
Korean no English sentence stands there, also in folds that only a browser opens."""

from __future__ import annotations

from itertools import chain

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from explorer.ui.compare_lab import PAIRS
from explorer.ui.frame import PAGES
from tests.browser.test_deep_links import PICTURES
from tests.english import english, parts

pytestmark = [pytest.mark.browser, pytest.mark.models]

GRAVE = {"serious", "critical"}
ORDER = "heading-order"
"""A rule of less weight that holds too: no heading skips a level."""

THEMES = {"light": "rgb(255, 255, 255)", "dark": "rgb(15, 19, 25)"}
"""A theme and the colour of its ground."""

STREAMLITS = {"scrollable-region-focusable": ("<pre class=", 'data-testid="stSidebarContent"')}
"""Rules that Streamlit's own elements break, by what these have: the box of st.code scrolls and takes no focus, but the
keyboard reaches its button that copies all of it; the sidebar scrolls, and its links, which take focus, come late."""

FOLDS = "[data-testid=stMain] [data-testid=stExpander] details:not([open]) > summary"

SAID = """() => [...document.querySelectorAll(":is(p, label, h1, h2, h3, summary, th)")].map((part) => {
  const copy = part.cloneNode(true);
  copy.querySelectorAll("code").forEach((code) => code.replaceWith("·"));
  return copy.textContent;
})"""
"""What sentences, fields and headings say, without code."""


@pytest.mark.parametrize("language", ["en", "ko"])
def test_axe_finds_nothing_serious(reader) -> None:
    """What is light in one language is dark in the other, and all folds are open. The sidebar is the same on all pages
    and looked at on the first."""
    found = {}
    for number, page in enumerate(PAGES):
        theme = [*THEMES][(number + (reader.language == "ko")) % 2]
        reader.tab.emulate_media(color_scheme=theme)
        if page == "home":
            reader.open(page)
        else:
            reader.go(page)
        expect(reader.tab.locator("[data-testid=stApp]")).to_have_css("background-color", THEMES[theme])
        unfold(reader, page)
        found[page] = faults(reader, everything=page == "home")
        if reader.language == "ko":
            found[page] += left_in_english(reader)
    assert {page: told for page, told in found.items() if told} == {}


def unfold(reader, page: str) -> None:
    """Opens all folds and waits until the page stands still."""
    expect(reader.tab.locator(PICTURES.get(page, ".rows td")).first).to_be_visible()
    reader.tab.locator(FOLDS).evaluate_all("folds => folds.forEach((fold) => fold.click())")
    # What is awaited draws the page again, and what a run draws anew is pale for a moment.
    expect(reader.tab.locator(".xp.awaited")).to_have_count(0)
    reader.settle()
    expect(reader.tab.locator("[data-stale=true]")).to_have_count(0)


def left_in_english(reader) -> list[str]:
    """English sentences that the page says. One that is offered as an example is its own name."""
    typed = reader.tab.locator("textarea").evaluate_all("fields => fields.map((field) => field.value)")
    typed = parts([*typed, *chain(*PAIRS)])
    return [words for text in reader.tab.evaluate(SAID) for words in english(text, typed)]


def faults(reader, *, everything: bool) -> list[str]:
    """What axe-core calls serious or critical and Streamlit has not done itself, and headings out of order."""
    context = None if everything else {"include": [["[data-testid=stMain]"]]}
    told = Axe().run(reader.tab, context=context, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:200]} ({node['any'][0]['message'] if node['any'] else rule['help']})"
        for rule in told
        if rule["impact"] in GRAVE or rule["id"] == ORDER
        for node in rule["nodes"]
        if not any(place in node["html"] for place in STREAMLITS.get(rule["id"], ()))
    ]
