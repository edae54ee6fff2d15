"""Reads GGUF, the one-file format of llama.cpp (ggml/docs/gguf.md), without loading it: metadata and where tensors lie.

The `gguf` package reads every entry of the vocabulary as an array of its own, which takes ten seconds; we take half of
one. Only the numbers inside the tensors are left to that package.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.types import InputProblem

MAGIC = 0x46554747
STRING, ARRAY = 8, 9
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
"""GGUF's number of a type -> the letter that `struct` has for it."""


@dataclass(frozen=True)
class Tensor:
    """One weight: its shape (rows first), GGUF's number of its quantisation, and where its bytes start."""

    shape: tuple[int, ...]
    kind: int
    start: int


@dataclass(frozen=True)
class GgufFile:
    """Metadata by key, tensors by name; the file itself stays closed."""

    path: Path
    metadata: Mapping[str, Any]
    tensors: Mapping[str, Tensor]

    def weight(self, name: str) -> NDArray[np.float32]:
        """The numbers of one tensor, its quantisation undone."""
        from gguf import GGML_QUANT_SIZES, GGMLQuantizationType
        from gguf.quants import dequantize

        tensor = self.tensors[name]
        kind = GGMLQuantizationType(tensor.kind)
        block, size = GGML_QUANT_SIZES[kind]
        n_bytes = prod(tensor.shape) // block * size
        raw = np.fromfile(self.path, np.uint8, n_bytes, offset=tensor.start)
        rows = raw.reshape(*tensor.shape[:-1], n_bytes // prod(tensor.shape[:-1]))
        return np.ascontiguousarray(dequantize(rows, kind), dtype=np.float32).reshape(tensor.shape)


class _Cursor:
    """Reads values one after the other from a buffer."""

    def __init__(self, data: mmap.mmap) -> None:
        self.data, self.at = data, 0

    def number(self, letter: str) -> Any:
        (value,) = struct.unpack_from("<" + letter, self.data, self.at)
        self.at += struct.calcsize("<" + letter)
        return value

    def text(self) -> str:
        length = self.number("Q")
        self.at += length
        return self.data[self.at - length : self.at].decode("utf-8")

    def value(self, kind: int) -> Any:
        if kind == STRING:
            return self.text()
        if kind != ARRAY:
            return self.number(SCALARS[kind])
        inner, count = self.number("I"), self.number("Q")
        return [self.value(inner) for _ in range(count)]


def read_gguf(path: Path) -> GgufFile:
    """The file's metadata and tensors. Raises InputProblem where it is no GGUF file or was cut short."""
    try:
        with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return _read(path, _Cursor(data))
    except (struct.error, KeyError, ValueError, IndexError) as problem:
        raise InputProblem("The file {file} is damaged or no GGUF file.", {"file": path.name}) from problem


def _read(path: Path, cursor: _Cursor) -> GgufFile:
    magic, version = cursor.number("I"), cursor.number("I")
    if magic != MAGIC or version not in {2, 3}:
        raise ValueError(f"magic {magic:#x}, version {version}")
    n_tensors, n_entries = cursor.number("Q"), cursor.number("Q")
    metadata = {cursor.text(): cursor.value(cursor.number("I")) for _ in range(n_entries)}
    found = {}
    for _ in range(n_tensors):
        name = cursor.text()
        sizes = [cursor.number("Q") for _ in range(cursor.number("I"))]
        found[name] = (tuple(reversed(sizes)), cursor.number("I"), cursor.number("Q"))
    step = metadata.get("general.alignment", 32)
    data = -(-cursor.at // step) * step
    return GgufFile(
        path, metadata, {name: Tensor(shape, kind, data + offset) for name, (shape, kind, offset) in found.items()}
    )
