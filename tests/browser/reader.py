"""What a person does in the browser, in verbs: open, go to, write into, press, click. Fields are found by their keys,
which are public; nothing is found by its place, and nothing waits for a time."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, expect

from explorer.types import Message
from explorer.ui.frame import PAGES
from explorer.ui.words import catalogue

COUNT_RUNS = """
window.runs = 0;
new MutationObserver((changes) => {
  window.runs += changes.filter((change) => change.target.dataset.testScriptState === "notRunning").length;
}).observe(document, { subtree: true, attributeFilter: ["data-test-script-state"] });
"""
"""Counts the runs of the page's script that have ended, from before the first."""

RUN_SINCE = """
(before) => window.runs > before
  && document.querySelector("[data-testid=stApp]").dataset.testScriptState === "notRunning"
"""


@dataclass(frozen=True)
class Reader:
    """One person with one tab; `language` is what the person reads."""

    tab: Page
    url: str
    language: str

    def say(self, words: Message | str) -> str:
        """The English sentence in the reader's language."""
        id = words.id if isinstance(words, Message) else words
        return catalogue(self.language).get(id, id)

    def open(self, page: str, **query: object) -> None:
        """Type the page's address."""
        path = "" if page == "home" else page
        self.tab.add_init_script(COUNT_RUNS)
        self.tab.goto(f"{self.url}/{path}{'?' if query else ''}{urlencode(query)}")
        self.tab.wait_for_function(RUN_SINCE, arg=0)
        self.arrived(page)

    def go(self, page: str) -> None:
        """Take the link in the sidebar."""
        with self.run():
            self.tab.locator(f'[data-testid=stSidebar] a[href="{"" if page == "home" else page}"]').click()
        self.arrived(page)

    def arrived(self, page: str) -> None:
        """Make sure that this page is on the screen."""
        expect(self.tab.locator("h1")).to_have_text(self.say(PAGES[page].title))

    @contextmanager
    def run(self) -> Iterator[None]:
        """What is done inside makes the page draw itself again; afterwards that is over."""
        before = self.tab.evaluate("window.runs")
        yield
        self.tab.wait_for_function(RUN_SINCE, arg=before)

    def part(self, key: str) -> Locator:
        """What is on the page under that key."""
        return self.tab.locator(f".st-key-{key}")

    def field(self, key: str) -> Locator:
        """Where one writes into the field `key`."""
        return self.part(key).locator("input, textarea")

    def write(self, key: str, text: str) -> None:
        """Put a text into a field and leave it."""
        self.field(key).fill(text)
        self.enter(key)

    def enter(self, key: str) -> None:
        """Tell the app what stands in a field."""
        area = self.field(key).evaluate("field => field.tagName") == "TEXTAREA"
        with self.run():
            self.field(key).press("Control+Enter" if area else "Enter")

    def press(self, key: str) -> None:
        """Press a button."""
        with self.run():
            self.part(key).get_by_role("button").click()

    def switch(self, key: str) -> None:
        """Turn a switch on or off."""
        with self.run():
            self.part(key).locator("label").click()

    def choose(self, key: str, name: str) -> None:
        """Take one of the choices that stand side by side."""
        with self.run():
            self.part(key).get_by_text(name, exact=True).click()

    def unfold(self, title: str) -> Locator:
        """Open a folded part; gives it."""
        box = self.tab.get_by_test_id("stExpander").filter(has_text=self.say(title))
        if box.locator("details").get_attribute("open") is None:
            box.locator("summary").click()
        return box

    def row(self, kind: str) -> Locator:
        """The cells of one of the token rows: input, passed, compared, losses."""
        return self.part("rows").locator(f"tr.{kind} td")

    def token(self, position: int) -> Locator:
        """A token that can be clicked."""
        return self.part("rows").locator(f'[data-click="pos:{position}"]')

    def cell(self, picture: str, row: int, column: int) -> Locator:
        """A cell of a matrix."""
        return self.part(picture).locator(f'[data-click="cell:{row}:{column}"]')

    def told(self) -> Locator:
        """The sentences in coloured boxes: what went wrong, and what to mind."""
        return self.tab.get_by_test_id("stAlert")
