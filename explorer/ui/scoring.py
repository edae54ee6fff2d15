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
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.models import offer


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


def scoring(model: str, example: Example) -> Scoring:
    """Starts the scores where the model has the head for them. One that is in memory says them at once, as a rule, and
    then the page is drawn only once."""
    job = _job(model, example) if example.n_targets and head_for(example.objective) in parts(model) else None
    if job is None:
        return Scoring(model, example, None, None)
    loaded = any(each.name == model for each in runtime().loaded)
    return Scoring(model, example, job, job.within(AT_ONCE) if loaded else job.result)


@lru_cache(maxsize=64)
def _job(model: str, example: Example) -> Job[Scores]:
    def work(tell: Progress) -> Scores:
        run = runtime()
        found = run.identify(model, progress=tell)
        run.load(found, tell)
        tell(Message("{model} reads the example", {"model": model}), None)
        return run.score(found, example)

    return Job(work)
