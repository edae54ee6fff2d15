"""What a training leaves: a folder in transformers' layout with half-precision weights and a model card."""

from __future__ import annotations

import copy
import shutil
from pathlib import Path
from typing import Any

from explorer.training.baseline import smollm
from explorer.training.card import card
from explorer.training.corpus import read_corpus
from explorer.training.evaluation import Figure, figures
from explorer.training.facts import read_facts
from explorer.training.recipes import Recipe
from explorer.training.trained import Trained

CARD = "README.md"


def ship(model: Any, folder: Path) -> None:
    """Writes weights (float16), config and generation config beside the tokenizer in `folder`. The weights take their
    place whole, so that a reader never finds half a file."""
    import torch
    import transformers

    transformers.utils.logging.disable_progress_bar()
    new = folder.with_name(folder.name + "-new")
    shutil.rmtree(new, ignore_errors=True)
    half = copy.deepcopy(model).to("cpu", torch.float16)
    half.config.dtype = torch.float16
    half.save_pretrained(new)
    for file in new.iterdir():
        file.replace(folder / file.name)
    new.rmdir()


def measure(recipe: Recipe, folder: Path, corpus: Path, device: str) -> list[Figure]:
    """What the model in `folder` reaches on the held-out part of the corpus."""
    return figures(Trained(recipe, folder, device), read_corpus(corpus).held_out, smollm)


def finish(recipe: Recipe, folder: Path, corpus: Path, device: str) -> list[Figure]:
    """Measures what was shipped, and writes the figures into its card."""
    found = measure(recipe, folder, corpus, device)
    (folder / CARD).write_text(card(recipe, read_facts(folder), found), encoding="utf-8")
    return found
