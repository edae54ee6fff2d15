"""Fixtures: real tokenizers from the folder EXPLORER_MODELS, read-only and shared by the whole run."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from explorer.models import places
from explorer.tokens import Tokenizer

if TYPE_CHECKING:
    from explorer.models import Runtime

# How long one example takes says nothing on a busy machine.
settings.register_profile("house", deadline=None)
settings.load_profile("house")
os.environ.setdefault("EXPLORER_OFFLINE", "1")


@pytest.fixture(scope="session")
def models_folder() -> Path:
    """The folder owner/name/ with real tokenizers; skips where there is none."""
    folder = os.environ.get("EXPLORER_MODELS")
    if not folder or not Path(folder).is_dir():
        pytest.skip("EXPLORER_MODELS does not name a folder with tokenizers")
    return Path(folder)


@pytest.fixture(scope="session")
def tokenizer(models_folder: Path) -> Callable[[str], Tokenizer]:
    """name -> the real tokenizer of that canonical id."""
    from explorer.models.tokenizer import load_tokenizer

    loaded: dict[str, Tokenizer] = {}

    def load(name: str) -> Tokenizer:
        if name not in loaded:
            loaded[name] = load_tokenizer(models_folder / name, name)
        return loaded[name]

    return load


@pytest.fixture(scope="session")
def tiny_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder owner/name with a tiny random model of every family."""
    from tests.tiny import FAMILIES, save

    folder = tmp_path_factory.mktemp("models")
    for family in FAMILIES:
        save(folder, family)
    return folder


@pytest.fixture
def tiny_models(tiny_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Makes the tiny models the ones that the app finds, and keeps it away from this machine's caches."""
    monkeypatch.setenv("EXPLORER_MODELS", str(tiny_folder))
    monkeypatch.setenv("EXPLORER_HOME", str(tiny_folder / "home"))
    monkeypatch.setenv("HF_HUB_CACHE", str(tiny_folder / "hub"))
    monkeypatch.setattr(places, "bundled", lambda: tiny_folder / "bundled")
    return tiny_folder


@pytest.fixture
def empty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No mirror, no caches, nothing that comes with the app, the Hub not to be asked."""
    for name in ("EXPLORER_MODELS", "EXPLORER_HOME", "HF_HUB_CACHE"):
        monkeypatch.setenv(name, str(tmp_path / name))
    (tmp_path / "EXPLORER_MODELS").mkdir()
    monkeypatch.setattr(places, "bundled", lambda: tmp_path / "bundled")
    return tmp_path


@pytest.fixture(scope="session")
def bundled_folder(tiny_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Tiny random models in half precision under the names of those that come with the app."""
    from tests.tiny import save_bundled

    return save_bundled(tiny_folder, tmp_path_factory.mktemp("bundled"))


@pytest.fixture
def only_bundled(bundled_folder: Path, empty: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A machine that has what comes with the app and nothing else: no mirror, no packages, no Hub. The models are small
    random ones under the names of the app's own, so nothing that was read or made under those names may stay."""
    from explorer.models import runtime
    from explorer.models.pool import Pool
    from explorer.ui import made

    monkeypatch.setattr(places, "bundled", lambda: bundled_folder)
    monkeypatch.setattr("explorer.models.sources.WHEELS", {})
    monkeypatch.setattr(runtime(), "_pool", Pool())
    made.example.cache_clear()
    yield bundled_folder
    made.example.cache_clear()


@pytest.fixture
def no_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the KV caches that other tests left away, so that those of this one can be counted."""
    from explorer.models import runtime
    from explorer.models.caches import Caches

    monkeypatch.setattr(runtime(), "_caches", Caches())


@pytest.fixture
def fresh(tiny_models: Path) -> Runtime:
    """A runtime of its own that knows the tiny models, with nothing in memory."""
    from explorer.models import Runtime
    from explorer.models.caches import Caches
    from explorer.models.pool import Pool

    return Runtime(Pool(), Caches())
