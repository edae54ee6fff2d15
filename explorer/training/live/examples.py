"""The Examples of a task: a pool to draw batches from, which goes on being renewed, and those that are kept back."""

from __future__ import annotations

from collections import deque
from functools import cached_property

import numpy as np

from explorer.collation import Batch, Row, collate, row_of
from explorer.learning import Dials
from explorer.objectives import Texts, objective
from explorer.training.draws import Task
from explorer.training.live.mistakes import MISTAKES, with_pads
from explorer.training.live.sources import with_rate
from explorer.training.live.tasks import LiveTask
from explorer.types import IGNORE, Example

POOL, FIRST, FRESH = 1024, 256, 2
"""Examples that are kept, made before the first step, and made at each step."""
HELD_OUT = 48


class Examples:
    """Built by the task's objective, like those on its page. held_out: without any mistake, the same all the time.
    Raises InputProblem where the text is too short to learn from."""

    def __init__(self, task: LiveTask, text: str, seed: int) -> None:
        self.task, self.text, self.source = task, text, task.source(text)
        self.words = self.source.words
        self._objective = objective(task.objective)
        self._rng, self._kept_back = np.random.default_rng([seed, 1]), np.random.default_rng([seed, 2])
        self._pool: deque[Row] = deque(maxlen=POOL)
        self._made_for: tuple[float | None, str] | None = None
        self.held_out = tuple(self._right(self.source.draw(self._kept_back, True)) for _ in range(HELD_OUT))
        self.measured = collate([row_of(example) for example in self.held_out], self.words)

    def batch(self, dials: Dials) -> Batch:
        """The next batch, with the share hidden and the mistake that the dials ask for."""
        asked = dials.hidden, dials.mistake
        if asked != self._made_for:
            self._pool.clear()
            self._made_for = asked
        missing = FRESH if self._pool else FIRST
        self._pool.extend(row_of(self.example(dials)) for _ in range(missing))
        chosen = self._rng.choice(len(self._pool), self.task.rows, replace=False)
        made = collate([self._pool[at] for at in chosen], self.words)
        return with_pads(made, self.pad) if MISTAKES[dials.mistake].pads else made

    def example(self, dials: Dials) -> Example:
        """The next Example with at least one target."""
        while True:
            drawn = with_rate(self.source.draw(self._rng, False), dials.hidden)
            made = self.mistaken(self._build(drawn, self._rng), dials)
            if made.n_targets:
                return made

    def mistaken(self, example: Example, dials: Dials) -> Example:
        """The Example with the mistake of the dials."""
        return MISTAKES[dials.mistake].example(example, self.end)

    @cached_property
    def probe(self) -> Example:
        """The longest Example kept back that can be drawn, or the beginning of one."""
        sizes = [max(row_of(example).sizes) for example in self.held_out]
        fitting = [at for at, size in enumerate(sizes) if size <= self.task.probe]
        if fitting:
            return self.held_out[max(fitting, key=sizes.__getitem__)]
        first = self.held_out[0]
        text = self.words.decode(first.output.ids[: self.task.probe].tolist())
        return self._build(Task(Texts(text), self._objective.Settings()), self._kept_back)

    @property
    def pad(self) -> int:
        """What batches are filled up with."""
        special = self.words.special
        return int(special.eos if special.pad is None else special.pad)  # type: ignore[arg-type]

    @property
    def end(self) -> int:
        """The token that ends a text, -1 where there is none."""
        return -1 if self.words.special.eos is None else self.words.special.eos

    @cached_property
    def entropy(self) -> float:
        """Of the tokens to be predicted, in nats: what a model reaches that knows how often each comes up and nothing
        else."""
        labels = self.measured.compared[self.measured.compared != IGNORE]
        _, counts = np.unique(labels, return_counts=True)
        shares = counts / counts.sum()
        return float(-(shares * np.log(shares)).sum())

    def _right(self, drawn: Task) -> Example:
        return self._build(with_rate(drawn, self.task.hidden), self._kept_back)

    def _build(self, drawn: Task, rng: np.random.Generator) -> Example:
        return self._objective.build(drawn.texts, self.words, drawn.settings, rng)
