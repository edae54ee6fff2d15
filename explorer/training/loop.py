"""The training loop: batches, one step of AdamW each, a log, checkpoints, losses on held-out texts.

The time given ends the training and shapes the learning rate. It counts all that was spent on the model so far, so a
training that was stopped goes on to the same end, and more minutes let a finished one go on learning.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.collation import Batch
from explorer.training import checkpoint
from explorer.training.batches import Maker, Source, feed
from explorer.training.card import card
from explorer.training.checkpoint import Progress
from explorer.training.clock import Clock, Report
from explorer.training.corpus import Corpus, read_corpus
from explorer.training.facts import Facts, versions
from explorer.training.machine import Machine
from explorer.training.networks import fresh_model, losses, set_dropout, write_config
from explorer.training.recipes import Pace, Recipe
from explorer.training.schedule import learning_rate
from explorer.training.shipping import CARD, ship
from explorer.training.vocabulary import make_words
from explorer.types import InputProblem

if TYPE_CHECKING:
    import torch

FINAL = "final"
"""The folder that a training ships, inside its own."""

CLIP = 1.0
POSITIONS = "relative_attention_bias"
"""In the name of T5's table of position biases."""

BETAS = (0.9, 0.98)
HELD_OUT_POOL = 2**31
"""Number of the pool of held-out texts; training never gets so far."""


@dataclass(frozen=True)
class Plan:
    """What to train, on what, where, for how long. steps: an end beside the minutes; save_every, log_every: seconds."""

    recipe: Recipe
    corpus: Path
    out: Path
    machine: Machine
    minutes: float
    steps: int | None = None
    resume: bool = False
    save_every: float = 240.0
    log_every: float = 20.0
    seed: int = 1

    @property
    def pace(self) -> Pace:
        """Batches and rates for a machine of this kind."""
        return self.recipe.cpu if self.machine.device == "cpu" else self.recipe.cuda

    @property
    def command(self) -> str:
        """What was typed, but for the folders of this machine."""
        end = f"--steps {self.steps}" if self.steps else f"--minutes {self.minutes:g}"
        return f"python -m explorer train {self.recipe.name} --corpus CORPUS {end} --device {self.machine.device}"

    @property
    def source(self) -> Source:
        """Where the batches come from."""
        return Source(self.recipe, self.corpus, self.out / FINAL, self.pace.tokens, self.seed)

    def share(self, progress: Progress) -> float:
        """How much of the training is over, 0 to 1."""
        of_steps = progress.step / self.steps if self.steps else 0.0
        return min(1.0, max(progress.seconds / (60 * self.minutes), of_steps))


Say = Callable[[Report], None]


def prepare(plan: Plan, corpus: Corpus) -> None:
    """Makes the tokenizer and the config, unless a training that is gone on with has them."""
    final = plan.out / FINAL
    if plan.resume and (final / "config.json").is_file():
        return
    words = make_words(plan.recipe, corpus.training, plan.recipe.vocabulary)
    words.save(final, longest=512)
    write_config(plan.recipe, words, final)


def train(plan: Plan, say: Say) -> tuple[Any, Progress]:
    """Trains until the time or the steps are over; the model and how far it got. Raises InputProblem where the corpus
    or the checkpoint cannot be used."""
    corpus = read_corpus(plan.corpus)
    prepare(plan, corpus)
    model = fresh_model(plan.recipe, plan.out / FINAL, plan.seed).to(plan.machine.device)
    set_dropout(model, plan.pace.dropout)
    optimizer = _optimizer(model, plan.recipe)
    progress = checkpoint.load(plan.out, model, optimizer) if plan.resume else Progress()
    held_out = Maker(plan.source, corpus.held_out).pool(HELD_OUT_POOL)
    run = Run(plan, model, optimizer, held_out, progress, say)
    run.go()
    return model, run.progress


