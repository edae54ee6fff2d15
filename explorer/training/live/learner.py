"""A tiny model that learns a task: one step a call, and a look whenever one is asked for. No thread of its own."""

from __future__ import annotations

import time

from explorer.learning import Dials, Look, Recorder, Snapshot
from explorer.training.live.examples import Examples
from explorer.training.live.measures import look
from explorer.training.live.tasks import LiveTask
from explorer.training.live.tiny import tiny_model
from explorer.training.loop import BETAS, CLIP
from explorer.training.networks import losses

WARMUP = 50
"""Steps in which the learning rate rises."""


class Learner:
    """The model, its optimizer and what was seen of both. `step` and `look` are for one thread at a time; the model may
    be read from others under its lock. Raises InputProblem where the text is too short to learn from."""

    def __init__(self, task: LiveTask, text: str = "", seed: int = 0) -> None:
        import torch

        self.examples = Examples(task, text, seed)
        self.loaded = tiny_model(task, self.examples.words, seed)
        self._optimizer = torch.optim.AdamW(self.loaded.module.parameters(), betas=BETAS, fused=True)
        self.steps, self.seconds = 0, 0.0
        self._training, self._looks = Recorder(), Recorder()
        self._look: Look | None = None
        self._reached: float | None = None
        self._changes: tuple[tuple[int, Dials], ...] = ()

    def step(self, dials: Dials) -> None:
        """Learns one batch."""
        import torch

        began = time.thread_time()
        self._note(dials)
        self.steps += 1
        for group in self._optimizer.param_groups:
            group["lr"] = dials.rate * min(1.0, self.steps / WARMUP)
        batch = self.examples.batch(dials)
        with self.loaded.lock:
            found = losses(self.loaded.module, batch)
            self._optimizer.zero_grad(set_to_none=True)
            torch.autograd.backward(found.mean)
            torch.nn.utils.clip_grad_norm_(self.loaded.module.parameters(), CLIP)
            self._optimizer.step()
        self._training.add(self.steps, float(found.tokens.detach()) / found.count)
        self.seconds += time.thread_time() - began

    def look(self, dials: Dials) -> None:
        """Measures the model as it is now."""
        began = time.thread_time()
        seen = look(self.loaded, self.examples, dials, self.steps, self.seconds)
        self._looks.add(self.steps, seen.held_out)
        self._look = seen
        if self._reached is None and seen.score >= self.examples.task.goal:
            self._reached = self.seconds
        self.seconds += time.thread_time() - began

    def snapshot(self) -> Snapshot:
        """How it stands."""
        return Snapshot(
            self.steps,
            self.seconds,
            self._training.curve(),
            self._looks.curve(),
            self._look,
            self._reached,
            self._changes,
        )

    def _note(self, dials: Dials) -> None:
        if not self._changes or self._changes[-1][1] != dials:
            self._changes = (*self._changes, (self.steps, dials))[-20:]
