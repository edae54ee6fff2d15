"""What a model says to an Example: losses and best guesses where it has the head for them, else words and a way out."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from streamlit.delta_generator import DeltaGenerator

from explorer.models import runtime
from explorer.models.catalog import parts
from explorer.models.checkpoint import head_for
from explorer.models.places import Progress
from explorer.types import Example, Message, Scores
from explorer.ui.jobs import Job, stay, wait
from explorer.ui.models import offer

PATIENCE = 3.0
"""Seconds for which a reader sees at most the page as it was, while a model in memory reads what they have changed."""


@dataclass(frozen=True)
class Scoring:
    """Where the scores of an Example stood when the page began to be drawn: `scores` is None while there are none,
    `job` where there is nothing to wait for."""

    model: str
    example: Example
    job: Job[Scores] | None
    scores: Scores | None

    def finish(self, place: DeltaGenerator) -> None:
        """Call it last: waits in `place` for the scores and draws the page again with them, or says why there are
        none and what to do."""
        if self.job is not None and self.scores is None:
            wait(self.job, place)
        elif self.job is None and self.example.n_targets:
            offer(self.model, head_for(self.example.objective), place, lambda: _job(self.model, self.example))


def scoring(model: str, example: Example, place: DeltaGenerator) -> Scoring:
    """Starts the scores where the model has the head for them. Those of a model in memory are waited for, in `place`:
    a page that is drawn without them first, and then again, costs a class twice the work. A model that is yet to be
    loaded may take long, so the page is drawn meanwhile."""
    job = _job(model, example) if example.n_targets and head_for(example.objective) in parts(model) else None
    if job is None:
        return Scoring(model, example, None, None)
    if any(each.name == model for each in runtime().loaded):
        stay(job, place, PATIENCE)
    return Scoring(model, example, job, job.result)


@lru_cache(maxsize=64)
def _job(model: str, example: Example) -> Job[Scores]:
    def work(tell: Progress) -> Scores:
        run = runtime()
        found = run.identify(model, progress=tell)
        run.load(found, tell)
        tell(Message("{model} reads the example", {"model": model}), None)
        return run.score(found, example)

    return Job(work)
