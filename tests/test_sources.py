"""Where models come from: the order of the sources, pickles, and damaged files."""

from __future__ import annotations

import json
import os
import shutil
import struct
from pathlib import Path

import pytest

from explorer.models.checkpoint import read_checkpoint
from explorer.models.places import Place, home, hub_caches
from explorer.models.sources import locate, tokenizer_folder, weights_folder
from explorer.types import InputProblem


def cached(folder: Path, name: str, source: Path) -> Path:
    """Puts a model where the Hub's cache has it."""
    repository = folder / f"models--{name.replace('/', '--')}"
    snapshot = repository / "snapshots" / ("a" * 40)
    shutil.copytree(source, snapshot)
    (repository / "refs").mkdir()
    (repository / "refs" / "main").write_text("a" * 40, encoding="utf-8")
    return snapshot


def test_the_mirror_comes_before_the_cache(tiny_folder: Path, empty: Path) -> None:
    tiny = tiny_folder / "tiny" / "gpt2"
    snapshot = cached(empty / "HF_HUB_CACHE", "tiny/gpt2", tiny)
    assert locate("tiny/gpt2").weights == Place("cache", snapshot)
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
