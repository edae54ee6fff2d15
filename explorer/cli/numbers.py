"""`mask`, `sample` and `loss`: what needs no model at all."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from explorer import sampling
from explorer.cli.answer import counted, said, table
from explorer.cli.arguments import from_json, real, separated, whole
from explorer.cli.sampling_flags import add_sampling, sampling_settings
from explorer.draw import choose
from explorer.loss import LossResult, cross_entropy
from explorer.mask_kinds import KINDS, build
from explorer.masks import allowed
from explorer.records import loss_record, mask_record
from explorer.sampling import Sampled
from explorer.types import Bools

if TYPE_CHECKING:
    from explorer.cli.arguments import Commands


def add(commands: Commands) -> None:
    """The three commands."""
    mask = commands.add_parser("mask", help="who may look at whom")
    mask.add_argument("kind", metavar="KIND", help=", ".join(KINDS))
    mask.add_argument("--length", type=whole, required=True, help="how many positions look")
    mask.add_argument("--prefix", type=whole, help="the first positions that all may see")
    mask.add_argument("--keys", type=whole, help="how many positions are looked at (default: the length)")
    mask.add_argument("--pad", type=separated(whole), help="1 for a real token, 0 for padding, as 0,1,1")
    mask.add_argument("--documents", type=separated(whole), help="lengths of the packed documents, as 3,2")
    mask.set_defaults(answer=answer_mask)
    sample = commands.add_parser("sample", help="logits through the filters, and one token drawn")
    sample.add_argument("--logits", type=separated(real), required=True, help="numbers, as 2,1,0.1")
    sample.add_argument("--seen", type=separated(whole), default=[], help="ids that the repetition penalty falls on")
    add_sampling(sample)
    sample.set_defaults(answer=answer_sample)
    loss = commands.add_parser("loss", help="cross entropy of logits against labels")
    loss.add_argument("--logits", required=True, help="JSON: one row of numbers for each label")
    loss.add_argument("--labels", required=True, help="JSON: a list of ids, -100 for no loss")
    loss.add_argument("--smoothing", type=real, default=0.0, help="label smoothing (default 0)")
    loss.set_defaults(answer=answer_loss)


def answer_mask(given: argparse.Namespace) -> Mask:
    """The mask that the arguments ask for."""
    how = {name: getattr(given, name) for name in ("prefix", "keys", "pad", "documents")}
    return Mask(build(given.kind, given.length, **how).mask)


def answer_sample(given: argparse.Namespace) -> Sample:
    """The logits through the filters, and the token drawn."""
    settings = sampling_settings(given)
    sampled = sampling.apply(given.logits, settings, given.seen)
    return Sample(sampled, choose(sampled.final, settings.seed, 0)[0])


def answer_loss(given: argparse.Namespace) -> Loss:
    """The loss of the logits."""
    logits, labels = (from_json(name, getattr(given, name)) for name in ("logits", "labels"))
    return Loss(cross_entropy(logits, labels, given.smoothing))


@dataclass(frozen=True)
class Mask:
    """A mask (Q,K)."""

    mask: Bools

    def values(self) -> dict[str, object]:
        """1 = may attend; rows look, columns are looked at."""
        return mask_record(self.mask)

    def lines(self) -> Iterator[str]:
        """One line a row."""
        yield from (" ".join(map(str, row)) for row in self.mask.astype(int).tolist())
        yield f"{allowed(self.mask)} of {self.mask.size} cells are open (1 = may attend)"


@dataclass(frozen=True)
class Sample:
    """Filtered logits and the token chosen."""

    sampled: Sampled
    chosen: int

    def values(self) -> dict[str, object]:
        """Every stage with what it keeps."""
        return {
            "stages": [
                {"name": stage.name, "kept": stage.kept, "probabilities": stage.probabilities}
                for stage in self.sampled.stages
            ],
            "final": self.sampled.final,
            "order": self.sampled.order,
            "chosen": self.chosen,
            "notes": self.sampled.notes,
        }

    def lines(self) -> Iterator[str]:
        """One line a token, one column a stage; a dash where the stage has cut it."""
        stages = self.sampled.stages
        columns = [np.full(len(stage.probabilities), None) for stage in stages]
        for column, stage in zip(columns, stages, strict=True):
            column[stage.kept] = stage.probabilities[stage.kept]
        rows = zip(range(len(columns[0])), *columns, strict=True)
        yield from table(["id", *(stage.name for stage in stages)], rows)
        yield f"order: {', '.join(self.sampled.order)}"
        yield f"chosen: {self.chosen}"
        yield from said("note", self.sampled.notes)


@dataclass(frozen=True)
class Loss:
    """A loss, position by position."""

    result: LossResult

    def values(self) -> dict[str, object]:
        """Null at positions without loss, and for the mean where there is none at all."""
        return loss_record(self.result)

    def lines(self) -> Iterator[str]:
        """One line a position, then the mean over the targets."""
        losses = (None if np.isnan(loss) else loss for loss in self.result.per_position.tolist())
        yield from table(["position", "loss"], enumerate(losses))
        made = self.result
        if made.mean is not None:
            targets = counted(made.n_targets, "target")
            yield f"mean {made.mean:.6f} over {targets}, perplexity {made.perplexity:.4f}"
        yield from said("warning", made.warnings)
