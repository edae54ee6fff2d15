"""Every sentence of the code has its Korean, with the same placeholders; every lesson stands in both languages."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest
from babel.messages.pofile import read_po

from explorer.locale import FOLDER, KEYWORDS, extracted
from tests.house import SOURCES

CATALOGUES = sorted(FOLDER.glob("*.po"))
LESSONS = FOLDER / "lessons"
LANGUAGES = sorted(path.name for path in LESSONS.iterdir() if path.is_dir() and path.name != "en")


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(sentence) if name is not None}


def test_korean_is_there() -> None:
    assert "ko" in {path.stem for path in CATALOGUES}
    assert set(LANGUAGES) == {path.stem for path in CATALOGUES}


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_no_message_is_missing_fuzzy_or_left_over(path) -> None:
    with path.open("rb") as file:
        entries = {str(entry.id): entry for entry in read_po(file, locale=path.stem) if entry.id}
    wanted = {sentence for sentence, _, _ in extracted()}
    translated = {id for id, entry in entries.items() if entry.string and not entry.fuzzy}
    assert wanted - translated == set()
    assert set(entries) - wanted == set()


@pytest.mark.parametrize("path", CATALOGUES, ids=lambda path: path.stem)
def test_placeholders_are_the_same(path) -> None:
    with path.open("rb") as file:
        entries = [entry for entry in read_po(file, locale=path.stem) if entry.id and entry.string]
    assert entries
    different = [str(entry.id) for entry in entries if placeholders(str(entry.id)) != placeholders(str(entry.string))]
    assert different == []


def test_every_sentence_is_a_literal_that_can_be_extracted() -> None:
    """A sentence that is put together in the code would reach the page untranslated."""
    hidden = []
    for path in SOURCES:
        if path.name in {"messages.py", "words.py"}:
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                first = node.args[0] if node.args else None
                if node.func.id != "t" and not (isinstance(first, ast.Constant) and isinstance(first.value, str)):
                    hidden.append(f"{path.name}:{node.lineno}")
                if node.func.id == "t" and isinstance(first, ast.JoinedStr):
                    hidden.append(f"{path.name}:{node.lineno}")
    assert hidden == []


def test_no_sentence_hides_inside_an_f_string() -> None:
    """babel does not look there."""
    hidden = []
    for path in SOURCES:
        tree = ast.parse(path.read_text(encoding="utf-8"))
        inside = [node for outer in ast.walk(tree) if isinstance(outer, ast.JoinedStr) for node in ast.walk(outer)]
        for node in inside:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in KEYWORDS:
                hidden += [f"{path.name}:{node.lineno}"] if isinstance(node.args[0], ast.Constant) else []
    assert hidden == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_have_the_same_shape(language: str) -> None:
    english = {path.name: path for path in (LESSONS / "en").glob("*.md")}
    other = {path.name: path for path in (LESSONS / language).glob("*.md")}
    assert set(english) == set(other)
    for name, path in english.items():
        shapes = [
            re.findall(r"^(#+|-|\d+\.) ", each.read_text(encoding="utf-8"), re.MULTILINE)
            for each in (path, other[name])
        ]
        assert shapes[0] == shapes[1], name


def test_lessons_have_at_most_200_words() -> None:
    long = {
        path.name: len(path.read_text(encoding="utf-8").split())
        for path in LESSONS.glob("*/*.md")
        if len(path.read_text(encoding="utf-8").split()) > 200
    }
    assert long == {}
