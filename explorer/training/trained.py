"""A model that a training left, as the measures use it: what it holds probable at each target, and what it writes.

Alphabet: N outputs with loss over all examples.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from explorer.collation import Batch, collate, row_of
from explorer.models.tokenizer import load_tokenizer
from explorer.objectives import Texts, objective
from explorer.tokens import Tokenizer
from explorer.training.networks import scored
from explorer.training.recipes import Recipe
from explorer.types import Example, Ints

TOGETHER = 16
"""Examples that pass through the model at once."""
LONGEST = 80
"""Tokens that are written at most."""


@dataclass(frozen=True)
class Trained:
    """The recipe, the folder with the weights, and where they run."""

    recipe: Recipe
    folder: Path
    device: str = "cpu"

    @cached_property
    def tokenizer(self) -> Tokenizer:
        """As the app loads it."""
        return load_tokenizer(self.folder, self.recipe.name)

    @cached_property
    def model(self) -> Any:
        """In float32, whatever its file holds."""
        import torch
        import transformers

        transformers.utils.logging.disable_progress_bar()
        kind = getattr(transformers, self.recipe.model)
        return kind.from_pretrained(self.folder, dtype=torch.float32, local_files_only=True).to(self.device).eval()

    def examples(self, key: str, texts: Sequence[Texts], **settings: Any) -> list[Example]:
        """Examples of an objective, with randomness that is the same each time."""
        asked, rng = objective(key), np.random.default_rng(0)
        return [asked.build(each, self.tokenizer, asked.Settings(**settings), rng) for each in texts]

    def ranks(self, examples: Sequence[Example]) -> Ints:
        """(N,): how many tokens the model holds more probable than the right one."""
        import torch

        found = []
        with torch.inference_mode():
            for batch in self._batches(examples):
                at = scored(self.model, batch)
                right = at.logits.gather(1, at.wanted[:, None])
                found.append((at.logits > right).sum(1).cpu().numpy())
        return np.concatenate(found)

    def losses(self, examples: Sequence[Example]) -> NDArray[np.float64]:
        """(N,): the cross entropy in nats."""
        import torch

        found = []
        with torch.inference_mode():
            for batch in self._batches(examples):
                at = scored(self.model, batch)
                found.append(torch.nn.functional.cross_entropy(at.logits, at.wanted, reduction="none").cpu().numpy())
        return np.concatenate(found).astype(np.float64)

    def follows(self, examples: Sequence[Example]) -> list[bool]:
        """For each pair of sentences, whether the model says that the second follows the first."""
        import torch

        found: list[bool] = []
        with torch.inference_mode():
            for batch in self._batches(examples):
                found += (scored(self.model, batch).sentences.argmax(-1) == 0).tolist()
        return found

    def write(self, sources: Sequence[str], beams: int = 1) -> list[str]:
        """What the model writes for each source, without control tokens: greedy, or by beam search."""
        import torch

        written: list[str] = []
        for start in range(0, len(sources), TOGETHER):
            ids = [torch.tensor(self.tokenizer.encode(each).ids) for each in sources[start : start + TOGETHER]]
            pad = self.model.config.pad_token_id
            given = torch.nn.utils.rnn.pad_sequence(ids, batch_first=True, padding_value=pad).to(self.device)
            with torch.inference_mode():
                found = self.model.generate(
                    input_ids=given,
                    attention_mask=(given != pad).long(),
                    num_beams=beams,
                    do_sample=False,
                    max_new_tokens=LONGEST,
                )
            controls = self.tokenizer.special_ids
            rows = ([id for id in row if id not in controls] for row in found.tolist())
            written += [self.tokenizer.decode(row).strip() for row in rows]
        return written

    def _batches(self, examples: Sequence[Example]) -> Iterator[Batch]:
        rows = [row_of(example) for example in examples]
        for start in range(0, len(rows), TOGETHER):
            yield collate(rows[start : start + TOGETHER], self.tokenizer)
