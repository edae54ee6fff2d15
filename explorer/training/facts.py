"""What is known of a training that left a model: kept beside the weights, so that its card can be written again."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

from explorer.types import InputProblem

PACKAGES = ("torch", "transformers", "tokenizers")
NAME = "training.json"


@dataclass(frozen=True)
class Facts:
    """recipe, command and machine as text; how far the training got; parameters; held_out: the mean loss of a target on
    held-out texts, in nats; versions of the packages that matter."""

    recipe: str
    command: str
    machine: str
    steps: int
    tokens: int
    minutes: float
    parameters: int
    held_out: float
    versions: str

    def save(self, folder: Path) -> None:
        """Writes the facts into the model's folder."""
        (folder / NAME).write_text(json.dumps(asdict(self), indent=2) + "\n", encoding="utf-8")


def versions() -> str:
    """Python and the packages that do the work, with their versions."""
    from importlib.metadata import version

    return ", ".join([f"Python {sys.version.split()[0]}", *(f"{name} {version(name)}" for name in PACKAGES)])


def read_facts(folder: Path) -> Facts:
    """The facts in a model's folder. Raises InputProblem where there are none."""
    try:
        return Facts(**json.loads((folder / NAME).read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError) as problem:
        raise InputProblem("{file} cannot be read: {reason}", {"file": NAME, "reason": str(problem)}) from problem
