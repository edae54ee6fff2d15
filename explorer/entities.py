"""Tags of single words -> names of several words, and how many of them are right.

The scheme is IOB2 (Tjong Kim Sang and De Meulder 2003, section 2.2): B- begins a name, I- goes on with it, O is
outside. A model may say what the scheme forbids; as in their evaluation, an I- with no name of its kind before it
begins one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from explorer.types import Ints


@dataclass(frozen=True)
class Entity:
    """A name: its kind, its first and last word; begun: whether its first tag is a B-, as the scheme wants it."""

    kind: str
    first: int
    last: int
    begun: bool = True


def merged(tags: Sequence[str]) -> tuple[Entity, ...]:
    """The names that the tags of words 0, 1, ... spell; "" is a word without a tag, which no name goes past.

    >>> merged(["B-PER", "I-PER", "O", "I-LOC"])
    (Entity(kind='PER', first=0, last=1, begun=True), Entity(kind='LOC', first=3, last=3, begun=False))
    """
    found: list[Entity] = []
    for word, tag in enumerate(tags):
        prefix, _, kind = tag.partition("-")
        if prefix not in {"B", "I"} or not kind:
            continue
        last = found[-1] if found else None
        if prefix == "I" and last is not None and (last.kind, last.last) == (kind, word - 1):
            found[-1] = Entity(kind, last.first, word, last.begun)
        else:
            found.append(Entity(kind, word, word, prefix == "B"))
    return tuple(found)


def tags_of_words(words: Ints, tags: Sequence[str], count: int) -> tuple[str, ...]:
    """The tag of the first piece of each of `count` words; "" where a word has no piece. words (T,): the word of each
    piece, -1 for none; tags (T,): what is said of each piece.

    >>> import numpy as np
    >>> tags_of_words(np.array([-1, 0, 0, 2, -1]), ["O", "B-PER", "I-PER", "O", "O"], 3)
    ('B-PER', '', 'O')
    """
    found = [""] * count
    for word, tag in reversed(list(zip(words.tolist(), tags, strict=True))):
        if word >= 0:
            found[word] = tag
    return tuple(found)


@dataclass(frozen=True)
class Agreement:
    """How many names are wanted, how many were found, how many of those are right: same kind, first and last word."""

    wanted: int
    found: int
    right: int

    @property
    def f1(self) -> float | None:
        """The harmonic mean of precision and recall; None where there is no name on either side."""
        return 2 * self.right / (self.wanted + self.found) if self.wanted + self.found else None


def agreement(wanted: Sequence[str], said: Sequence[str]) -> Agreement:
    """Compares the names of two rows of tags.

    >>> agreement(["B-PER", "I-PER", "O"], ["B-PER", "O", "O"]).f1
    0.0
    """
    names = [{(each.kind, each.first, each.last) for each in merged(tags)} for tags in (wanted, said)]
    return Agreement(len(names[0]), len(names[1]), len(names[0] & names[1]))
