"""Rebuilding an original from its damaged form, written as plain search, apart from the code that did the damage."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations

from explorer.types import Example, Role, Stream

MOST_SENTENCES = 5
Ids = Sequence[int]


def fits(damaged: Stream, kind: str, start: Ids, sentences: Sequence[Ids], end: Ids) -> bool:
    """Whether `damaged` is the original after damage of this kind. The original is start, sentences and end, of which
    only the sentences may be permuted or turned; of very many sentences, only the tokens are counted."""
    if kind == "document_rotation":
        text = flat(sentences)
        return any(damaged.ids.tolist() == [*start, *text[k:], *text[:k], *end] for k in range(len(text) + 1))
    if kind not in ("sentence_permutation", "final"):
        return _matches(damaged, [*start, *flat(sentences), *end], kind)
    if len(sentences) > MOST_SENTENCES:
        kept = [id for id, role in zip(damaged.ids.tolist(), damaged.roles, strict=True) if role not in HIDING]
        return not Counter(kept) - Counter([*start, *flat(sentences), *end])
    return any(_matches(damaged, [*start, *flat(order), *end], kind) for order in permutations(sentences))


HIDING = (Role.MASKED, Role.INSERTED)


def flat(parts: Iterable[Ids]) -> list[int]:
    return [id for part in parts for id in part]


def _matches(damaged: Stream, original: Ids, kind: str) -> bool:
    """Reads the damaged row from the left and keeps every place of the original where one may then be."""
    places, last = {0}, len(original)
    for id, role in zip(damaged.ids.tolist(), damaged.roles, strict=True):
        if role is Role.INSERTED:
            continue
        if role is Role.MASKED and kind == "token_masking":
            places = {at + 1 for at in places if at < last}
        elif role is Role.MASKED:
            places = set(range(min(places, default=last) + 1, last + 1))
        elif kind == "token_deletion":
            places = {at + 1 for at in range(min(places, default=last), last) if original[at] == id}
        else:
            places = {at + 1 for at in places if at < last and original[at] == id}
    return bool(places) if kind == "token_deletion" else last in places


def filled(example: Example) -> list[int]:
    """The encoder's tokens with each sentinel replaced by what the target lists behind it; a last </s> of the target
    belongs to the target alone."""
    assert example.encoder is not None
    read = example.encoder.ids.tolist()
    marks = {id for id, role in zip(read, example.encoder.roles, strict=True) if role is Role.SENTINEL}
    hidden: dict[int, list[int]] = {}
    listed = None
    for id, piece in zip(example.labels.tolist(), example.label_visible, strict=True):
        if piece.startswith("<extra_id_"):
            listed = hidden.setdefault(id, [])
        elif listed is not None:
            listed.append(id)
    assert len(hidden) == len(marks) + 1
    return flat(hidden[id] if id in marks else [id] for id in read)
