"""Where a model lies: names, folders and the two parts (tokenizer, weights) that may come from different sources."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from explorer.types import InputProblem, Message

Origin = Literal["folder", "bundled", "wheel", "cache"]
"""A school's mirror (EXPLORER_MODELS), our own small models, an installed package, the Hub's cache on this machine."""

Progress = Callable[[Message, float | None], None]
"""Called with what is being done and the share done so far, None where the end is not known."""

OWNER = "explorer"
"""The owner of the models that come with the app, as in explorer/bert."""

NAME = re.compile(r"[A-Za-z0-9][\w.-]{0,95}(/[A-Za-z0-9][\w.-]{0,95})?", re.ASCII)


@dataclass(frozen=True)
class Place:
    """Where one part of a model lies: a folder in the layout of transformers, or a .gguf file still to be converted."""

    origin: Origin
    path: Path

    @property
    def packed(self) -> bool:
        """Whether it is a GGUF file."""
        return self.path.suffix == ".gguf"


@dataclass(frozen=True)
class Source:
    """Where the parts of a model lie on this machine; None for a part that does not."""

    name: str
    tokenizer: Place | None
    weights: Place | None


def check_name(name: str) -> str:
    """The name itself. Raises InputProblem unless it is one model id, so that it can never leave a folder.

    >>> check_name("openai-community/gpt2")
    'openai-community/gpt2'
    """
    if not NAME.fullmatch(name) or ".." in name or "--" in name:
        raise InputProblem(
            "{model} is no model id. Write it as owner/name, for example openai-community/gpt2.", {"model": repr(name)}
        )
    return name


def home() -> Path:
    """The folder for what this app makes and keeps: EXPLORER_HOME, or a folder in the user's own cache."""
    given = os.environ.get("EXPLORER_HOME")
    return Path(given).expanduser() if given else _user_cache() / "pretraining-explorer"


def mirror() -> Path | None:
    """The folder EXPLORER_MODELS, laid out owner/name; None where it is not set or not there."""
    given = os.environ.get("EXPLORER_MODELS")
    folder = Path(given).expanduser() if given else None
    return folder if folder is not None and folder.is_dir() else None


def bundled() -> Path:
    """The folder of the models that come with the app."""
    return Path(__file__).parents[1] / "bundled"


def ours(name: str) -> bool:
    """Whether a model of this name comes with the app, or not at all: it is no name on the Hub."""
    return name.startswith(f"{OWNER}/")


def hub_caches() -> tuple[Path, ...]:
    """Folders in which the Hub keeps its downloads; new ones go into the first."""
    given = os.environ.get("HF_HUB_CACHE")
    shared = os.environ.get("HF_HOME") or os.environ.get("XDG_CACHE_HOME", "~/.cache") + "/huggingface"
    own = (home() / "hub",) if os.environ.get("EXPLORER_HOME") else ()
    return (*own, Path(given or shared + "/hub").expanduser())


def offline() -> bool:
    """Whether the Hub may not be asked."""
    return any(os.environ.get(name, "").lower() in {"1", "true", "yes", "on"} for name in _OFFLINE)


_OFFLINE = ("EXPLORER_OFFLINE", "HF_HUB_OFFLINE")


def _user_cache() -> Path:
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA", "~/AppData/Local")).expanduser()
    if sys.platform == "darwin":
        return Path("~/Library/Caches").expanduser()
    return Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache").expanduser()
