"""What a person does in the browser, in verbs: open, go to, write into, press, click. Fields are found by their keys,
which are public; nothing is found by its place, and nothing waits for a time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlencode

from playwright.sync_api import Locator, Page, WebSocket, expect
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from explorer.types import Message
from explorer.ui.frame import PAGES
from explorer.ui.words import catalogue


class Reader:
    """One person with one tab; `language` is what the person reads."""

    def __init__(self, tab: Page, url: str, language: str) -> None:
        self.tab, self.url, self.language = tab, url, language
        self.socket: WebSocket

    def say(self, words: Message | str) -> str:
        """The English sentence in the reader's language."""
        id = words.id if isinstance(words, Message) else words
        return catalogue(self.language).get(id, id)

    def open(self, page: str, **query: object) -> None:
        """Type the page's address."""
        path = "" if page == "home" else page
        self.visit(f"{self.url}/{path}{'?' if query else ''}{urlencode(query)}", page)

    def visit(self, address: str, page: str) -> None:
        """Take a whole address, which leads to that page."""
        with self.tab.expect_websocket() as opened:
            self.tab.goto(address)
        self.socket = opened.value
        self.arrived(page)

    def reload(self) -> None:
        """Load the tab anew."""
        with self.tab.expect_websocket() as opened:
            self.tab.reload()
        self.socket = opened.value

    def go(self, page: str) -> None:
        """Take the link in the sidebar."""
        self.tab.locator(f'[data-testid=stSidebar] a[href="{"" if page == "home" else page}"]').click()
        self.arrived(page)

    def arrived(self, page: str) -> None:
        """Make sure that this page is on the screen."""
        expect(self.tab.locator("h1")).to_have_text(self.say(PAGES[page].title))
        self.settle()

    def settle(self) -> None:
        """Wait until no run of the page's script is going on."""
        self.tab.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")

    @contextmanager
    def run(self) -> Iterator[None]:
        """What is done inside makes the page's script run; afterwards that run is over. A quick run leaves no trace in
        the document, so its end is taken from the server's messages."""
        with self.socket.expect_event("framereceived", _ends_run):
            yield
        self.settle()

    def part(self, key: str) -> Locator:
        """What is on the page under that key."""
        return self.tab.locator(f".st-key-{key}")

    def field(self, key: str) -> Locator:
        """Where one writes into the field `key`."""
        return self.part(key).locator("input, textarea")

    def write(self, key: str, text: str) -> None:
        """Put a text into a field and hand it in."""
        self.field(key).fill(text)
        self.hand_in(key)

    def hand_in(self, key: str) -> None:
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

    def unfold(self, title: str) -> None:
        """Open a folded part."""
        self.tab.get_by_test_id("stExpander").get_by_text(self.say(title), exact=True).click()

    def link(self) -> str:
        """The link that Share gives, as its button copies it."""
        self.part("share").get_by_role("button").click()
        field = self.part("copy_link").locator("input")
        expect(field).to_have_value(re.compile("^http"))
        self.tab.bring_to_front()
        button = self.part("copy_link").get_by_role("button")
        button.click()
        expect(button).to_have_text(self.say("Copied"))
        copied = str(self.tab.evaluate("navigator.clipboard.readText()"))
        expect(field).to_have_value(copied)
        with self.run():
            self.tab.keyboard.press("Escape")
        return copied

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


def _ends_run(frame: bytes | str) -> bool:
    """Whether the server tells that a run is over, and that no other follows at once."""
    if isinstance(frame, str):
        return False
    message = ForwardMsg.FromString(frame)
    return (
        message.WhichOneof("type") == "script_finished"
        and message.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
    )
