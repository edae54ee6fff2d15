"""One look at the disk serves a whole run of a page, and nobody else."""

from __future__ import annotations

from contextvars import copy_context
from pathlib import Path

import pytest

from explorer.models import places
from explorer.models.glance import glance, once_a_glance
from explorer.models.sources import local_names, locate

NAME = "school/little"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A mirror with one model that has a tokenizer and a config, and an empty cache of the Hub."""
    model = tmp_path / "mirror" / NAME
    model.mkdir(parents=True)
    (model / "vocab.txt").write_text("[PAD]\n", encoding="utf-8")
    (model / "config.json").write_text("{}", encoding="utf-8")
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path / "mirror"))
    monkeypatch.setenv("EXPLORER_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    return model


def add_weights(folder: Path) -> None:
    (folder / "model.safetensors").write_bytes(b"weights")


def seen_after(change, *, looks_again: bool) -> tuple[int, int]:
    """How often the disk has been asked before and after a change, in a context of its own."""
    asked = []
    ask = once_a_glance(asked.append)

    def run() -> tuple[int, int]:
        glance()
        ask(NAME), ask(NAME)
        before = len(asked)
        change()
        if looks_again:
            glance()
        ask(NAME), ask(NAME)
        return before, len(asked)

    return copy_context().run(run)


def add_download(folder: Path) -> None:
    (folder.parents[2] / "hub" / "models--school--little" / "snapshots" / "1").mkdir(parents=True)


CHANGES = {
    "a file is added": add_weights,
    "a file is taken away": lambda folder: (folder / "vocab.txt").unlink(),
    "a file is written again": lambda folder: (folder / "config.json").write_text('{"a": 1}', encoding="utf-8"),
    "a model is added": lambda folder: (folder.parent / "other").mkdir(),
    "a model is downloaded": add_download,
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_change_is_seen_at_the_next_glance_and_not_before(folder, name) -> None:
    assert seen_after(lambda: CHANGES[name](folder), looks_again=True) == (1, 2)


def test_without_another_glance_the_disk_is_not_asked_again(folder) -> None:
    assert seen_after(lambda: add_weights(folder), looks_again=False) == (1, 1)


def test_whoever_has_not_looked_asks_the_disk_each_time(folder) -> None:
    assert locate(NAME).weights is None
    add_weights(folder)
    assert locate(NAME).weights == places.Place("folder", folder)


def test_a_run_of_a_page_keeps_to_what_it_saw(folder) -> None:
    def run() -> None:
        glance()
        assert NAME in local_names()
        assert locate(NAME).weights is None
        add_weights(folder)
        assert locate(NAME).weights is None
        glance()
        assert locate(NAME).weights is not None

    copy_context().run(run)
