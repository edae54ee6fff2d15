"""A vocabulary's piece -> the same piece for human eyes: nothing invisible, no broken characters.

Byte-level vocabularies (Radford et al. 2019, section 2.2) spell each byte as one printable character; a piece is
turned back into bytes here, and bytes that are no whole character are shown in hex. UTF-8 marks the first byte of
every character, so one piece alone tells which of its characters are whole.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import Literal

PieceKind = Literal["wordpiece", "byte", "metaspace", "plain"]
"""How a vocabulary writes pieces: ##ing, byte-level Ġ, ▁, or as they are."""

CONTINUES = "##"
SPACE_MARK = "▁"

SIGNS = {" ": "·", "\n": "⏎", "\t": "⇥", "\r": "␍", "\0": "␀"}
BLANK = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters, marks and symbols that draw nothing: fillers, variation selectors, the empty Braille cell."""
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Zs", "Zl", "Zp"})
BYTE_PIECE = re.compile(r"<0x([0-9A-F]{2})>")
"""How SentencePiece spells a single byte where it falls back on bytes."""
SURROGATE = re.compile("[\ud800-\udfff]")


@cache
def byte_alphabet() -> dict[str, int]:
    """Character -> byte in byte-level vocabularies: printable Latin-1 stands for itself, the rest follow from U+0100.

    >>> byte_alphabet()["a"], byte_alphabet()["Ġ"]
    (97, 32)
    """
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(0x100) if byte not in printable]
    return {chr(byte): byte for byte in printable} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


def piece_bytes(piece: str, kind: PieceKind) -> bytes | None:
    """The bytes that a piece stands for, or None where the vocabulary holds characters and not bytes.

    >>> piece_bytes("ĠðŁ", "byte").hex(" ")
    '20 f0 9f'
    """
    if kind == "byte":
        alphabet = byte_alphabet()
        return bytes(alphabet[c] for c in piece) if all(c in alphabet for c in piece) else None
    found = BYTE_PIECE.fullmatch(piece) if kind == "metaspace" else None
    return bytes.fromhex(found[1]) if found else None


@lru_cache(maxsize=1 << 16)
def readable(piece: str, kind: PieceKind) -> str:
    """The piece with its bytes as characters where they are whole, else in hex, and every character visible.

    >>> readable("Ġate", "byte"), readable("ĠðŁ", "byte"), readable("▁Hi", "metaspace"), readable("##ing", "wordpiece")
    ('·ate', '·⟨F0 9F⟩', '·Hi', '##ing')
    """
    data = piece_bytes(piece, kind)
    if data is not None:
        return reveal(data.decode("utf-8", "surrogateescape"))
    if kind == "metaspace":
        return reveal(piece.replace(SPACE_MARK, " "))
    if kind == "wordpiece" and piece.startswith(CONTINUES) and piece != CONTINUES:
        return CONTINUES + reveal(piece.removeprefix(CONTINUES))
    return reveal(piece)


def reveal(text: str) -> str:
    r"""The text with a sign for each character that cannot be seen; a mark without its letter sits on a dotted circle.

    Bytes that were no UTF-8 (decoded with "surrogateescape") become hex.

    >>> reveal("a \n\u200b"), reveal("\u0301e")
    ('a·⏎⟨U+200B⟩', '◌́e')
    """
    if text.isascii() and text.isalnum():
        return text
    shown, bare = [], True
    for char in text:
        sign = _sign(char)
        shown.append("◌" + char if sign is None and bare and unicodedata.category(char)[0] == "M" else sign or char)
        bare = sign is not None
    joined = re.sub("[\udc80-\udcff]+", lambda found: _hex(found[0]), "".join(shown))
    return joined or "⟨⟩"


def _sign(char: str) -> str | None:
    """What stands for a character that draws nothing; None where it is seen as it is."""
    if char in SIGNS:
        return SIGNS[char]
    if unicodedata.category(char) in UNSEEN or BLANK.match(char):
        return f"⟨U+{ord(char):04X}⟩"
    return None


def _hex(escaped: str) -> str:
    return f"⟨{escaped.encode('utf-8', 'surrogateescape').hex(' ').upper()}⟩"


def replace_surrogates(text: str) -> str:
    r"""The text with U+FFFD for each lone surrogate: half a character, which no encoding can write.

    >>> replace_surrogates("bad \ud83d x") == "bad \ufffd x"
    True
    """
    return SURROGATE.sub("\ufffd", text)
