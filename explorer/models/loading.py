"""From files to a model in memory that is complete, in evaluation mode, and free of code from elsewhere."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

from explorer.models.checkpoint import Checkpoint, Part, read_checkpoint
from explorer.models.device import budget, torch_dtype
from explorer.models.places import Place, Progress
from explorer.models.sources import weights_folder
from explorer.models.turns import Turns
from explorer.objectives.base import Stack
from explorer.tokens import Tokenizer
from explorer.types import TASKS, InputProblem, Message, ModelId

LENGTHS = ("max_position_embeddings", "n_positions")
RESERVED = {"roberta": 2, "xlm-roberta": 2, "camembert": 2, "mpnet": 2}
"""Rows of the position table that these models keep for padding."""

ONE_AT_A_TIME = Lock()
"""While transformers reads a model, no class ties its weights: another model that is read or made meanwhile would lack
those that it shares."""


@dataclass(frozen=True)
class Facts:
    """What a loaded model is, in plain values.

    limit: the longest sequence, None where positions are relative; vocabulary: rows of the embedding; layers and heads
    of the (first) stack; start: ids that a decoder begins with when there is an encoder; ends: ids that end a text.
    """

    model: ModelId
    stack: Stack
    parts: frozenset[Part]
    parameters: int
    limit: int | None
    vocabulary: int
    layers: int
    heads: int
    start: tuple[int, ...]
    ends: frozenset[int]


@dataclass(eq=False)
class Loaded:
    """A model in memory. Only `models` and `training` may hold one; `lock` is taken around every forward pass, in turn.
    words: its tokenizer, where the catalogue does not know the model."""

    facts: Facts
    module: Any
    size: int
    accepts: frozenset[str]
    lock: Turns = field(default_factory=Turns)
    words: Tokenizer | None = None


def load(model: ModelId, progress: Progress | None = None) -> Loaded:
    """The model in memory, with every head that its checkpoint has and none that it lacks. Raises InputProblem."""
    folder = weights_folder(model.name, progress)
    checkpoint = read_checkpoint(Place("cache", folder))
    _check_size(model, checkpoint)
    if progress is not None:
        progress(Message("Loading {model}", {"model": model.name}), None)
    module = _read(folder, model, checkpoint)
    module = module.to(model.device).eval()
    size = sum(weight.numel() * weight.element_size() for weight in module.parameters())
    accepts = frozenset(inspect.signature(module.forward).parameters)
    return Loaded(_facts(model, module, checkpoint), module, size, accepts)


def _check_size(model: ModelId, checkpoint: Checkpoint) -> None:
    needed = checkpoint.parameters * torch_dtype(model).itemsize
    if needed > budget(model.device):
        raise InputProblem(
            "{model} would take {size} MB of memory, but only {limit} MB may be used. Choose a smaller model.",
            {"model": model.name, "size": needed // 10**6, "limit": budget(model.device) // 10**6},
        )


def _read(folder: Path, model: ModelId, checkpoint: Checkpoint) -> Any:
    from safetensors import SafetensorError
    from transformers.utils import logging

    # Bars and reports would end in the server's log; what they tell is checked below.
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        with ONE_AT_A_TIME:
            module, report = _class(checkpoint).from_pretrained(
                folder,
                dtype=torch_dtype(model),
                use_safetensors=True,
                local_files_only=True,
                trust_remote_code=False,
                output_loading_info=True,
            )
    except (OSError, ValueError, RuntimeError, KeyError, ImportError, SafetensorError) as problem:
        reason = str(problem).strip().splitlines()
        raise InputProblem(
            "{model} cannot be loaded: {reason}",
            {"model": model.name, "reason": reason[0] if reason else type(problem).__name__},
        ) from problem
    return _complete(module, set(report["missing_keys"]), model)


def _complete(module: Any, missing: set[str], model: ModelId) -> Any:
    """The module if every weight came from the file. transformers fills what is missing with random numbers."""
    if missing and all(key.startswith("pooler.") for key in missing):
        module.pooler = None
        return module
    if missing:
        raise InputProblem(
            "The checkpoint of {model} lacks weights ({names}), and random numbers in their place would mislead.",
            {"model": model.name, "names": ", ".join(sorted(missing)[:3])},
        )
    return module


def _class(checkpoint: Checkpoint) -> Any:
    """The class with exactly the heads that the checkpoint has."""
    import transformers

    if "language model" in checkpoint.parts:
        if "next sentence" in checkpoint.parts:
            return transformers.AutoModelForPreTraining
        heads = {
            "encoder": transformers.AutoModelForMaskedLM,
            "decoder": transformers.AutoModelForCausalLM,
            "encoder-decoder": transformers.AutoModelForSeq2SeqLM,
        }
        return heads[checkpoint.stack]
    task = next((name for key, name in TASKS.items() if key in checkpoint.parts), None)
    return transformers.AutoModel if task is None else getattr(transformers, f"AutoModelFor{task}")


def _facts(model: ModelId, module: Any, checkpoint: Checkpoint) -> Facts:
    config = module.config

    # Settings of writing are no longer attributes of the config, so they are read from the file itself.
    def said(name: str) -> Any:
        value = getattr(getattr(module, "generation_config", None), name, None)
        return checkpoint.config.get(name) if value is None else value

    start, ends = [said("decoder_start_token_id"), said("forced_bos_token_id")], said("eos_token_id")
    lengths = [getattr(config, name) for name in LENGTHS if getattr(config, name, None)]
    relative = config.model_type in {"t5", "mt5"}
    return Facts(
        model,
        checkpoint.stack,
        checkpoint.parts,
        sum(weight.numel() for weight in module.parameters()),
        None if relative or not lengths else int(lengths[0]) - RESERVED.get(config.model_type, 0),
        int(module.get_input_embeddings().num_embeddings),
        int(config.num_hidden_layers),
        int(config.num_attention_heads),
        tuple(id for id in start if id is not None),
        frozenset([] if ends is None else ends if isinstance(ends, list) else [ends]),
    )
