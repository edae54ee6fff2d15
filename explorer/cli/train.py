"""`train`: one of the small models that come with the app, trained on a corpus from the explorer's own examples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.cli.answer import table
from explorer.cli.arguments import real, whole
from explorer.models.places import home
from explorer.types import check_range

if TYPE_CHECKING:
    from explorer.cli.arguments import Commands
    from explorer.training.clock import Report
    from explorer.training.evaluation import Figure
    from explorer.training.facts import Facts

BAR = 20


def add(commands: Commands) -> None:
    """The command."""
    train = commands.add_parser(
        "train", help="train a small model on a corpus; checkpoints, resume, measured at the end"
    )
    train.add_argument("recipe", metavar="RECIPE", help="bert, gpt, bart, t5 or transformer")
    train.add_argument("--corpus", type=Path, required=True, help="folder with stories.txt, pairs-en-de.tsv ...")
    train.add_argument("--minutes", type=real, default=30.0, help="how long in all, earlier runs included (default 30)")
    train.add_argument("--steps", type=whole, help="end after so many steps, where that comes first")
    train.add_argument("--device", help="cpu, cuda or mps (default: the fastest that is here)")
    train.add_argument("--workers", type=whole, help="processes that make batches (default: by the machine)")
    train.add_argument("--out", type=Path, help="folder for checkpoints and the model (default: in the app's cache)")
    train.add_argument("--resume", action="store_true", help="go on from the last checkpoint")
    train.add_argument("--seed", type=whole, default=1)
    train.set_defaults(answer=answer_train)


def answer_train(given: argparse.Namespace) -> Trained:
    """Trains, ships, measures."""
    from explorer.training.facts import read_facts
    from explorer.training.loop import FINAL, Plan, train
    from explorer.training.machine import choose_machine
    from explorer.training.recipes import recipe
    from explorer.training.shipping import finish

    check_range("minutes", given.minutes, 0.01, 100_000)
    asked = recipe(given.recipe)
    machine = choose_machine(given.device, given.workers)
    out = given.out or home() / "training" / asked.name
    plan = Plan(asked, given.corpus, out, machine, given.minutes, given.steps, given.resume, seed=given.seed)
    log = Log(f"{asked.name} on {machine}, {plan.pace.tokens} tokens a batch, processes for batches: {machine.workers}")
    train(plan, log.report)
    log.say("measuring on held-out texts")
    figures = finish(asked, out / FINAL, given.corpus, machine.device)
    return Trained(out / FINAL, read_facts(out / FINAL), tuple(figures))


@dataclass(frozen=True)
class Trained:
    """The folder of the model, how it came about, what it reaches."""

    folder: Path
    facts: Facts
    figures: tuple[Figure, ...]

    def values(self) -> dict[str, object]:
        """Figures with their bars."""
        return {
            "folder": str(self.folder),
            **asdict(self.facts),
            "figures": [{**asdict(figure), "holds": figure.holds} for figure in self.figures],
        }

    def lines(self) -> Iterator[str]:
        """One line a figure."""
        rows = [
            [figure.name, figure.value, figure.bar, "" if figure.bar is None else "ok" if figure.holds else "short"]
            for figure in self.figures
        ]
        yield from table(["figure", "value", "asked for", ""], rows)
        yield f"{self.facts.steps} steps, {self.facts.tokens} tokens, {self.facts.minutes:.1f} minutes"
        yield f"The model lies in {self.folder}"


class Log:
    """The progress of a training on stderr, from its first report on: one line that is written over at a terminal, else
    a line a report."""

    def __init__(self, title: str) -> None:
        self._title, self._open = title, False

    def say(self, words: str) -> None:
        """A line that stays."""
        sys.stderr.write(("\n" if self._open else "") + words + "\n")
        sys.stderr.flush()
        self._open = False

    def report(self, report: Report) -> None:
        """Where the training is."""
        if self._title:
            self.say(self._title)
            self._title = ""
        done = round(BAR * report.share)
        held_out = f"  held out {report.progress.held_out[-1][1]:.3f}" if report.progress.held_out else ""
        line = (
            f"[{'#' * done}{'.' * (BAR - done)}] {report.share:4.0%}  step {report.progress.step}"
            f"  loss {report.loss:.3f}{held_out}  rate {report.rate:.1e}  {report.speed:,.0f} tokens/s"
            f"  waiting for batches {report.waiting:.0%}"
        )
        self._open = sys.stderr.isatty()
        sys.stderr.write(f"\r\033[K{line}" if self._open else line + "\n")
        sys.stderr.flush()
