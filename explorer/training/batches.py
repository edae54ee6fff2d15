"""Batches: Examples that the objectives build, of about one length, padded on the right under transformers' names.

Examples come in pools. A pool is made from its number and the seed alone, sorted by length, cut into batches and
shuffled; so a training that goes on after a stop reads the very batches that it would have read.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from explorer.collation import Batch, Row, collate, row_of
from explorer.models.tokenizer import load_tokenizer
from explorer.objectives import objective
from explorer.training.corpus import Split, read_corpus
from explorer.training.draws import Task
from explorer.training.recipes import Part, Recipe
from explorer.types import IGNORE

POOL = 8
"""Batches of a pool, about."""


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
        """The batches of a pool, each from one part of the mixture that has joined by then."""
        rng = np.random.default_rng([self._source.seed, number])
        made = [
            batch
            for part in self._source.recipe.parts
            if number >= part.joins
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
