"""Messages -> words of the reader's language. The only place that translates.

A language is a catalogue `locale/xx.po` and a folder `locale/lessons/xx`; English needs no catalogue, its sentences
are the ids. The language stands in the URL (?lang=ko); on a first visit the browser's own is taken.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from string import Formatter

import streamlit as st
from babel import Locale
from babel.messages.pofile import read_po

from explorer.host import rules
from explorer.types import Message
from explorer.views.takeaway_notes import worded

LOCALE = Path(__file__).parents[1] / "locale"


@cache
def languages() -> dict[str, str]:
    """Code -> the language's own name; English first, then every language with lessons."""
    codes = ["en", *sorted(path.name for path in (LOCALE / "lessons").iterdir() if path.name != "en")]
    return {code: (Locale.parse(code).get_language_name(code) or code).capitalize() for code in codes}


@cache
def catalogue(code: str) -> dict[str, str]:
    """English sentence -> sentence in that language; empty for English."""
    path = LOCALE / f"{code}.po"
    if not path.exists():
        return {}
    with path.open("rb") as file:
        entries = read_po(file, locale=code)
    return {str(entry.id): str(entry.string) for entry in entries if entry.id and entry.string}


def browser_language() -> str:
    """The host's language if there is one, else the browser's, as far as we speak it; else English."""
    codes = (rules().language, (st.context.locale or "").split("-")[0].lower())
    return next((code for code in codes if code in languages()), "en")


def language() -> str:
    """The code of the reader's language."""
    chosen = st.session_state.get("lang")
    return chosen if chosen in languages() else browser_language()


def t(message: Message | str, **values: object) -> str:
    """The message in the reader's language, as plain text. A string is an English sentence with {placeholders}."""
    return say_in(language())(message if isinstance(message, Message) else Message(message, values))


@cache
def say_in(code: str) -> Callable[[Message], str]:
    """`t` for one language: for thousands of messages at once, or where no reader is at hand."""
    words = catalogue(code)

    def say(message: Message) -> str:
        told = {name: say(each) if isinstance(each, Message) else each for name, each in message.values.items()}
        return words.get(message.id, message.id).format(**told)

    return say


def own_comments(code: str) -> str:
    """Code with its comments in the reader's language."""
    return worded(code, say_in(language()))


def sentence(message: Message) -> str:
    """The message as Markdown that shows every character as it is: the words escaped, given texts as code."""
    parts = []
    for words, name, form, _ in Formatter().parse(catalogue(language()).get(message.id, message.id)):
        parts.append(literal(words))
        if name is not None:
            value = message.values[name]
            told = t(value) if isinstance(value, Message) else value
            parts.append(_code(value) if isinstance(value, str) else literal(format(told, form or "")))
    return "".join(parts)


def literal(text: str) -> str:
    r"""Plain text as Markdown that means nothing else.

    >>> literal("$5 **b**")
    '\\$5 \\*\\*b\\*\\*'
    """
    return re.sub(r"([\\`*_{}\[\]<>#+|~$&^])", r"\\\1", text)


def lesson(name: str) -> str:
    """The lesson of a page in the reader's language, in English where there is none; Markdown."""
    own, english = (LOCALE / "lessons" / code / f"{name}.md" for code in (language(), "en"))
    return _read(own if own.exists() else english)


@cache
def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _code(text: str) -> str:
    """A code span around any text, on one line: its fence is longer than every run of backticks inside."""
    line = text.replace("\n", "⏎")
    longest = max((len(run) for run in re.findall("`+", line)), default=0)
    fence, air = "`" * (longest + 1), " " if line[0:1] in {"`", " "} or line.endswith("`") else ""
    return f"{fence}{air}{line}{air}{fence}" if line.strip() else literal(repr(text))
