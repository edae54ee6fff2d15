"""How the code that a reader takes home loads a model, so that it runs where the page ran; and the files of the app's
own models, which are nowhere else, to take along."""

from __future__ import annotations

from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from shutil import copyfileobj
from threading import Lock
from zipfile import ZipFile, ZipInfo

from explorer.example import Loading, place_of
from explorer.models import places
from explorer.models.checkpoint import weight_files
from explorer.models.places import OWNER, Place
from explorer.models.sources import locate
from explorer.needs import own_models

ONE_AT_A_TIME = Lock()
"""So that a class that asks at once needs the memory of one file of weights, not of thirty."""

FOLDER = (
    "",
    "",
    "def place(name):",
    '    """The folder of a model in EXPLORER_MODELS, or its name on the Hub where there is none."""',
    '    folder = Path(environ.get("EXPLORER_MODELS", "."), name)',
    "    return folder if folder.is_dir() else name",
    "",
)


def loading(model: str, *, weights: bool = True) -> Loading:
    """For the part that is wanted, weights or else the tokenizer: from a school's folder, out of a package, from the
    app's own folder, or by its name on the Hub. Raises InputProblem for what is no model id."""
    source = locate(model)
    place = source.weights if weights else source.tokenizer
    if place is None or place.origin in {"cache", "bundled"}:
        return Loading.by_name(model)
    inside = f', gguf_file="{place.path.name}"' if place.packed else ""
    if place.origin == "folder":
        return Loading(f'place("{model}"){inside}', ("from os import environ", "from pathlib import Path", ""), FOLDER)
    return Loading(_in_package(place) + inside, ("from importlib.util import find_spec", ""))


def _in_package(place: Place) -> str:
    """A file or folder that lies right in the folder of its package."""
    root = f'find_spec("{place.path.parent.name}").submodule_search_locations[0]'
    return root if place.packed else f'{root} + "/{place.path.name}"'


def files_beside(code: str) -> dict[str, Path]:
    """The files of the app's own models that the code loads, by the names under which it looks for them; no weights
    where it loads the tokenizer alone."""
    found: dict[str, Path] = {}
    for name, whole in own_models(code).items():
        folder = places.bundled() / name
        kept = set() if whole else {*weight_files(folder)}
        files = sorted(file for file in folder.glob("*") if file.is_file() and file not in kept)
        found |= {f"{place_of(f'{OWNER}/{name}')}/{file.name}": file for file in files}
    return found


def zipped(files: Mapping[str, Path]) -> bytes:
    """A ZIP of the files, which is the same whenever it is made, so that a server that keeps files by what is in them
    has it once. Weights do not get smaller by packing."""
    packed = BytesIO()
    with ONE_AT_A_TIME, ZipFile(packed, "w") as archive:
        for name, file in files.items():
            entry = ZipInfo(name)
            entry.file_size, entry.external_attr = file.stat().st_size, 0o644 << 16
            with file.open("rb") as read, archive.open(entry, "w") as write:
                copyfileobj(read, write)
    return packed.getvalue()
