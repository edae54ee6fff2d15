"""An uploaded file as text, whatever it is: the first megabytes, a known encoding, words for all that was left out.

UTF-8, UTF-16 and UTF-32 with their byte order marks, and CP949, in which older Korean programs save. What is no text is
refused, and so is an encoding that could only be guessed.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from explorer.messages import InputProblem, Message

LARGEST = 8_000_000
"""Bytes of a file that are read."""

ACCEPTED = 64
"""Megabytes that a browser may send; what is larger than `LARGEST` is read in part, and this is said."""

MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
"""Byte order mark -> encoding. UTF-32 comes first: its mark begins with that of UTF-16."""

CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f]")
HANGUL = re.compile("[\uac00-\ud7a3\u3131-\u318e]")


@dataclass(frozen=True)
class Upload:
    r"""The text of a file with `\n` at the ends of lines; notes: what was left out or taken for something."""

    name: str
    text: str
    notes: tuple[Message, ...] = ()


@dataclass(frozen=True)
class Lines:
    """Lines of a text with their numbers, counted from 1; notes: how many were left out."""

    numbered: tuple[tuple[int, str], ...]
    notes: tuple[Message, ...] = ()


def read_upload(name: str, data: bytes) -> Upload:
    """The file as text. Raises InputProblem where it is empty, no text, or in an encoding that is not known.

    >>> read_upload("a.txt", "한 줄".encode("cp949")).text
    '한 줄'
    """
    if not data.strip():
        raise InputProblem("The file {name} is empty.", {"name": name})
    head = data[:LARGEST]
    cut = len(head) < len(data)
    text, notes = _decoded(name, head, cut=cut)
    if cut:
        # The last line may have lost its end.
        text = text.rpartition("\n")[0] or text
        given = {"name": name, "size": len(data) / 1e6, "limit": LARGEST / 1e6}
        large = Message("The file {name} has {size:.1f} MB; its first {limit:.0f} MB are read.", given)
        notes = (large, *notes)
    return Upload(name, text.replace("\r\n", "\n").replace("\r", "\n"), notes)


def lines_of(text: str, most: int) -> Lines:
    r"""At most `most` lines that are not blank, evenly spread over the text.

    >>> lines_of("a\n\nb\nc\nd", 2).numbered
    ((1, 'a'), (4, 'c'))
    """
    full = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    if len(full) <= most:
        return Lines(tuple(full))
    some = tuple(full[at * len(full) // most] for at in range(most))
    given = {"count": len(full), "most": most}
    return Lines(some, (Message("Of {count} lines {most} are read, evenly spread over the file.", given),))


def _decoded(name: str, data: bytes, *, cut: bool) -> tuple[str, tuple[Message, ...]]:
    """The text, and a note where the encoding was taken for something. cut: the last character may be half."""
    marked = next((encoding for mark, encoding in MARKS.items() if data.startswith(mark)), None)
    if marked is None and b"\0" in data:
        raise _no_text(name)
    text = _as(marked or "utf-8", data, cut=cut)
    notes: tuple[Message, ...] = ()
    if text is None and marked is None:
        text = _korean(data, cut=cut)
        notes = (
            Message("The file {name} is not UTF-8. It was read as CP949; save it as UTF-8 to be sure.", {"name": name}),
        )
    if text is None:
        raise InputProblem(
            "The file {name} cannot be read as {encoding}. Save it as UTF-8 and upload it again.",
            {"name": name, "encoding": (marked or "utf-8").removesuffix("-sig").upper()},
        )
    if len(CONTROL.findall(text)) > len(text) // 100:
        raise _no_text(name)
    return text, notes


def _as(encoding: str, data: bytes, *, cut: bool) -> str | None:
    try:
        return codecs.getincrementaldecoder(encoding)().decode(data, final=not cut)
    except UnicodeDecodeError:
        return None


def _korean(data: bytes, *, cut: bool) -> str | None:
    """As CP949 if nearly all that is not ASCII is then Korean: many other bytes can be read as CP949 too."""
    text = _as("cp949", data, cut=cut)
    others = sum(not sign.isascii() for sign in text or "")
    return text if text is not None and 10 * len(HANGUL.findall(text)) >= 8 * others else None


def _no_text(name: str) -> InputProblem:
    return InputProblem(
        "The file {name} is no text. Upload a plain text file, such as .txt, .csv or .jsonl.", {"name": name}
    )
