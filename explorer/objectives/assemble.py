"""From an Encoding to the streams and labels of an Example: the few steps that all objectives share.

A `Row` is a run of tokens with their roles. Objectives cut, join and repaint rows; the last step makes a Stream.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from explorer.objectives.base import require_id
from explorer.token_notes import note_cut, note_surrogates
from explorer.tokens import Tokenizer, encode, visible_pieces
from explorer.types import IGNORE, Bools, Encoding, InputProblem, Ints, Message, Role, Stream, read_only


@dataclass(frozen=True, eq=False)
class Row:
    """A run of T tokens: ids (T,), pieces, visible pieces and roles. Cut it with [start:end], join with +.

    >>> cat = Row(read_only([7, 8], np.int64), ("a", "cat"), ("a", "cat"), (Role.KEPT,) * 2)
    >>> (cat[1:] + cat).visible
    ('cat', 'a', 'cat')
    >>> cat.paint([False, True], Role.MASKED).roles[1]
    <Role.MASKED: 'masked'>
    """

    ids: Ints
    pieces: tuple[str, ...]
    visible: tuple[str, ...]
    roles: tuple[Role, ...]

    def __len__(self) -> int:
        return len(self.ids)

    def __getitem__(self, part: slice) -> Row:
        return Row(self.ids[part], self.pieces[part], self.visible[part], self.roles[part])

    def __add__(self, other: Row) -> Row:
        return join([self, other])

    def take(self, order: Sequence[int] | Ints) -> Row:
        """The tokens at these positions, in this order."""
        at = [int(i) for i in order]
        return Row(
            read_only(self.ids[at], np.int64),
            tuple(self.pieces[i] for i in at),
            tuple(self.visible[i] for i in at),
            tuple(self.roles[i] for i in at),
        )

    def put(self, at: Sequence[int] | Ints, tokens: Row) -> Row:
        """The row with the tokens at positions `at` replaced, one for one, by `tokens`."""
        order = np.arange(len(self))
        order[list(at)] = len(self) + np.arange(len(tokens))
        return (self + tokens).take(order)

    def paint(self, where: ArrayLike, role: Role) -> Row:
        """The row with this role wherever the (T,) bools `where` are True."""
        chosen = np.asarray(where, dtype=bool)
        return replace(self, roles=tuple(role if c else r for c, r in zip(chosen, self.roles, strict=True)))

    def pad(self, length: int, tokenizer: Tokenizer) -> Row:
        """The row filled up on the right to `length`; a longer row stays as it is. Raises InputProblem where the
        model takes no such length. gpt2 and its like have no padding token and are padded with eos."""
        limit = tokenizer.max_length
        if limit is not None and length > limit:
            raise InputProblem(
                "pad_to is {value}, but {model} takes at most {limit} tokens.",
                {"value": length, "model": tokenizer.name, "limit": limit},
            )
        if length <= len(self):
            return self
        special = tokenizer.special
        pad = require_id(tokenizer, special.eos if special.pad is None else special.pad, Message("padding token"))
        return self + made([pad] * (length - len(self)), tokenizer, Role.PAD)

    def stream(
        self,
        token_types: Ints | None = None,
        position_ids: Ints | None = None,
        documents: Ints | None = None,
    ) -> Stream:
        """The row as a model reads it: attention 0 at the pads, positions counted from 0 unless given; token
        types that end before the pads go on as 0."""
        real = np.array([role is not Role.PAD for role in self.roles], dtype=bool)
        if token_types is not None:
            token_types = np.pad(token_types, (0, len(self) - len(token_types)))
        positions = np.arange(len(self)) if position_ids is None else position_ids
        return Stream(self.ids, self.pieces, self.visible, self.roles, real, positions, token_types, documents)


def join(rows: Sequence[Row]) -> Row:
    """All rows one after the other."""
    return Row(
        read_only(np.concatenate([each.ids for each in rows]), np.int64),
        tuple(chain.from_iterable(each.pieces for each in rows)),
        tuple(chain.from_iterable(each.visible for each in rows)),
        tuple(chain.from_iterable(each.roles for each in rows)),
    )


def room(tokenizer: Tokenizer, tokens: int) -> int | None:
    """How many tokens a text may have if `tokens` more must fit behind it; None if there is no limit."""
    return None if tokenizer.max_length is None else tokenizer.max_length - tokens


def read(
    text: str,
    tokenizer: Tokenizer,
    pair: str | None = None,
    *,
    add_special: bool = True,
    max_length: int | None = None,
) -> Encoding:
    """The text as tokens, cut (with a note) at `max_length` or what the model takes. Raises InputProblem if blank."""
    require_text(text)
    limits = [limit for limit in (max_length, tokenizer.max_length) if limit is not None]
    return encode(text, tokenizer, pair, add_special=add_special, max_length=min(limits, default=None))


CAUTIONS = frozenset(note.id for note in (note_cut(0, 0), *note_surrogates("\ud800")))
"""The notes of an Encoding that say that the example does not hold the text as it was given."""


def remarks(encoding: Encoding) -> tuple[tuple[Message, ...], tuple[Message, ...]]:
    """(warnings, notes) for the Example: what was cut off or replaced is a warning, how the text was read is a note."""
    warnings = tuple(note for note in encoding.notes if note.id in CAUTIONS)
    return warnings, tuple(note for note in encoding.notes if note.id not in CAUTIONS)


def characters(encoding: Encoding, sequence: int = 0) -> tuple[Ints, Ints]:
    """(T,) and (T,): the first character of the text (0) or pair (1) that each token comes from, and the one after its
    last; -1 for what comes from elsewhere. Raises InputProblem where the tokenizer does not tell."""
    if encoding.spans is None:
        raise InputProblem(
            "This tokenizer does not tell which characters a token comes from, so a part of a text cannot be found."
        )
    spans = np.where((encoding.sequences == sequence)[:, None], encoding.spans, -1)
    return spans[:, 0], spans[:, 1]


def token_types(encoding: Encoding) -> Ints:
    """(T,): 0 for [CLS] A [SEP], 1 for B [SEP]; a template token belongs to the text before it."""
    return np.maximum.accumulate(np.maximum(encoding.sequences, 0))


def require_text(text: str) -> None:
    """Raises InputProblem if the text is blank."""
    if not text.strip():
        raise InputProblem("There is no text. Type a sentence to see what the model is fed.")


def documents(text: str) -> list[str]:
    r"""The parts of a text that blank lines separate, without the empty ones.

    >>> documents("one\nline\n \n\ntwo")
    ['one\nline', 'two']
    """
    return [part.strip() for part in re.split(r"\n\s*\n", text) if part.strip()]


def row(encoding: Encoding, role: Role = Role.KEPT) -> Row:
    """The encoding as a row: specials are SPECIAL, all else has `role`."""
    roles = tuple(Role.SPECIAL if special else role for special in encoding.special)
    return Row(encoding.ids, encoding.pieces, encoding.visible, roles)


def made(ids: Sequence[int] | Ints, tokenizer: Tokenizer, role: Role) -> Row:
    """A row of tokens that the text did not contain (eos, sentinels, masks, random ids, pads)."""
    numbers = [int(i) for i in ids]
    pieces = tuple(tokenizer.piece(i) for i in numbers)
    return Row(read_only(numbers, np.int64), pieces, visible_pieces(numbers, tokenizer), (role,) * len(numbers))


def label(tokens: Row, where: ArrayLike) -> tuple[Ints, tuple[str, ...]]:
    """Labels and their readable pieces: the row's own tokens where the (T,) bools `where` are True, else IGNORE.

    >>> cat = Row(read_only([7, 8], np.int64), ("a", "cat"), ("a", "cat"), (Role.KEPT,) * 2)
    >>> label(cat, [False, True])
    (array([-100,    8]), ('', 'cat'))
    """
    chosen: Bools = np.asarray(where, dtype=bool)
    shown = tuple(piece if c else "" for piece, c in zip(tokens.visible, chosen, strict=True))
    return read_only(np.where(chosen, tokens.ids, IGNORE), np.int64), shown
