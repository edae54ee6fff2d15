"""A class at once: thirty visitors who type, then thirty who write token by token on one model.

Needs EXPLORER_MODELS with google-bert/bert-base-uncased and the weights of SmolLM2 (requirements-models.txt); for the
figure with losses also a BERT with its head. Where more is better the ratio is turned over, so that every bound is "at
most". A shorter run: --visitors 8 --edits 80 --steps 4.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

import numpy as np
import pandas as pd
from figure import Figure, NotMeasured, report
from process import child, memory
from server import ROOT, serving, serving_empty
from tables import MODEL, TABLES_ONLY
from visitor import LABELS, Visitor

sys.path.insert(0, str(ROOT))
from explorer.models import tokenizer
from explorer.models.catalog import having, parts

WRITER = "HuggingFaceTB/SmolLM2-135M-Instruct"
EARLY = 0.1
"""The share of all edits after which memory is looked at for the first time."""


@dataclass(frozen=True)
class Class:
    """How many visitors, edits of all together, seconds between two edits of one, and steps of each who writes."""

    visitors: int = 30
    edits: int = 1000
    every: float = 5.0
    steps: int = 10


@dataclass
class Pupil:
    """One visitor, what they typed, the tables they got, and what went wrong."""

    number: int
    visitor: Visitor
    times: list[float] = field(default_factory=list)
    seen: list[tuple[str, pd.DataFrame]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def edit(self, count: int, every: float) -> None:
        """Type so many texts, which nobody else types, one about every so many seconds."""
        rng = np.random.default_rng([self.number, len(self.times)])
        for _ in range(count):
            time.sleep(every * rng.uniform(0.5, 1.5) - min(every / 2, self.times[-1] if self.times else 0))
            text = f"Pupil {self.number} writes that {len(self.times)} dogs and {self.number * 7} cats ran away"
            self.times.append(self.visitor.type(text))
            if self.visitor.has_table:
                self.seen.append((text, self.visitor.table))

    def step(self, count: int) -> None:
        """Write so many tokens, each as soon as the one before is drawn."""
        for _ in range(count):
            self.visitor.press("step", alone=True)


@contextmanager
def seated(port: int, count: int, page: str, query: Callable[[int], str]):  # noqa: ANN201
    """So many pupils, who have all opened the page."""
    with ExitStack() as stack:
        pupils = [Pupil(number, stack.enter_context(Visitor(port))) for number in range(count)]
        pupils[0].visitor.open(page, query(0))
        together(pupils[1:], lambda each: each.visitor.open(page, query(each.number)))
        yield pupils


def together(pupils: Sequence[Pupil], work: Callable[[Pupil], object]) -> float:
    """All do it at the same time; seconds until the last is done. What fails is noted with the pupil."""

    def noted(pupil: Pupil) -> None:
        try:
            work(pupil)
        except (TimeoutError, ConnectionError, KeyError) as problem:
            pupil.faults.append(repr(problem))

    began = time.perf_counter()
    with ThreadPoolExecutor(max(1, len(pupils))) as threads:
        list(threads.map(noted, pupils))
    return time.perf_counter() - began


def typing(port: int, how: Class, page: str, query: str) -> tuple[list[Pupil], float, float]:
    """The class edits a page; the pupils, and the memory of the server after a tenth of the edits and after all."""
    server, each = child(), max(2, round(how.edits / how.visitors))
    early = max(1, round(EARLY * each))
    with seated(port, how.visitors, page, lambda _: query) as pupils:
        together(pupils, lambda pupil: pupil.edit(early, how.every))
        before = memory(server)
        together(pupils, lambda pupil: pupil.edit(each - early, how.every))
        return pupils, before, memory(server)


def p95(pupils: Sequence[Pupil]) -> float:
    """Seconds from an edit to its page, the first edit of each left out."""
    return float(np.quantile([seconds for pupil in pupils for seconds in pupil.times[1:]], 0.95))


def strange(pupils: Sequence[Pupil], model: str) -> int:
    """How many tables are not those of their pupil's own text: hidden tokens count by their labels."""
    words, wrong = tokenizer(model), 0
    for text, table in (pair for pupil in pupils for pair in pupil.seen):
        labels = table[LABELS]
        wrong += labels.where(labels != -100, table["id"]).tolist() != list(words.encode(text).ids)
    return wrong


def faults(pupils: Sequence[Pupil]) -> int:
    """What went wrong, exceptions on the page among it."""
    for pupil in pupils:
        for fault in pupil.faults:
            print(f"pupil {pupil.number}: {fault}", file=sys.stderr)
    return sum(len(pupil.faults) + pupil.visitor.failed for pupil in pupils)


def editing(how: Class) -> list[Figure | NotMeasured]:
    """The figures of a class that types."""
    scored = next((each.name for each in having("language model", "encoder")), None)
    with serving_empty() as port:
        nothing = p95(typing(port, how, "", "")[0])
    with serving(ROOT / "app.py") as port:
        tables, before, after = typing(port, how, "bert", TABLES_ONLY)
    wrong, failed, name = strange(tables, MODEL), faults(tables), "p95_of_an_edit_with_losses/empty_page"
    losses: Figure | NotMeasured = NotMeasured(name, 10, "no model here has weights that the BERT page can score")
    if scored is not None:
        with serving(ROOT / "app.py") as port:
            pupils = typing(port, how, "bert", f"model={scored}")[0]
        losses = Figure(name, p95(pupils) / nothing, 10)
        wrong, failed = wrong + strange(pupils, scored), failed + faults(pupils)
    return [
        Figure("p95_of_an_edit_without_weights/empty_page", p95(tables) / nothing, 3),
        losses,
        Figure("tables_of_another_text/none", wrong, 0),
        Figure("faults_of_edits/none", failed, 0),
        Figure(f"memory_after_{how.edits}_edits/after_{round(EARLY * how.edits)}", after / before, 1.1),
    ]


def stepping(how: Class) -> list[Figure | NotMeasured]:
    """The figures of a class that writes on one model."""
    name = "tokens_a_second_of_one_visitor/of_all_visitors"
    if "language model" not in parts(WRITER):
        return [NotMeasured(name, 1 / 1.5, f"{WRITER} has no weights here")]

    def query(number: int) -> str:
        return f"model={WRITER}&text=Pupil {number} wrote a story about {number * 7}"

    with serving(ROOT / "app.py") as port:
        with seated(port, 1, "generate", query) as alone:
            alone[0].step(2)
            one = how.steps / together(alone, lambda pupil: pupil.step(how.steps))
        with seated(port, how.visitors, "generate", query) as pupils:
            seconds = together(pupils, lambda pupil: pupil.step(how.steps))
        failed = faults([*alone, *pupils])
    return [
        Figure(name, one / (how.visitors * how.steps / seconds), 1 / 1.5),
        Figure("faults_of_steps/none", failed, 0),
    ]


def asked() -> Class:
    """The class that the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    for name, default in vars(Class()).items():
        parser.add_argument(f"--{name}", type=type(default), default=default)
    return Class(**vars(parser.parse_args()))


if __name__ == "__main__":
    how = asked()
    sys.exit(max(report(editing(how)), report(stepping(how))))
