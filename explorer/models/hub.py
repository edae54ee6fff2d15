"""Downloads from the Hugging Face Hub, with every failure in words for the person who waits.

Only the files that a tokenizer needs, or these and safetensors: nothing that could hold code is fetched.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import wait as wait_for
from contextlib import contextmanager
from fnmatch import fnmatch
from pathlib import Path

from explorer.models.places import Progress, hub_caches
from explorer.types import InputProblem, Message

TOKENIZER_FILES = (
    "config.json",
    "generation_config.json",
    "tokenizer.json",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "chat_template.jinja",
    "vocab.json",
    "vocab.txt",
    "merges.txt",
    "spiece.model",
    "tokenizer.model",
    "source.spm",
    "target.spm",
)
WHOLE = ("model.safetensors",)
SHARDS = ("model.safetensors.index.json", "model-*-of-*.safetensors")
PATIENCE = 10.0
"""Seconds to wait for an answer of the Hub."""
PAUSE = 30.0
"""Seconds for which the Hub, once out of reach, is not asked again: no page should wait twice in a row."""

_silent_until = {"time": 0.0}


def fetch(name: str, *, weights: bool, progress: Progress | None = None) -> Path:
    """The folder with the files of the model `name`, downloaded unless they are in the cache. Raises InputProblem."""
    from huggingface_hub import HfApi, snapshot_download
    from huggingface_hub.utils import disable_progress_bars

    if time.monotonic() < _silent_until["time"]:
        raise _out_of_reach(name)
    disable_progress_bars()
    endpoint = os.environ.get("HF_ENDPOINT")
    cache = hub_caches()[0]
    with _in_words(name):
        info = HfApi(endpoint=endpoint).model_info(name, files_metadata=True, timeout=PATIENCE)
        offered = {file.rfilename: file.size or 0 for file in info.siblings or ()}
        wanted = _wanted(name, offered, weights)
        _check_room(name, cache, sum(offered[file] for file in wanted))
        with ThreadPoolExecutor(1) as worker:
            job = worker.submit(
                snapshot_download,
                name,
                allow_patterns=wanted,
                cache_dir=cache,
                endpoint=endpoint,
                etag_timeout=PATIENCE,
            )
            blobs = cache / f"models--{name.replace('/', '--')}" / "blobs"
            while not wait_for([job], timeout=0.3).done:
                _tell(progress, name, _bytes_in(blobs), sum(offered[file] for file in wanted))
            return Path(job.result())


def _wanted(name: str, offered: Mapping[str, int], weights: bool) -> list[str]:
    """The files to download of those that the Hub offers, by name and size."""
    wanted = list(TOKENIZER_FILES)
    if weights:
        wanted += WHOLE if WHOLE[0] in offered else SHARDS
    found = [file for file in offered if any(fnmatch(file, pattern) for pattern in wanted)]
    if weights and not any(file.endswith(".safetensors") for file in found):
        raise InputProblem(
            "{model} has no weights in the safetensors format on the Hub, and no other format is loaded here.",
            {"model": name},
        )
    if "config.json" not in found:
        raise InputProblem(
            "{model} has no config.json on the Hub, so it is no model for transformers.", {"model": name}
        )
    return found


def _check_room(name: str, cache: Path, needed: int) -> None:
    there = next(folder for folder in (cache, *cache.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    if needed > free:
        raise InputProblem(
            "{model} takes {needed} MB, but only {free} MB are free on the disk.",
            {"model": name, "needed": needed // 10**6, "free": free // 10**6},
        )


def _bytes_in(folder: Path) -> int:
    return sum(_size(file) for file in folder.iterdir()) if folder.is_dir() else 0


def _size(file: Path) -> int:
    """Its bytes; 0 for a file that was renamed in the meantime."""
    try:
        return file.stat().st_size
    except FileNotFoundError:
        return 0


def _tell(progress: Progress | None, name: str, done: int, whole: int) -> None:
    if progress is not None:
        progress(Message("Downloading {model}", {"model": name}), min(1.0, done / whole) if whole else None)


@contextmanager
def _in_words(name: str) -> Iterator[None]:
    """Turns whatever the Hub or the way to it answers into one sentence."""
    from huggingface_hub.errors import GatedRepoError, HfHubHTTPError, HTTPError, RepositoryNotFoundError

    try:
        yield
    except GatedRepoError as problem:
        raise InputProblem(
            "{model} is given out only to people who asked for it on the Hub. Choose an open model.", {"model": name}
        ) from problem
    except RepositoryNotFoundError as problem:
        raise InputProblem(
            "The Hub has no open model {model}. Check how its name is written.", {"model": name}
        ) from problem
    except HfHubHTTPError as problem:
        raise InputProblem(
            "The Hub refused to give {model} (status {status}). Try again later, or choose a model that is here.",
            {"model": name, "status": problem.response.status_code},
        ) from problem
    except (HTTPError, OSError) as problem:
        _silent_until["time"] = time.monotonic() + PAUSE
        raise _out_of_reach(name) from problem


def _out_of_reach(name: str) -> InputProblem:
    return InputProblem(
        "{model} is not on this machine, and the Hub cannot be reached. Check the network, or choose a model that is "
        "here.",
        {"model": name},
    )
