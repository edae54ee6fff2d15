"""What becomes of a text on its way into tokens, in words: what is lost, folded, unknown, read as control, cut."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator

import numpy as np

from explorer.messages import Message
from explorer.pieces import SURROGATE, reveal
from explorer.streams import Encoding
from explorer.tokenizer import Tokenizer

MOST_NAMED = 5
"""So many words or characters are named in one note."""
LONGEST_NAMED = 24
"""A longer word is shortened to so many characters."""

SYLLABLE = re.compile("[\uac00-\ud7a3]")
FOLDING = re.compile(r"\s\s|[^\S ]")
"""White space that is more than one plain space."""


def notes(encoding: Encoding, tokenizer: Tokenizer, *, cut: bool = False) -> tuple[Message, ...]:
    """All that a person should know about these tokens, what matters most first. cut: the ends are not there."""
    if not np.any(encoding.sequences >= 0):
        return (_empty(encoding.text),)
    found = [*_typed(encoding), *_unknown(encoding, tokenizer)]
    for number, text in enumerate([encoding.text] if encoding.pair is None else [encoding.text, encoding.pair]):
        normal = tokenizer.normalize(text)
        found += _left_out(encoding, number, normal, cut)
        if normal != text:
            found += _folded(text, normal, tokenizer)
    limit = tokenizer.max_length
    if limit is not None and len(encoding) > limit:
        found.append(
            Message(
                "These are {n} tokens, but {model} takes at most {limit} at once.",
                {"n": len(encoding), "model": tokenizer.name, "limit": limit},
            )
        )
    return tuple(note for n, note in enumerate(found) if note not in found[:n])


def note_surrogates(text: str) -> tuple[Message, ...]:
    """The note on lone surrogates in the text as it was given."""
    broken = list(dict.fromkeys(SURROGATE.findall(text)))
    if not broken:
        return ()
    codes = _named(f"U+{ord(char):04X}" for char in broken)
    return (
        Message(
            "Half a character (lone surrogate) has no bytes and was replaced by U+FFFD: {codes}.", {"codes": codes}
        ),
    )


def note_cut(whole: int, cut: int) -> Message:
    """The note on a sequence of `whole` tokens that lost `cut` of them."""
    return Message(
        "The text has {n} tokens, control tokens included. Only {limit} fit, so {cut} were cut off at the end.",
        {"n": whole, "limit": whole - cut, "cut": cut},
    )


def _empty(text: str) -> Message:
    """Why there is no token of the text."""
    if not text:
        return Message("The text is empty.")
    if not text.strip():
        return Message("The text holds only white space, and this tokenizer drops it.")
    return Message("Nothing of the text is left: this tokenizer drops all of its characters.")


def _typed(encoding: Encoding) -> Iterator[Message]:
    for piece in dict.fromkeys(np.array(encoding.pieces, dtype=object)[encoding.typed].tolist()):
        yield Message(
            "The text itself spells the control token {piece}, and the model takes it for one.",
            {"piece": reveal(piece)},
        )


def _unknown(encoding: Encoding, tokenizer: Tokenizer) -> Iterator[Message]:
    """Two reasons: the word is longer than the tokenizer looks, or the vocabulary has no pieces for it."""
    unk, limit = tokenizer.special.unk, tokenizer.longest_word
    if unk is None:
        return
    at = np.flatnonzero((encoding.ids == unk) & ~encoding.special)
    words = list(dict.fromkeys(piece_text(encoding, int(t)) for t in at))
    # The limit counts characters after normalisation, which may be more than the text has.
    lengths = {word: len(tokenizer.normalize(word)) for word in words}
    long = [word for word in words if limit is not None and lengths[word] > limit]
    for word in long[:MOST_NAMED]:
        yield Message(
            "A word of {n} characters is longer than the {limit} that this tokenizer looks at, "
            "so the whole word is one {unk}: {word}",
            {"n": lengths[word], "limit": limit, "unk": tokenizer.piece(unk), "word": _short(word)},
        )
    lacking = [word for word in words if word not in long]
    if lacking:
        yield Message(
            "The vocabulary has no pieces for this, so it becomes {unk}: {words}",
            {"unk": tokenizer.piece(unk), "words": _named(lacking)},
        )


def piece_text(encoding: Encoding, position: int) -> str:
    """The part of the text that the token at `position` comes from; "" for the template's tokens."""
    number = int(encoding.sequences[position])
    if number < 0 or encoding.spans is None:
        return ""
    start, end = encoding.spans[position].tolist()
    return (encoding.text if number == 0 else encoding.pair or "")[start:end]


