"""What there is to take home of a training: its two curves, and the code that trains the same model again."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from math import log

from explorer.learning import Snapshot
from explorer.training.live.examples import Examples
from explorer.training.live.in_code import live_code
from explorer.training.live.run import LiveRun
from explorer.types import Message
from explorer.ui.example_parcel import rows_part
from explorer.ui.live_lab import Asked
from explorer.ui.take_home_part import Parcel
from explorer.views.learning import Frame, learning_curve, learning_figures
from explorer.views.roles import Say
from explorer.views.tables import curves_table

LEARNED = Message("How it learned")


def live_parcel(asked: Asked, run: LiveRun, examples: Examples) -> Parcel:
    """The training as it stands now."""
    seen = run.watch()

    return Parcel(
        f"train_{asked.key}",
        Message("Train"),
        asked.key,
        live_code(asked.key, run.text, run.seed, examples.words.size, seen),
        lambda: _record(asked, run, seen),
        partial(curves_table, seen),
        partial(_parts, asked, seen, examples),
    )


def _record(asked: Asked, run: LiveRun, seen: Snapshot) -> dict[str, object]:
    look = seen.look
    return {
        "task": asked.key,
        "text": run.text,
        "seed": run.seed,
        "steps": seen.step,
        "seconds": seen.seconds,
        "training": {"steps": seen.training.steps, "losses": seen.training.losses},
        "held_out": {"steps": seen.held_out.steps, "losses": seen.held_out.losses},
        "changes": [{"after_step": step, **asdict(dials)} for step, dials in seen.changes],
        "score": None if look is None else look.score,
        "samples": [] if look is None else [asdict(sample) for sample in look.samples],
    }


def _parts(asked: Asked, seen: Snapshot, examples: Examples, say: Say) -> list[tuple[str, str]]:
    """The curves with their figures, and an Example as the model is fed it."""
    curve = learning_curve(seen, Frame(log(examples.words.size), examples.entropy), say)
    figures = learning_figures(seen, asked.task.goal, asked.task.score, say)
    return [(say(LEARNED), curve + figures), rows_part(examples.mistaken(examples.probe, asked.dials), say)]
