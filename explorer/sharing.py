"""A page as a link, and a lesson plan as a list of links.

What the fields of a page hold stands in its query. Texts that are too long for that are packed into one value, `z`:
JSON, deflate (RFC 1951 in the zlib format), base64 in the alphabet for URLs (RFC 4648, section 5). So is what was
written token by token, as ids.
"""

from __future__ import annotations

import binascii
import json
import zlib
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from urllib.parse import parse_qs, urlencode

from explorer.messages import InputProblem, Message

PLAIN = 1_500
"""Characters of a text that stand in a link as they are."""

LONGEST = 12_000
"""Characters of the query of a link at most: every common server and browser takes them."""

PACKED = "z"
"""The name of the value that holds packed texts."""

UNPACKED = 400_000
"""Characters of unpacked texts at most, so that a short link cannot fill the memory."""

TEXTS = ("text", "text_b", "target", "messages")

IDS = "ids"
"""The name of the ids that were written, with spaces between them."""


@dataclass(frozen=True)
class Link:
    """The query of a link; notes: what would not go into it."""

    query: str
    notes: tuple[Message, ...] = ()


def link(fields: Mapping[str, object]) -> Link:
    """The link to what the fields hold.

    >>> link({"text": "the cat", "rate": 0.15, "whole_word": True}).query
    'text=the+cat&rate=0.15&whole_word=true'
    """
    told = {name: _told(value) for name, value in fields.items() if value is not None}
    query = _query(told)
    notes: list[Message] = []
    if len(query) > LONGEST and told.pop(IDS, None) is not None:
        given = {"length": len(query), "limit": LONGEST}
        notes.append(
            Message(
                "The tokens written are left out of the link: with them it would have {length} characters, and "
                "{limit} are safe.",
                given,
            )
        )
        query = _query(told)
    if len(query) > LONGEST:
        given = {"length": len(query), "limit": LONGEST}
        notes.append(
            Message(
                "The text is left out of the link: with it the link would have {length} characters, and {limit} are "
                "safe.",
                given,
            )
        )
        query = _query({name: value for name, value in told.items() if name not in TEXTS})
    return Link(query, tuple(notes))


def _query(told: Mapping[str, str | list[str]]) -> str:
    """Long texts and ids are packed, all else stands as it is."""
    packed = {name: text for name, text in told.items() if isinstance(text, str) and _is_packed(name, text)}
    plain = {name: value for name, value in told.items() if name not in packed}
    return urlencode({**plain, PACKED: pack(packed)} if packed else plain, doseq=True)


def _is_packed(name: str, text: str) -> bool:
    return name == IDS or (name in TEXTS and len(text) > PLAIN)


def _told(value: object) -> str | list[str]:
    """As a query has it; several values of one field stand one after the other."""
    if isinstance(value, (list, tuple)):
        return [str(each) for each in value]
    return str(value).lower() if isinstance(value, bool) else str(value)


def pack(texts: Mapping[str, str]) -> str:
    """The texts as one value of a query.

    >>> unpack(pack({"text": "고양이 " * 1000}))["text"][:3]
    '고양이'
    """
    data = json.dumps(texts, ensure_ascii=False, separators=(",", ":")).encode()
    return urlsafe_b64encode(zlib.compress(data, 9)).decode("ascii").rstrip("=")


def unpack(code: str) -> dict[str, str]:
    """The texts of a packed value, by field. Raises InputProblem where it was cut or changed on its way."""
    try:
        data = urlsafe_b64decode(code.encode("ascii") + b"=" * (-len(code) % 4))
        inflate = zlib.decompressobj()
        found = json.loads(inflate.decompress(data, 4 * UNPACKED).decode("utf-8"))
        whole = inflate.eof and isinstance(found, dict) and all(isinstance(text, str) for text in found.values())
    except (binascii.Error, zlib.error, UnicodeError, json.JSONDecodeError, RecursionError):
        whole = False
    if not whole:
        raise InputProblem("The text of this link cannot be read: the link was cut off or changed on its way.")
    return {name: text for name, text in found.items() if name in (*TEXTS, IDS)}


@dataclass(frozen=True)
class Stop:
    """One entry of a lesson plan: a title, the page and the query of its link."""

    title: str
    page: str
    query: str

    @property
    def fields(self) -> dict[str, list[str]]:
        """The query as names and values."""
        return parse_qs(self.query, keep_blank_values=True)


def write_plan(stops: Sequence[Stop]) -> str:
    """A lesson plan as the text of a JSON file."""
    return json.dumps({"lesson_plan": [asdict(stop) for stop in stops]}, ensure_ascii=False, indent=2) + "\n"


def read_plan(text: str, pages: Collection[str]) -> tuple[Stop, ...]:
    """The lesson plan of a JSON file. Raises InputProblem, with the number of the entry, where it is none."""
    try:
        entries = json.loads(text)["lesson_plan"]
    except (json.JSONDecodeError, KeyError, TypeError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        raise InputProblem("This file is no lesson plan: it has no list of the name {name}.", {"name": "lesson_plan"})
    return tuple(_stop(number, entry, pages) for number, entry in enumerate(entries, 1))


def _stop(number: int, entry: object, pages: Collection[str]) -> Stop:
    parts = ("title", "page", "query")
    if not isinstance(entry, dict) or not all(isinstance(entry.get(part), str) for part in parts):
        given = {"number": number, "parts": ", ".join(parts)}
        raise InputProblem("Entry {number} of the lesson plan lacks one of: {parts}.", given)
    if entry["page"] not in pages:
        given = {"number": number, "page": entry["page"]}
        raise InputProblem("Entry {number} of the lesson plan is about {page}, and there is no such page.", given)
    return Stop(entry["title"], entry["page"], entry["query"])
