"""What a head of fine-tuning says at the targets of an Example: classes of a text or of its tokens, ends of an answer.

The head of the checkpoint numbers its classes itself, so they are matched by name; where it has no names, by number.
Alphabet: T positions, C classes, N targets.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.decoding import ENDS
from explorer.models.loading import Loaded
from explorer.types import TASKS, Example, HeadOutput, InputProblem, Scores

if TYPE_CHECKING:
    import torch
    from numpy.typing import NDArray


def require_task(loaded: Loaded, example: Example) -> None:
    """Raises InputProblem where the checkpoint has no head for the example's task, or other stacks than it."""
    _require_stack(loaded, example)
    if example.objective not in loaded.facts.parts:
        raise InputProblem(
            "{model} was not fine-tuned for this task: its checkpoint has no head {head}. Choose a model that has one.",
            {"model": loaded.facts.model.name, "head": f"For{TASKS[example.objective]}"},
        )


def _require_stack(loaded: Loaded, example: Example) -> None:
    """An encoder would read what was made for a decoder all the same, but without its causal mask."""
    both = example.encoder is not None and example.decoder is not None
    wanted = "encoder-decoder" if both else "decoder" if example.encoder is None else "encoder"
    if wanted != loaded.facts.stack:
        raise InputProblem(
            "The example is made for the stack {wanted}, but {model} has the stack {own}. Change who reads the text, "
            "or choose another model.",
            {"wanted": wanted, "model": loaded.facts.model.name, "own": loaded.facts.stack},
        )


def head_output(loaded: Loaded, example: Example) -> HeadOutput:
    """All that the head says about the example, at every position. Raises InputProblem where there is no such head."""
    from explorer.models.forward import inputs, running

    require_task(loaded, example)
    with running(loaded):
        output = loaded.module(**inputs(loaded, example))
    finds = example.objective == "question_answering"
    logits = _ends(output).T if finds else output["logits"][0]  # (T,2), or (C,) or (T,C)
    names = ENDS if finds else _names(loaded)
    return HeadOutput(loaded.facts.model.name, logits.float().cpu().numpy(), names)


def features(loaded: Loaded, example: Example) -> NDArray[np.float32]:
    """(T,D) or (S,D): the last states of the stack whose outputs are compared, which any head would be put on. Raises
    InputProblem for an example that the model cannot read."""
    from explorer.models.forward import inputs, running

    _require_stack(loaded, example)
    with running(loaded):
        output = loaded.module(**inputs(loaded, example), output_hidden_states=True)
    states = output["decoder_hidden_states" if loaded.facts.stack == "encoder-decoder" else "hidden_states"]
    return states[-1][0].float().cpu().numpy()  # type: ignore[no-any-return]


def _ends(output: Any) -> torch.Tensor:
    """(2,T): start and end scores."""
    import torch

    return torch.stack([output["start_logits"][0], output["end_logits"][0]])


def task_scores(loaded: Loaded, output: Any, example: Example, top: int) -> Scores:
    """Loss and best guesses at each target; a guess is a class, or a position where an answer is looked for."""
    if example.value is not None:
        return _value_scores(loaded, output["logits"][0], example.value)
    if example.objective == "question_answering":
        rows = _ends(output)
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


def _value_scores(loaded: Loaded, said: torch.Tensor, wanted: float) -> Scores:
    """The squared error of the one number (1,). Raises InputProblem where the head gives several."""
    if len(said) != 1:
        raise InputProblem(
            "{model} gives {count} numbers, one for each class, but a number to come near to needs a head with one.",
            {"model": loaded.facts.model.name, "count": len(said)},
        )
    value = float(said[0])
    error = np.array([(value - wanted) ** 2])
    return Scores(
        loaded.facts.model, error, np.zeros((1, 1), dtype=np.int64), np.ones((1, 1)), ((f"{value:.4g}",),), squared=True
    )


def _names(loaded: Loaded) -> tuple[str, ...]:
    named = loaded.module.config.id2label
    return tuple(str(named[number]) for number in range(len(named)))


def _number(loaded: Loaded, names: Sequence[str], example: Example, number: int) -> int:
    """The model's own number of a class. Raises InputProblem where it has none of that name."""
    wanted = example.classes[number]
    if wanted in names:
        return names.index(wanted)
    # Checkpoints write POSITIVE where people write positive.
    alike = [place for place, name in enumerate(names) if name.casefold() == wanted.casefold()]
    if len(alike) == 1:
        return alike[0]
    unnamed = all(name == f"LABEL_{place}" for place, name in enumerate(names))
    if unnamed and len(names) == len(example.classes):
        return number
    raise InputProblem(
        "{model} has no class {name}; its classes are: {names}.",
        {"model": loaded.facts.model.name, "name": wanted, "names": ", ".join(names)},
    )
