"""What a head of fine-tuning says at the targets of an Example: classes of a text or of its tokens, ends of an answer.

The head of the checkpoint numbers its classes itself, so they are matched by name; where it has no names, by number.
Alphabet: T positions, C classes, N targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer.models.loading import Loaded
from explorer.types import TASKS, Example, InputProblem, Scores

if TYPE_CHECKING:
    import torch


def require_task(loaded: Loaded, example: Example) -> None:
    """Raises InputProblem where the checkpoint has no head for the example's task."""
    if example.objective not in loaded.facts.parts:
        raise InputProblem(
            "{model} was not fine-tuned for this task: its checkpoint has no head {head}. Choose a model that has one.",
            {"model": loaded.facts.model.name, "head": f"For{TASKS[example.objective]}"},
        )


def task_scores(loaded: Loaded, output: Any, example: Example, top: int) -> Scores:
    """Loss and best guesses at each target; a guess is a class, or a position where an answer is looked for."""
    import torch

    if example.objective == "question_answering":
        rows = torch.stack([output["start_logits"][0], output["end_logits"][0]])  # (2,T)
        names: Sequence[str] = example.output.visible
        wanted = [target.position for target in example.targets]
    else:
        names = _names(loaded)
        wanted = [_number(loaded, names, example, target.predicts_id) for target in example.targets]
        rows = output["logits"]  # (1,C), or (1,T,C) where tokens have classes
        if rows.ndim == 3:
            rows = rows[0, [target.position for target in example.targets]]  # (N,C)
    return _scores(loaded, rows.float().log_softmax(-1), wanted, names, top)


def _scores(loaded: Loaded, rows: torch.Tensor, wanted: Sequence[int], names: Sequence[str], top: int) -> Scores:
    best = rows.topk(min(top, rows.shape[-1]))
    return Scores(
        loaded.facts.model,
        -rows[range(len(wanted)), list(wanted)].cpu().double().numpy(),
        best.indices.cpu().numpy(),
        best.values.exp().cpu().double().numpy(),
        tuple(tuple(names[number] for number in row) for row in best.indices.tolist()),
    )


def _names(loaded: Loaded) -> tuple[str, ...]:
    named = loaded.module.config.id2label
    return tuple(str(named[number]) for number in range(len(named)))


def _number(loaded: Loaded, names: Sequence[str], example: Example, number: int) -> int:
    """The model's own number of a class. Raises InputProblem where it has none of that name."""
    wanted = example.classes[number]
    if wanted in names:
        return names.index(wanted)
    unnamed = all(name == f"LABEL_{place}" for place, name in enumerate(names))
    if unnamed and len(names) == len(example.classes):
        return number
    raise InputProblem(
        "{model} has no class {name}; its classes are: {names}.",
        {"model": loaded.facts.model.name, "name": wanted, "names": ", ".join(names)},
    )
