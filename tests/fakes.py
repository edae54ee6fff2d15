"""A tokenizer small enough to check ids by eye: a=11 b=12 ... z=36 at the start of a word, a=41 ... z=66 inside it.

`dog` is d ##o ##g = 14 55 47; a text of single letters has one token a letter. Anything else is [UNK].
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from explorer.tokens import PieceKind, RawEncoding, SpecialIds
from explorer.types import InputProblem

SPECIALS = ("[PAD]", "[CLS]", "[SEP]", "[MASK]", "</s>", "<s>", "[UNK]")
SENTINELS = tuple(f"<extra_id_{k}>" for k in range(20))
LETTERS = "abcdefghijklmnopqrstuvwxyz"
VOCABULARY = {
    **{piece: number for number, piece in enumerate(SPECIALS)},
    **{letter: 11 + number for number, letter in enumerate(LETTERS)},
    **{f"##{letter}": 41 + number for number, letter in enumerate(LETTERS)},
    **{piece: 99 - number for number, piece in enumerate(SENTINELS)},
}
PIECES = {number: piece for piece, number in VOCABULARY.items()}
CONTROL = re.compile("|".join(map(re.escape, SPECIALS + SENTINELS)))


@dataclass(frozen=True)
class LetterTokenizer:
    """Implements the Tokenizer protocol. template: True puts [CLS] a [SEP] b [SEP] around the texts."""

    template: bool = False
    name: str = "letters"
    kind: PieceKind = "wordpiece"
    longest_word: int | None = None
    max_length: int | None = None
    token_types: bool = True
    classes: tuple[str, ...] = ()
    chat_template: str | None = None
    special: SpecialIds = field(default=SpecialIds(cls=1, sep=2, mask=3, pad=0, bos=5, eos=4, unk=6, decoder_start=0))
    special_ids: frozenset[int] = frozenset({0, 1, 2, 3, 4, 5, *range(80, 100)})
    size: int = 100

    def encode(self, text: str, pair: str | None = None, *, add_special: bool = True) -> RawEncoding:
        rows = [*self._rows(text, 0), *([] if pair is None else self._rows(pair, 1))]
        if add_special and self.template:
            rows = [self._control(1), *self._rows(text, 0), self._control(2)]
            rows += [] if pair is None else [*self._rows(pair, 1), self._control(2)]
        columns = zip(*rows, strict=True) if rows else ((),) * 6
        return RawEncoding(*(tuple(column) for column in columns))

    def _control(self, id: int) -> tuple[object, ...]:
        return (id, PIECES[id], (0, 0), None, True, None)

    def _rows(self, text: str, sequence: int) -> list[tuple[object, ...]]:
        rows: list[tuple[object, ...]] = []
        word = -1
        for found in re.finditer(rf"({CONTROL.pattern})|\S", text):
            start, end = found.span()
            inside = start > 0 and not text[start - 1].isspace() and bool(rows) and not found[1]
            word += not inside
            piece = found[0] if found[1] else ("##" if inside else "") + found[0]
            id = VOCABULARY.get(piece, 6)
            rows.append((id, PIECES[id], (start, end), word, False, sequence))
        return rows

    def piece(self, id: int) -> str:
        return PIECES.get(id, f"<unused {id}>")

    def id(self, piece: str) -> int | None:
        return VOCABULARY.get(piece)

    def decode(self, ids: Sequence[int]) -> str:
        return " ".join(self.piece(i) for i in ids).replace(" ##", "")

    def normalize(self, text: str) -> str:
        return text

    def render_chat(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None, generation_prompt: bool = False
    ) -> str:
        raise InputProblem("{model} has no chat template.", {"model": self.name})

    def chat_spans(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        return ()
