"""Text -> Encoding: ids, pieces, readable pieces, character spans, words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from explorer.messages import InputProblem
from explorer.pieces import PieceKind, readable, replace_surrogates, reveal
from explorer.streams import Bools, Encoding, read_only
from explorer.token_notes import note_cut, note_surrogates, notes
from explorer.tokenizer import RawEncoding, SpecialIds, Tokenizer

__all__ = ["PieceKind", "RawEncoding", "SpecialIds", "Tokenizer", "encode", "visible_pieces"]


def encode(
    text: str, tokenizer: Tokenizer, pair: str | None = None, *, add_special: bool = True, max_length: int | None = None
) -> Encoding:
    """Tokenize `text` (and `pair`) into an Encoding; longer than `max_length` is cut, with a note.

    Lone surrogates become U+FFFD, so spans count in the text of the Encoding. Raises InputProblem where `max_length`
    leaves no room for the control tokens.
    """
    given = text + (pair or "")
    text, pair = replace_surrogates(text), None if pair is None else replace_surrogates(pair)
    whole = tokenizer.encode(text, pair, add_special=add_special)
    raw = _cut(whole, max_length)
    typed = _typed(raw, (text, pair or ""), tokenizer)
    encoding = Encoding(
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
    cut = len(whole.ids) - len(raw.ids)
    told = (note_cut(len(whole.ids), cut),) if cut else ()
    return replace(encoding, notes=(*note_surrogates(given), *told, *notes(encoding, tokenizer, cut=cut > 0)))


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
    special, kind = tokenizer.special_ids, tokenizer.kind
    return tuple(
        reveal(tokenizer.piece(id)) if id in special else readable(tokenizer.piece(id), kind) for id in map(int, ids)
    )
