"""Batches: Examples that the objectives build, of about one length, padded on the right under transformers' names.

Examples come in pools. A pool is made from its number and the seed alone, sorted by length, cut into batches and
shuffled; so a training that goes on after a stop reads the very batches that it would have read. Alphabet: B batch,
T source or only sequence, S target.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.example import CLOSED
from explorer.models.tokenizer import load_tokenizer
from explorer.objectives import objective
from explorer.tokens import Tokenizer
from explorer.training.corpus import Split, read_corpus
from explorer.training.draws import Task
from explorer.training.recipes import Part, Recipe
from explorer.types import IGNORE, Example, Ints

POOL = 8
"""Batches of a pool, about."""


@dataclass(frozen=True, eq=False)
class Batch:
    """inputs: arrays under transformers' names, without labels; compared (B,T) or (B,S): the label that each output is
    compared with; next_sentence (B,) or None; tokens: those read by all stacks, without the pads."""

    inputs: Mapping[str, NDArray[Any]]
    compared: Ints
    next_sentence: Ints | None
    tokens: int

    @property
    def targets(self) -> int:
        """How many outputs have loss."""
        return int((self.compared != IGNORE).sum())


@dataclass(frozen=True)
class Row:
    """What a batch keeps of an Example: arrays without a batch axis."""

    inputs: Mapping[str, NDArray[Any]]
    compared: Ints
    next_sentence: int | None

    @property
    def sizes(self) -> tuple[int, int]:
        """Tokens of the first stack, and of the second."""
        second = self.inputs.get("decoder_input_ids")
        return len(self.inputs["input_ids"]), 0 if second is None else len(second)


def row_of(example: Example) -> Row:
    """What a batch keeps of an Example."""
    inputs = {name: array[0] for name, array in example.model_inputs().items()}
    labels = ("labels", *example.extra)
    kept = {name: array for name, array in inputs.items() if name not in labels}
    return Row(kept, example.compared, example.extra.get("next_sentence_label"))


@dataclass(frozen=True)
class Source:
    """Where pools come from; a plain value, so that worker processes can be given it."""

    recipe: Recipe
    corpus: Path
    words: Path
    tokens: int
    seed: int


class Maker:
    """Makes pools. Examples without chance in them (pairs of sentences) are built once and kept."""

    def __init__(self, source: Source, split: Split) -> None:
        self._source, self._split = source, split
        self._tokenizer = load_tokenizer(source.words, source.recipe.name)
        self._kept: dict[Task, Row] = {}

    def pool(self, number: int) -> list[Batch]:
        """The batches of a pool, each from one part of the mixture."""
        rng = np.random.default_rng([self._source.seed, number])
        made = [
            batch
            for part in self._source.recipe.parts
            for batch in self._cut(self._rows(part, rng, part.share * POOL * self._source.tokens))
        ]
        return [made[i] for i in rng.permutation(len(made))]

    def _rows(self, part: Part, rng: np.random.Generator, tokens: float) -> list[Row]:
        rows: list[Row] = []
        while tokens > 0:
            rows.append(self.row(part, rng))
            tokens -= sum(rows[-1].sizes)
        return rows

    def row(self, part: Part, rng: np.random.Generator) -> Row:
        """The next row with at least one target."""
        asked, task = objective(part.objective), part.draw(self._split, rng)
        if task in self._kept:
            return self._kept[task]
        row = row_of(asked.build(task.texts, self._tokenizer, task.settings, rng))
        if not asked.chance and part.objective == "seq2seq":
            self._kept[task] = row
        return row if (row.compared != IGNORE).any() else self.row(part, rng)

    def _cut(self, rows: list[Row]) -> Iterator[Batch]:
        """Rows in order of length, as many a batch as fill it, padding included."""
        group: list[Row] = []
        for row in sorted(rows, key=lambda row: row.sizes):
            longest = [max(sizes) for sizes in zip(row.sizes, *(each.sizes for each in group), strict=True)]
            if group and sum(longest) * (len(group) + 1) > self._source.tokens:
                yield collate(group, self._tokenizer)
                group = []
            group.append(row)
        if group:
            yield collate(group, self._tokenizer)


def feed(source: Source, start: int, workers: int) -> Iterator[tuple[int, list[Batch]]]:
    """Pools from number `start` on, without end, with their numbers; made ahead by worker processes, or here."""
    if not workers:
        maker = Maker(source, read_corpus(source.corpus).training)
        while True:
            yield start, maker.pool(start)
            start += 1
    # A fresh interpreter a worker: a copy of one that has run torch's threads may hang.
    with ProcessPoolExecutor(workers, get_context("spawn"), initializer=_begin, initargs=(source,)) as pool:
        ahead: deque[Future[list[Batch]]] = deque()
        try:
            while True:
                while len(ahead) <= workers:
                    ahead.append(pool.submit(_work, start + len(ahead)))
                yield start, ahead.popleft().result()
                start += 1
        finally:
            pool.shutdown(wait=False, cancel_futures=True)


_maker: list[Maker] = []
"""A worker's own."""


def _begin(source: Source) -> None:
    _maker[:] = [Maker(source, read_corpus(source.corpus).training)]


def _work(number: int) -> list[Batch]:
    return _maker[0].pool(number)


def collate(rows: Sequence[Row], tokenizer: Tokenizer) -> Batch:
    """One batch of rows that have the same inputs."""
    special = tokenizer.special
    pad = special.eos if special.pad is None else special.pad
    fill = {"input_ids": pad, "decoder_input_ids": pad}
    inputs = {name: _filled([row.inputs[name] for row in rows], fill.get(name, 0)) for name in rows[0].inputs}
    follows = [row.next_sentence for row in rows if row.next_sentence is not None]
    return Batch(
        inputs,
        _padded([row.compared for row in rows], IGNORE),
        np.array(follows, dtype=np.int64) if follows else None,
        sum(sum(row.sizes) for row in rows),
    )


def _filled(arrays: Sequence[NDArray[Any]], value: Any) -> NDArray[Any]:
    """(B, ...) padded; a float mask (1,T,T) is closed to and at the pads, but that they may look at the first token: a
    row without any open cell would have no softmax."""
    if arrays[0].ndim < 3:
        return _padded(arrays, value)
    made = _padded(arrays, CLOSED)
    for mask, array in zip(made, arrays, strict=True):
        mask[:, array.shape[-1] :, 0] = 0.0
    return made


def _padded(arrays: Sequence[NDArray[Any]], value: Any) -> NDArray[Any]:
    """(B, ...) each array filled up at the end of its axes."""
    shape = tuple(map(max, zip(*(array.shape for array in arrays), strict=True)))
    made = np.full((len(arrays), *shape), value, dtype=arrays[0].dtype)
    for row, array in zip(made, arrays, strict=True):
        row[tuple(slice(size) for size in array.shape)] = array
    return made
