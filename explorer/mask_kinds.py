"""Masks by name: what there is, and one function that builds any of them from plain values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.masks import Rules, document_numbers
from explorer.types import Bools, InputProblem, Ints, Message, check_range, read_only


@dataclass(frozen=True)
class Kind:
    """A mask to build by name. takes: what `build` reads besides the length and the pads."""

    title: Message
    about: Message
    takes: tuple[str, ...] = ()


KINDS = {
    "full": Kind(
        Message("Full"),
        Message("Every position looks at every position: BERT, and the encoders of BART and T5."),
        ("keys",),
    ),
    "causal": Kind(
        Message("Causal"), Message("A position looks at itself and at what comes before: GPT, and every decoder.")
    ),
    "prefix": Kind(
        Message("Prefix"), Message("The prefix is read both ways, the target causally: prefix LM."), ("prefix",)
    ),
    "padding": Kind(
        Message("Padding"), Message("Nobody looks at padding; its own rows are still computed."), ("keys",)
    ),
    "cross": Kind(
        Message("Cross"),
        Message("Target positions look at the source; only the pads of the source are closed."),
        ("keys",),
    ),
    "block": Kind(
        Message("Block-diagonal"),
        Message("Packed documents, each causal and closed to the others."),
        ("documents",),
    ),
}
"""The masks that `build` knows, by their names on the command line."""

LONGEST = 2048
"""The most positions that `build` takes: the picture and the JSON of a mask grow with the square."""


def build(
    kind: str,
    length: int,
    *,
    prefix: int | None = None,
    keys: int | None = None,
    pad: Sequence[int] | None = None,
    documents: Sequence[int] | None = None,
) -> Rules:
    """A mask from plain values. length Q; prefix 0..Q; keys K, Q unless given; pad (K,) with 1 = real token and
    0 = padding, which every kind takes; documents: the lengths of the packed documents. Raises InputProblem.

    >>> int(build("causal", 5, pad=[0, 0, 1, 1, 1]).mask.sum())
    6
    """
    if kind not in KINDS:
        raise InputProblem("There is no mask {kind}; there are: {names}.", {"kind": kind, "names": ", ".join(KINDS)})
    _refuse_stray(kind, {"prefix": prefix, "keys": keys, "documents": documents})
    k = length if keys is None else keys
    check_range("length", length, 1, LONGEST)
    check_range("keys", k, 1, LONGEST)
    keep = None if pad is None else _check_pad(pad, k)
    if kind == "padding" and keep is None:
        raise _missing(kind, "pad")
    if kind == "prefix":
        if prefix is None:
            raise _missing(kind, "prefix")
        check_range("prefix", prefix, 0, length)
        return Rules(length, k, True, prefix, keep=keep)
    if kind == "block":
        if documents is None:
            raise _missing(kind, "documents")
        return Rules(length, k, True, documents=_check_documents(documents, length), keep=keep)
    return Rules(length, k, kind == "causal", keep=keep, cross=kind == "cross")


def _refuse_stray(kind: str, given: dict[str, object]) -> None:
    for name, value in given.items():
        if value is not None and name not in KINDS[kind].takes:
            raise InputProblem("A {kind} mask takes no {name}; leave it out.", {"kind": kind, "name": name})


def _missing(kind: str, name: str) -> InputProblem:
    return InputProblem("A {kind} mask needs a value for {name}.", {"kind": kind, "name": name})


def _check_pad(pad: Sequence[int], keys: int) -> Bools:
    for value in pad:
        if value not in (0, 1):
            raise InputProblem("pad has the entry {value}, but takes only 1 (real) and 0 (padding).", {"value": value})
    if len(pad) != keys:
        raise InputProblem(
            "pad has {count} entries, but {keys} positions are looked at; give one for each.",
            {"count": len(pad), "keys": keys},
        )
    return read_only(pad, np.bool_)


def _check_documents(lengths: Sequence[int], length: int) -> Ints:
    for value in lengths:
        check_range("documents", value, 1, length)
    if sum(lengths) != length:
        raise InputProblem(
            "The documents have {total} positions together, but the length is {length}; make them equal.",
            {"total": sum(lengths), "length": length},
        )
    return document_numbers(lengths)
