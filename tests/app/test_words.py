"""Words on the page: translated, and shown as they are."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from explorer.types import Message
from explorer.ui.words import literal, sentence


def test_a_sentence_shows_given_text_as_code_and_escapes_its_own_words():
    message = Message("There is no {name}, only $5 and *two*: {n}", {"name": "**b** $x$ <i>", "n": 2})
    assert sentence(message) == r"There is no `**b** $x$ <i>`, only \$5 and \*two\*: 2"


@pytest.mark.parametrize(
    ("text", "shown"),
    [("a`b", "``a`b``"), ("`", "`` ` ``"), ("``", "``` `` ```"), ("a\nb", "`a⏎b`"), ("", "''"), ("  ", "'  '")],
)
def test_code_spans_hold_any_text(text: str, shown: str):
    assert sentence(Message("{text}", {"text": text})) == shown


def test_messages_inside_messages_are_words_and_not_code():
    inner = Message("a whole {kind}", {"kind": "number"})
    assert sentence(Message("It must be {what}.", {"what": inner})) == "It must be a whole number."


def test_markdown_draws_the_escaped_text_as_it_is():
    text = "$5 and $6 **b** _x_ <img src=x> [a](b) # ~~s~~ & \\ `c`"
    app = AppTest.from_string(f"import streamlit as st\nst.markdown({literal(text)!r})").run()
    assert app.markdown[0].value.replace("\\\\", "\0").replace("\\", "").replace("\0", "\\") == text
