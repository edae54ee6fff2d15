"""The models of the recipes, transformers' own classes, and one pass of a batch that ends in a loss.

Alphabet: B batch, S outputs, N outputs with loss, D width, V vocabulary.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.training.recipes import Recipe
from explorer.training.vocabulary import Words, package_folder
from explorer.types import IGNORE

if TYPE_CHECKING:
    import torch

    from explorer.collation import Batch


@dataclass(frozen=True, eq=False)
class Losses:
    """tokens: summed over the N outputs with loss; sentence: summed over the B next-sentence labels, or None."""

    tokens: torch.Tensor
    count: int
    sentence: torch.Tensor | None
    pairs: int

    @property
    def mean(self) -> torch.Tensor:
        """What is minimised: the mean over the outputs, plus the mean over the pairs (Devlin et al. 2018, A.2)."""
        mean = self.tokens / max(self.count, 1)
        return mean if self.sentence is None else mean + self.sentence / self.pairs


def write_config(recipe: Recipe, words: Words, folder: Path) -> None:
    """config.json of the recipe's model, before it has weights."""
    from transformers import AutoConfig

    config = AutoConfig.for_model(recipe.kind, vocab_size=words.size, **recipe.shape, **words.ids)
    config.architectures = [recipe.model]
    text = json.dumps(config.to_diff_dict(), indent=2)
    (folder / "config.json").write_text(text + "\n", encoding="utf-8")


def fresh_model(recipe: Recipe, folder: Path, seed: int) -> Any:
    """The model that config.json in `folder` describes, in float32: random, or with the body of the package that the
    recipe starts from."""
    import torch
    import transformers

    torch.manual_seed(seed)
    config = transformers.AutoConfig.from_pretrained(folder, local_files_only=True)
    kind = getattr(transformers, recipe.model)
    if not (recipe.package and recipe.pretrained):
        return kind(config)
    transformers.utils.logging.disable_progress_bar()
    transformers.utils.logging.set_verbosity_error()
    return kind.from_pretrained(
        package_folder(recipe.package), config=config, local_files_only=True, dtype=torch.float32
    )


def set_dropout(model: Any, share: float) -> None:
    """Every dropout of the model; some of transformers' layers keep theirs as a number."""
    import torch

    for module in model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = share
        elif isinstance(getattr(module, "dropout", None), float):
            module.dropout = share


@dataclass(frozen=True, eq=False)
class Outputs:
    """logits (N,V) at the outputs with loss; wanted (N,) the labels there; sentences (B,2) or None."""

    logits: torch.Tensor
    wanted: torch.Tensor
    sentences: Any


def scored(model: Any, batch: Batch) -> Outputs:
    """One pass of a batch. Only outputs with loss pass through the vocabulary matrix, which is a third of the work of a
    model of this size."""
    import torch

    given = {name: torch.from_numpy(array).to(model.device) for name, array in batch.inputs.items()}
    compared = torch.from_numpy(batch.compared).to(model.device)  # (B,S)
    chosen = compared != IGNORE
    with only(model.get_output_embeddings(), chosen):
        output = model(**given)
    logits = output["prediction_logits" if "prediction_logits" in output else "logits"]
    return Outputs(logits.float(), compared[chosen], output.get("seq_relationship_logits"))


def losses(model: Any, batch: Batch, smoothing: float = 0.0) -> Losses:
    """The cross entropy of a batch."""
    import torch
    from torch.nn.functional import cross_entropy

    at = scored(model, batch)
    summed = cross_entropy(at.logits, at.wanted, label_smoothing=smoothing, reduction="sum")
    if batch.next_sentence is None:
        return Losses(summed, batch.targets, None, 0)
    labels = torch.from_numpy(batch.next_sentence).to(model.device)  # (B,)
    sentence = cross_entropy(at.sentences.float(), labels, reduction="sum")
    return Losses(summed, batch.targets, sentence, len(labels))


@contextmanager
def only(head: Any, chosen: torch.Tensor) -> Iterator[None]:
    """Inside, `head` reads the rows (N,D) of its input (B,S,D) where `chosen` (B,S) is True, and gives (N,V)."""
    hook = head.register_forward_pre_hook(lambda _, given: (given[0][chosen],))
    try:
        yield
    finally:
        hook.remove()
