"""A training that can be stopped and gone on with: weights, the optimizer's moments and the place in the data.

Only safetensors and JSON. A checkpoint is written beside the old one and takes its place whole, so that a stop in the
middle of writing loses nothing.
"""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.types import InputProblem

if TYPE_CHECKING:
    import torch

NAME = "checkpoint"


@dataclass(frozen=True)
class Progress:
    """How far a training is: steps and tokens learned, seconds spent, the pool and the batch in it that come next, the
    losses on held-out texts so far as (step, loss)."""

    step: int = 0
    tokens: int = 0
    seconds: float = 0.0
    pool: int = 0
    batch: int = 0
    held_out: tuple[tuple[int, float], ...] = ()


def save(folder: Path, model: Any, optimizer: torch.optim.Optimizer, progress: Progress) -> None:
    """Writes the checkpoint of a training in `folder`."""
    from safetensors.torch import save_file

    new, old = folder / f"{NAME}-new", folder / f"{NAME}-old"
    for place in (new, old):
        shutil.rmtree(place, ignore_errors=True)
    new.mkdir(parents=True)
    weights = dict(model.named_parameters())
    save_file({name: weight.detach() for name, weight in weights.items()}, new / "weights.safetensors")
    moments = {
        f"{name}.{key}": value
        for name, weight in weights.items()
        for key, value in optimizer.state.get(weight, {}).items()
    }
    save_file(moments, new / "moments.safetensors")
    (new / "progress.json").write_text(json.dumps(asdict(progress)) + "\n", encoding="utf-8")
    if (folder / NAME).exists():
        (folder / NAME).rename(old)
    new.rename(folder / NAME)
    shutil.rmtree(old, ignore_errors=True)


def load(folder: Path, model: Any, optimizer: torch.optim.Optimizer) -> Progress:
    """Puts the checkpoint of the training in `folder` into the model and the optimizer. Raises InputProblem where there
    is none, or it belongs to another model."""
    from safetensors import SafetensorError
    from safetensors.torch import load_file

    place = next((folder / name for name in (NAME, f"{NAME}-old") if (folder / name).is_dir()), None)
    if place is None:
        raise InputProblem("There is no checkpoint in {folder} to go on from.", {"folder": str(folder)})
    try:
        weights, moments = (load_file(place / f"{name}.safetensors") for name in ("weights", "moments"))
        progress = Progress(**json.loads((place / "progress.json").read_text(encoding="utf-8")))
        _fill(model, optimizer, weights, moments)
    except (OSError, ValueError, TypeError, KeyError, RuntimeError, SafetensorError) as problem:
        raise InputProblem(
            "The checkpoint in {folder} cannot be used: {reason}", {"folder": str(place), "reason": str(problem)}
        ) from problem
    return replace(progress, held_out=tuple((int(step), float(loss)) for step, loss in progress.held_out))


def _fill(model: Any, optimizer: torch.optim.Optimizer, weights: dict[str, Any], moments: dict[str, Any]) -> None:
    import torch

    for name, weight in model.named_parameters():
        with torch.no_grad():
            weight.copy_(weights[name])
        keys = ("step", "exp_avg", "exp_avg_sq")
        if f"{name}.step" in moments:
            optimizer.state[weight] = {key: moments[f"{name}.{key}"].to(weight.device) for key in keys}
