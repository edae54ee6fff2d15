"""Merge the messages of the code into each catalogue: new ones come in empty, those no longer used go out."""

from __future__ import annotations

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from explorer.locale import FOLDER, extracted


def template() -> Catalog:
    """All messages, each with the files it stands in (without lines, so that moving code changes nothing)."""
    places: dict[str, set[str]] = {}
    for sentence, file, _ in extracted():
        places.setdefault(sentence, set()).add(file)
    catalogue = Catalog(project="Pretraining Explorer", charset="utf-8")
    for sentence in sorted(places, key=lambda each: (min(places[each]), each)):
        flags = ["python-brace-format"] if "{" in sentence else []
        catalogue.add(sentence, locations=[(file, None) for file in sorted(places[sentence])], flags=flags)
    return catalogue


def merge(path: Path) -> int:
    """Bring one catalogue up to date; how many messages have no translation."""
    with path.open("rb") as file:
        catalogue = read_po(file, locale=path.stem)
    catalogue.update(template(), no_fuzzy_matching=True)
    catalogue.obsolete.clear()
    with path.open("wb") as file:
        write_po(file, catalogue, width=110, include_lineno=False, ignore_obsolete=True, sort_by_file=True)
    return sum(1 for each in catalogue if each.id and not each.string)


if __name__ == "__main__":
    for path in sorted(FOLDER.glob("*.po")):
        sys.stdout.write(f"{path.name}: {merge(path)} to translate\n")
