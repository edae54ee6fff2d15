"""How the code that a reader takes home loads a model, so that it runs where the page ran."""

from __future__ import annotations

from explorer.example import Loading
from explorer.models.places import Place
from explorer.models.sources import WHEELS, locate

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
    return Loading(_in_package(model, place) + inside, ("from importlib.util import find_spec", ""))


def _in_package(model: str, place: Place) -> str:
    package, file = WHEELS[model]
    root = f'find_spec("{package}").submodule_search_locations[0]'
    return root if place.packed else f'{root} + "/{file}"'