def _left_out(encoding: Encoding, number: int, normal: str, cut: bool) -> Iterator[Message]:
    """Characters without a trace: no token covers them, or they were unseen and normalisation took them out. White
    space and accents have notes of their own."""
    text = encoding.text if number == 0 else encoding.pair or ""
    unseen = {char for char in text if unicodedata.category(char) in {"Cc", "Cf"}}
    gone = unseen.difference(normal) | _uncovered(encoding, number, text, cut)
    lost = [c for c in dict.fromkeys(text) if c in gone and not c.isspace() and unicodedata.category(c) != "Mn"]
    if lost:
        codes = _named(f"U+{ord(char):04X}" for char in lost)
        yield Message("These characters leave no trace in the tokens: {codes}.", {"codes": codes})


def _uncovered(encoding: Encoding, number: int, text: str, cut: bool) -> set[str]:
    """The characters outside all spans; of a text that was cut, only those before its last token."""
    if encoding.spans is None:
        return set()
    spans = encoding.spans[encoding.sequences == number]
    opened = np.zeros(len(text) + 1, dtype=np.int64)
    np.add.at(opened, spans[:, 0], 1)
    np.add.at(opened, spans[:, 1], -1)
    end = int(spans[:, 1].max(initial=0)) if cut else len(text)
    return {text[i] for i in np.flatnonzero(np.cumsum(opened)[:end] == 0)}


def _folded(text: str, after: str, tokenizer: Tokenizer) -> Iterator[Message]:
    """What the normaliser changed, each kind with its first example."""
    if FOLDING.search(text) and not FOLDING.search(after):
        yield Message("White space only separates words here: line breaks, tabs and repeated spaces are not kept.")
    for differs, told in CHANGES:
        if differs(text, after):
            pairs = ((word, tokenizer.normalize(word).strip()) for word in text.split())
            example = next((pair for pair in pairs if differs(*pair)), None)
            if example is not None:
                yield told(*map(_short, example))


Change = tuple[Callable[[str, str], bool], Callable[[str, str], Message]]


def _fewer(count: Callable[[str], int]) -> Callable[[str, str], bool]:
    return lambda before, after: count(before) > count(after)


def _capitals(text: str) -> int:
    return sum(map(str.isupper, text))


def _marks(text: str) -> int:
    """Accents and other marks, written apart or as one with their letter."""
    if text.isascii():
        return 0
    return sum(unicodedata.category(char) == "Mn" for char in unicodedata.normalize("NFD", text))


def _syllables(text: str) -> int:
    return len(SYLLABLE.findall(text))


def _compatible(before: str, after: str) -> bool:
    """Whether forms made for old character sets (full width, ligatures) were replaced by plain letters."""
    if before.isascii() or unicodedata.is_normalized("NFKC", before):
        return False
    return _variants(before) > _variants(after)


def _variants(text: str) -> int:
    return sum(not unicodedata.is_normalized("NFKC", char) for char in unicodedata.normalize("NFC", text))


CHANGES: tuple[Change, ...] = (
    (
        _fewer(_capitals),
        lambda before, after: Message(
            "Capital letters become small ones: {before} is read as {after}", {"before": before, "after": after}
        ),
    ),
    (
        _fewer(_marks),
        lambda before, after: Message(
            "Accents are taken off: {before} is read as {after}", {"before": before, "after": after}
        ),
    ),
    (
        _fewer(_syllables),
        lambda before, after: Message(
            "Korean syllables are taken apart into their letters: {before} is read as {n} characters.",
            {"before": before, "n": len(after)},
        ),
    ),
    (
        _compatible,
        lambda before, after: Message(
            "Letters in special forms become plain ones: {before} is read as {after}",
            {"before": before, "after": after},
        ),
    ),
)


def _named(parts: Iterable[str]) -> str:
    shown = [_short(part) for part in parts]
    return ", ".join(shown[:MOST_NAMED]) + (" …" if len(shown) > MOST_NAMED else "")


def _short(text: str) -> str:
    """The text with every character visible, shortened."""
    return reveal(text) if len(text) <= LONGEST_NAMED else reveal(text[: LONGEST_NAMED - 1]) + "…"
