"""Text -> Encoding: ids, pieces, readable pieces, character spans, words; what a tokenizer is for this app.

Only a Protocol here, so that everything below `models` runs without transformers or torch.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from explorer.messages import InputProblem
from explorer.pieces import PieceKind, readable, replace_surrogates, reveal
from explorer.streams import Bools, Encoding, read_only

__all__ = ["PieceKind", "RawEncoding", "SpecialIds", "Tokenizer", "encode", "visible_pieces"]


@dataclass(frozen=True)
class RawEncoding:
    """What the tokenizer library returns, as tuples of length T. template: True where the tokenizer's own
    template put a special token; sequences: 0 first text, 1 pair, None template."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]
    template: tuple[bool, ...]
    sequences: tuple[int | None, ...]

    def take(self, at: Sequence[int]) -> RawEncoding:
        """The tokens at these positions."""
        return RawEncoding(
            tuple(self.ids[i] for i in at),
            tuple(self.pieces[i] for i in at),
            tuple(self.spans[i] for i in at),
            tuple(self.words[i] for i in at),
            tuple(self.template[i] for i in at),
            tuple(self.sequences[i] for i in at),
        )


@dataclass(frozen=True)
class SpecialIds:
    """The ids of the special tokens by job, None where the tokenizer has none. decoder_start comes from the
    model's config."""

    cls: int | None = None
    sep: int | None = None
    mask: int | None = None
    pad: int | None = None
    bos: int | None = None
    eos: int | None = None
    unk: int | None = None
    decoder_start: int | None = None


class Tokenizer(Protocol):
    """What the app asks of a tokenizer. All calls are pure and safe from many threads at once."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> PieceKind: ...
    @property
    def special(self) -> SpecialIds: ...
    @property
    def special_ids(self) -> frozenset[int]:
        """Every control token's id, sentinels included."""
        ...

    @property
    def size(self) -> int:
        """Number of ids that have a name."""
        ...

    @property
    def max_length(self) -> int | None:
        """The longest sequence the model takes, None if unlimited or unknown."""
        ...

    @property
    def token_types(self) -> bool:
        """Whether the model reads token types (BERT does; DistilBERT and BART do not)."""
        ...

    @property
    def chat_template(self) -> str | None: ...

    def encode(self, text: str, pair: str | None = None, *, add_special: bool = True) -> RawEncoding: ...
    def piece(self, id: int) -> str:
        """The vocabulary's string; `<unused N>` for an id without a name."""
        ...

    def id(self, piece: str) -> int | None: ...
    def decode(self, ids: Sequence[int]) -> str: ...
    def normalize(self, text: str) -> str:
        """The text after the tokenizer's normaliser (lower case, accents ...), before splitting."""
        ...

    def render_chat(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None, generation_prompt: bool = False
    ) -> str:
        """The chat template's text. Raises InputProblem with the template's own words when it refuses."""
        ...

    def chat_spans(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        """Character spans of the rendered text inside {% generation %} blocks; empty where there are none."""
        ...


def encode(
    text: str, tokenizer: Tokenizer, pair: str | None = None, *, add_special: bool = True, max_length: int | None = None
) -> Encoding:
    """Tokenize `text` (and `pair`) into an Encoding; longer than `max_length` is cut, with a note.

    Lone surrogates become U+FFFD, so spans count in the text of the Encoding. Raises InputProblem where `max_length`
    leaves no room for the control tokens.
    """
    text, pair = replace_surrogates(text), None if pair is None else replace_surrogates(pair)
    raw = tokenizer.encode(text, pair, add_special=add_special)
    raw = _cut(raw, max_length)
    typed = _typed(raw, (text, pair or ""), tokenizer)
    return Encoding(
        ids=np.array(raw.ids, dtype=np.int64),
        pieces=raw.pieces,
        visible=visible_pieces(raw.ids, tokenizer),
        spans=np.array(raw.spans, dtype=np.int64).reshape(-1, 2),
        words=np.array([-1 if word is None else word for word in raw.words], dtype=np.int64),
        special=np.array(raw.template, dtype=bool) | typed,
        typed=typed,
        sequences=np.array([-1 if number is None else number for number in raw.sequences], dtype=np.int64),
        text=text,
        pair=pair,
    )


def _typed(raw: RawEncoding, texts: tuple[str, str], tokenizer: Tokenizer) -> Bools:
    """(T,): control tokens that the text spells out. The unknown token is one only where its very name is written."""
    unk = tokenizer.special.unk
    return read_only(
        [
            sequence is not None
            and (id in tokenizer.special_ids or (id == unk and texts[sequence][slice(*span)] == piece))
            for id, piece, span, sequence in zip(raw.ids, raw.pieces, raw.spans, raw.sequences, strict=True)
        ],
        np.bool_,
    )


def _cut(raw: RawEncoding, limit: int | None) -> RawEncoding:
    """The first tokens of each text, as many as fit beside the template's; the longer text is cut first."""
    if limit is None or len(raw.ids) <= limit:
        return raw
    room = limit - sum(raw.template)
    if room < 0:
        raise InputProblem(
            "max_length is {value}, but the control tokens alone take {n}.", {"value": limit, "n": sum(raw.template)}
        )
    keep = _share((raw.sequences.count(0), raw.sequences.count(1)), room)
    kept, seen = [], [0, 0]
    for position, sequence in enumerate(raw.sequences):
        if sequence is not None:
            seen[sequence] += 1
        if sequence is None or seen[sequence] <= keep[sequence]:
            kept.append(position)
    return raw.take(kept)


def _share(lengths: tuple[int, int], room: int) -> tuple[int, int]:
    """How many tokens of each text stay: the longer one is cut until both are equal, then both.

    >>> _share((3, 9), 10), _share((3, 9), 5), _share((9, 3), 5)
    ((3, 7), (2, 3), (3, 2))
    """
    short = min(*lengths, room // 2)
    long = min(max(lengths), room - short)
    return (short, long) if lengths[0] <= lengths[1] else (long, short)


def visible_pieces(ids: Sequence[int], tokenizer: Tokenizer) -> tuple[str, ...]:
    """A readable piece for each id, without its text: bytes as characters where whole, else hex; marks for
    space (·), newline (⏎), tab (⇥), carriage return (␍)."""
    return tuple(
        reveal(tokenizer.piece(id)) if id in tokenizer.special_ids else readable(tokenizer.piece(id), tokenizer.kind)
        for id in map(int, ids)
    )
