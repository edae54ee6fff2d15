"""What one token stands for (bytes, code points, its share of a split character), and tokenizers side by side."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.pieces import SPACE_MARK, piece_bytes
from explorer.streams import Encoding
from explorer.token_notes import piece_text
from explorer.tokenizer import Tokenizer
from explorer.tokens import encode


@dataclass(frozen=True)
class Part:
    """A token's share of a character that several tokens make up together: part `number` (from 1) of `of`."""

    number: int
    of: int
    character: str


@dataclass(frozen=True)
class TokenDetail:
    """All that is to be told of the token at `position`.

    text: the part of the user's text that it comes from, "" for the template's tokens; data: the bytes it stands
    for; span: first character and the one after the last; word: number within its text, None for none.
    """

    position: int
    id: int
    piece: str
    visible: str
    text: str
    data: bytes
    span: tuple[int, int] | None
    word: int | None
    parts: tuple[Part, ...]
    unknown: bool

    @property
    def code_points(self) -> tuple[str, ...]:
        """Unicode's names for the characters of `text`: U+0061 ..."""
        return tuple(f"U+{ord(char):04X}" for char in self.text)


def details(encoding: Encoding, tokenizer: Tokenizer) -> tuple[TokenDetail, ...]:
    """One detail a token, in order."""
    parts = _parts(encoding, tokenizer)
    rows = zip(
        encoding.ids.tolist(),
        encoding.pieces,
        encoding.visible,
        encoding.words.tolist(),
        encoding.sequences.tolist(),
        strict=True,
    )
    return tuple(
        TokenDetail(
            t,
            id,
            piece,
            visible,
            text := _text(encoding, t, tokenizer),
            _data(encoding, t, text, tokenizer),
            None if encoding.spans is None or sequence < 0 else (int(encoding.spans[t, 0]), int(encoding.spans[t, 1])),
            None if word < 0 else word,
            tuple(parts[t]),
            id == tokenizer.special.unk and not encoding.special[t],
        )
        for t, (id, piece, visible, word, sequence) in enumerate(rows)
    )


def _text(encoding: Encoding, t: int, tokenizer: Tokenizer) -> str:
    """The token's part of the text. A lone ▁ stands for the space before a word, though its span names a letter."""
    return "" if _lone_space(encoding, t, tokenizer) else piece_text(encoding, t)


def _lone_space(encoding: Encoding, t: int, tokenizer: Tokenizer) -> bool:
    return tokenizer.kind == "metaspace" and encoding.pieces[t] == SPACE_MARK


def _data(encoding: Encoding, t: int, text: str, tokenizer: Tokenizer) -> bytes:
    """The piece's own bytes where the vocabulary holds bytes, else those of the text."""
    own = None if encoding.special[t] else piece_bytes(encoding.pieces[t], tokenizer.kind)
    return text.encode() if own is None else own


def _parts(encoding: Encoding, tokenizer: Tokenizer) -> dict[int, list[Part]]:
    """Position -> its shares of split characters: those that lie in the spans of several tokens."""
    found: dict[int, list[Part]] = defaultdict(list)
    if encoding.spans is None:
        return found
    holders: dict[tuple[int, int], list[int]] = defaultdict(list)
    for t, (sequence, (start, end)) in enumerate(zip(encoding.sequences, encoding.spans, strict=True)):
        if sequence >= 0 and not _lone_space(encoding, t, tokenizer):
            for character in range(start, end):
                holders[int(sequence), character].append(t)
    texts = (encoding.text, encoding.pair or "")
    for (sequence, character), tokens in holders.items():
        if len(tokens) > 1:
            for number, t in enumerate(tokens, 1):
                found[t].append(Part(number, len(tokens), texts[sequence][character]))
    return found


@dataclass(frozen=True)
class TokenCount:
    """One tokenizer's account of a text. tokens: those of the text itself, without the template's `added` ones;
    words: what white space separates; size: bytes in UTF-8."""

    name: str
    tokens: int
    added: int
    unknown: int
    words: int
    characters: int
    size: int
    encoding: Encoding

    @property
    def tokens_per_word(self) -> float | None:
        return self.tokens / self.words if self.words else None

    @property
    def characters_per_token(self) -> float | None:
        return self.characters / self.tokens if self.tokens else None

    @property
    def bytes_per_token(self) -> float | None:
        return self.size / self.tokens if self.tokens else None


def compare(text: str, tokenizers: Sequence[Tokenizer]) -> tuple[TokenCount, ...]:
    """The same text through several tokenizers, in their order."""
    return tuple(_count(encode(text, tokenizer), tokenizer) for tokenizer in tokenizers)


def _count(encoding: Encoding, tokenizer: Tokenizer) -> TokenCount:
    own = encoding.sequences >= 0
    return TokenCount(
        name=tokenizer.name,
        tokens=int(own.sum()),
        added=int((~own).sum()),
        unknown=int(np.sum((encoding.ids == tokenizer.special.unk) & ~encoding.special)),
        words=len(encoding.text.split()),
        characters=len(encoding.text),
        size=len(encoding.text.encode()),
        encoding=encoding,
    )