@dataclass(eq=False)
class Run:
    """A training under way."""

    plan: Plan
    model: Any
    optimizer: torch.optim.Optimizer
    held_out: list[Batch]
    progress: Progress
    say: Say
    clock: Clock = field(init=False)

    def __post_init__(self) -> None:
        self.clock = Clock(self.progress.seconds)

    def go(self) -> None:
        """Step after step, with reports and checkpoints in between."""
        saved = self.progress.seconds
        for pool, number, batch in self._batches():
            if self.plan.share(self.progress) >= 1:
                break
            self.clock.batch_came()
            self._step(batch, pool, number)
            if self.clock.since_report() >= self.plan.log_every:
                self._report()
            if self.progress.seconds - saved >= self.plan.save_every:
                self._save()
                saved = self.progress.seconds
        self._save()

    def _batches(self) -> Iterator[tuple[int, int, Batch]]:
        """The batches that come next, with the place of the one after each."""
        first, skipped = self.progress.pool, self.progress.batch
        for pool, made in feed(self.plan.source, first, self.plan.machine.workers):
            for number in range(skipped if pool == first else 0, len(made)):
                yield (pool, number + 1, made[number]) if number + 1 < len(made) else (pool + 1, 0, made[number])

    def _step(self, batch: Batch, pool: int, number: int) -> None:
        import torch

        step = self.progress.step + 1
        rate = learning_rate(self.plan.recipe, self.plan.pace, step, self.plan.share(self.progress))
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group.get("speed", 1.0)
        self.model.train()
        with self.plan.machine.autocast():
            loss = losses(self.model, batch, self.plan.recipe.smoothing).mean
        self.optimizer.zero_grad(set_to_none=True)
        torch.autograd.backward(loss)
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), CLIP)
        self.optimizer.step()
        self.progress = replace(
            self.progress, step=step, tokens=self.progress.tokens + batch.tokens, pool=pool, batch=number
        )
        self.progress = self.clock.step_done(self.progress, loss.detach(), rate, batch.tokens)

    def _report(self) -> None:
        self.say(self.clock.report(self.progress, self.plan.share(self.progress)))

    def _save(self) -> None:
        loss = held_out_loss(self.model, self.held_out, self.plan.machine)
        if not isfinite(loss):
            # The last checkpoint stays: it is from before the model was lost.
            raise InputProblem(
                "The loss is no number any more at step {step}. The training was stopped; the last checkpoint is good.",
                {"step": self.progress.step},
            )
        self.progress = replace(self.progress, held_out=(*self.progress.held_out, (self.progress.step, loss)))
        self._report()
        checkpoint.save(self.plan.out, self.model, self.optimizer, self.progress)
        ship(self.model, self.plan.out / FINAL)
        self._note()

    def _note(self) -> None:
        """Facts and a card for what was shipped."""
        plan, done = self.plan, self.progress
        facts = Facts(
            recipe=plan.recipe.name,
            command=plan.command,
            machine=str(plan.machine),
            steps=done.step,
            tokens=done.tokens,
            minutes=done.seconds / 60,
            parameters=sum(weight.numel() for weight in self.model.parameters() if weight.requires_grad),
            held_out=done.held_out[-1][1],
            versions=versions(),
        )
        facts.save(plan.out / FINAL)
        (plan.out / FINAL / CARD).write_text(card(plan.recipe, facts, []), encoding="utf-8")


def held_out_loss(model: Any, batches: list[Batch], machine: Machine) -> float:
    """The cross entropy a target over all batches: a mean over tokens, not over batches."""
    import torch

    model.eval()
    with torch.inference_mode(), machine.autocast():
        found = [losses(model, batch) for batch in batches]
    total = sum(float(each.tokens) for each in found)
    return total / max(1, sum(each.count for each in found))


def _optimizer(model: Any, recipe: Recipe) -> torch.optim.AdamW:
    """AdamW; only matrices decay, for vectors are biases and norms, and a position bias is one too."""
    import torch

    groups: dict[tuple[float, float], list[torch.nn.Parameter]] = {}
    for name, weight in model.named_parameters():
        if weight.requires_grad:
            decay = recipe.weight_decay if weight.ndim > 1 and POSITIONS not in name else 0.0
            fast = round(speed(name, weight), 2) if recipe.relative else 1.0
            groups.setdefault((fast, decay), []).append(weight)
    made = [{"params": held, "weight_decay": decay, "speed": fast} for (fast, decay), held in groups.items()]
    return torch.optim.AdamW(made, lr=0.0, betas=BETAS, fused=True)


def speed(name: str, weight: torch.Tensor) -> float:
    """By how much the rate of a fresh weight (..., D) is changed where steps are relative. Adam moves every number by
    about the rate, whatever its size; T5's embeddings begin at size 1 and would hardly move, its queries, which begin
    eight times smaller than its other matrices, would be thrown about. A step relative to the size (Shazeer and Stern
    2018, section 8) moves all alike; 1 is a matrix of size 1/sqrt(D). T5's position bias begins near 0 and is all that
    a head knows of order: it has to reach whole units of a score within hundreds of steps."""
    if POSITIONS in name:
        return 5.0
    return float(weight.detach().std() * weight.shape[-1] ** 0.5) if weight.ndim > 1 else 1.0
