"""What a stack reads and may look at: roles, encodings, streams, masks. numpy only; arrays are read-only.

Alphabet: T source or only sequence, S target sequence.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from explorer.messages import Message

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class Role(enum.Enum):
    """What a token is in an example; one legend and one colour table for the whole app."""

    KEPT = "kept"
    MASKED = "masked"
    RANDOM = "random"
    UNCHANGED = "unchanged"
    SENTINEL = "sentinel"
    INSERTED = "inserted"
    MOVED = "moved"
    PROMPT = "prompt"
    RESPONSE = "response"
    SPECIAL = "special"
    PAD = "pad"


def read_only(values: ArrayLike, dtype: Any) -> NDArray[Any]:
    """A read-only copy of `values` with the given dtype; an array that is one already is passed on as it is."""
    if isinstance(values, np.ndarray) and values.dtype == dtype and values.flags.owndata and not values.flags.writeable:
        return values
    array = np.array(values, dtype=dtype)
    array.flags.writeable = False
    return array


def freeze(value: object, **dtypes: Any) -> None:
    for name, dtype in dtypes.items():
        current = getattr(value, name)
        if current is not None:
            object.__setattr__(value, name, read_only(current, dtype))


@dataclass(frozen=True, eq=False)
class Encoding:
    """A text as a tokenizer sees it.

    ids (T,); pieces: the vocabulary's own strings; visible: readable pieces; spans (T,2) character start and
    end in the text each token came from, or None; words (T,) word number, -1 for none; special (T,) bool;
    typed (T,) bool, specials that the user's own text spelled out; sequences (T,) 0 text, 1 pair, -1 template.
    """

    ids: Ints
    pieces: tuple[str, ...]
    visible: tuple[str, ...]
    spans: Ints | None
    words: Ints
    special: Bools
    typed: Bools
    sequences: Ints
    text: str = ""
    pair: str | None = None
    notes: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, ids=np.int64, words=np.int64, special=bool, typed=bool, sequences=np.int64)
        if self.spans is not None:
            object.__setattr__(self, "spans", read_only(np.reshape(self.spans, (-1, 2)), np.int64))

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Stream:
    """What one stack reads, all (T,): ids, pieces, visible pieces, roles, attention_mask (1 = real),
    token_types or None, position_ids, documents (number of the packed document) or None."""

    ids: Ints
    pieces: tuple[str, ...]
    visible: tuple[str, ...]
    roles: tuple[Role, ...]
    attention_mask: Ints
    position_ids: Ints
    token_types: Ints | None = None
    documents: Ints | None = None

    def __post_init__(self) -> None:
        names = ("ids", "attention_mask", "position_ids", "token_types", "documents")
        freeze(self, **dict.fromkeys(names, np.int64))
        for item in fields(self):
            value = getattr(self, item.name)
            if value is not None and len(value) != len(self.ids):
                raise ValueError(f"{item.name} has {len(value)} entries for {len(self.ids)} ids")

    def __len__(self) -> int:
        return len(self.ids)


@dataclass(frozen=True, eq=False)
class Masks:
    """encoder (T,T), decoder (S,S), cross (S,T), each bool or None: True = may attend; rows look, columns are
    looked at. nn.Transformer's bool masks say the opposite (True = hidden)."""

    encoder: Bools | None = None
    decoder: Bools | None = None
    cross: Bools | None = None

    def __post_init__(self) -> None:
        freeze(self, encoder=bool, decoder=bool, cross=bool)
