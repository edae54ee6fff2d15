"""What a checkpoint holds, read from its headers alone: no weight is touched, torch is not imported.

A part (body, language-model head, task head) that is not in the file is absent. Filling it with random numbers, as
`from_pretrained` does with a warning, would show a class made-up predictions.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import Any, Literal, cast

from explorer.models.places import Place
from explorer.objectives.base import Stack
from explorer.types import TASKS, InputProblem

Part = Literal[
    "encoder",
    "language model",
    "next sentence",
    "sequence_classification",
    "token_classification",
    "question_answering",
]
"""encoder: the body, whichever stacks it has (enough for attention); the others are heads on top of it, those of
fine-tuning by the key of their objective."""

ENCODERS = {
    "bert": "cls.predictions.transform.dense.weight",
    "distilbert": "vocab_transform.weight",
    "roberta": "lm_head.dense.weight",
    "xlm-roberta": "lm_head.dense.weight",
    "camembert": "lm_head.dense.weight",
    "mpnet": "lm_head.dense.weight",
    "albert": "predictions.dense.weight",
    "electra": "generator_predictions.dense.weight",
}
"""Model types with one stack that reads both ways, and a weight that only their language-model head has."""

UNTIED = frozenset({"llama", "mistral", "qwen2", "qwen3", "gpt_neox", "phi", "phi3"})
"""Decoders whose head is a matrix of its own unless the config ties it to the embeddings."""

TASK_HEADS = ("classifier.", "qa_outputs.", "score.", "classification_head.")
FAMILIES: Mapping[str, str] = {"bart": "BART", "mbart": "BART", "t5": "T5", "mt5": "T5", "marian": "Transformer"}


def head_for(objective: str) -> Part:
    """The head that an objective needs: that of its task, else the language model's.

    >>> head_for("masked_lm"), head_for("question_answering")
    ('language model', 'question_answering')
    """
    return cast(Part, objective) if objective in TASKS else "language model"


@dataclass(frozen=True)
class Checkpoint:
    """config: the model's config.json; sizes: how many numbers each of its weights has, by name."""

    config: Mapping[str, Any]
    sizes: Mapping[str, int]

    @property
    def parameters(self) -> int:
        return sum(self.sizes.values())

    @property
    def stack(self) -> Stack:
        return stack_of(self.config)

    @property
    def parts(self) -> frozenset[Part]:
        """What the file holds, judged by the names of its weights."""
        found: set[Part] = {"encoder"} if self.sizes else set()
        if self.sizes and self._has_language_head():
            found.add("language model")
        if "cls.seq_relationship.weight" in self.sizes:
            found.add("next sentence")
        if self._has_task_head:
            classes = self.config.get("architectures") or ()
            found |= {cast(Part, key) for key, name in TASKS.items() if any(each.endswith(name) for each in classes)}
        return frozenset(found)

    def _has_language_head(self) -> bool:
        kind = self.config.get("model_type")
        if kind in ENCODERS:
            return ENCODERS[kind] in self.sizes
        if "lm_head.weight" in self.sizes:
            return True
        tied = self.config.get("tie_word_embeddings", kind not in UNTIED)
        return bool(tied) and self.stack != "encoder" and not self._has_task_head

    @property
    def _has_task_head(self) -> bool:
        return any(key.startswith(TASK_HEADS) for key in self.sizes)


def stack_of(config: Mapping[str, Any]) -> Stack:
    """Which stacks a model has, from its config.json.

    >>> stack_of({"model_type": "bert"}), stack_of({"model_type": "bart", "is_encoder_decoder": True})
    ('encoder', 'encoder-decoder')
    """
    kind = config.get("model_type")
    if config.get("is_encoder_decoder", kind in FAMILIES):
        return "encoder-decoder"
    reads_both_ways = any("ForMaskedLM" in name for name in config.get("architectures") or ())
    return "encoder" if kind in ENCODERS or reads_both_ways else "decoder"


def family_of(config: Mapping[str, Any]) -> str:
    """The family a model belongs to, by its config.json."""
    usual = {"encoder": "BERT", "decoder": "GPT", "encoder-decoder": "Transformer"}
    return FAMILIES.get(str(config.get("model_type")), usual[stack_of(config)])


def read_checkpoint(place: Place) -> Checkpoint:
    """The checkpoint that lies there. Raises InputProblem where a file is damaged or was cut short."""
    if place.packed:
        return _packed(place.path, place.path.stat().st_mtime_ns)
    sizes: dict[str, int] = {}
    for file in weight_files(place.path):
        sizes |= _header(file, file.stat().st_mtime_ns)
    return Checkpoint(read_config(place.path), sizes)


def weight_files(folder: Path) -> tuple[Path, ...]:
    """The safetensors files of a checkpoint; none where there are none, or not all that the index names."""
    if (folder / "model.safetensors").is_file():
        return (folder / "model.safetensors",)
    try:
        index = json.loads((folder / "model.safetensors.index.json").read_text(encoding="utf-8"))
        shards = tuple(folder / Path(name).name for name in sorted(set(index["weight_map"].values())))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return ()
    return shards if all(shard.is_file() for shard in shards) else ()


def read_config(folder: Path) -> Mapping[str, Any]:
    """The config.json of a folder. Raises InputProblem where it is missing or no JSON object."""
    file = folder / "config.json"
    try:
        config = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise InputProblem("{file} cannot be read: {reason}", {"file": file.name, "reason": str(problem)}) from problem
    if not isinstance(config, dict):
        raise InputProblem("{file} cannot be read: {reason}", {"file": file.name, "reason": "no JSON object"})
    return cast(Mapping[str, Any], config)


@lru_cache(maxsize=16)
def _packed(file: Path, modified: int) -> Checkpoint:
    from explorer.models.gguf_file import read_gguf

    packed = read_gguf(file)
    sizes = {name: prod(tensor.shape) for name, tensor in packed.tensors.items()}
    # A GGUF file is always a whole model: it leaves the head out only where it is tied to the embeddings.
    return Checkpoint({"model_type": packed.metadata.get("general.architecture"), "tie_word_embeddings": True}, sizes)


@lru_cache(maxsize=256)
def _header(file: Path, modified: int) -> Mapping[str, int]:
    """The sizes of the weights in a safetensors file: 8 bytes length, a JSON header, the data."""
    try:
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(8))
            header = json.loads(stream.read(min(length, file.stat().st_size)))
        weights = {name: entry for name, entry in header.items() if name != "__metadata__"}
        end = max((entry["data_offsets"][1] for entry in weights.values()), default=0)
        sizes = {name: prod(entry["shape"]) for name, entry in weights.items()}
    except (struct.error, ValueError, KeyError, TypeError, AttributeError) as problem:
        raise _damaged(file) from problem
    if 8 + length + end != file.stat().st_size:
        raise _damaged(file)
    return sizes


def _damaged(file: Path) -> InputProblem:
    return InputProblem(
        "The file {file} is damaged or was not downloaded whole. Delete it and load the model again, or install the "
        "app again if the model came with it.",
        {"file": f"{file.parent.name}/{file.name}"},
    )
