"""What the READMEs say is so: tests that exist, commands that run, variables and packages that are explained."""

from __future__ import annotations

import ast
import re
import shlex
from pathlib import Path

import pytest

from explorer.__main__ import parser
from tests.house import ROOT, SOURCES

README = (ROOT / "README.md").read_text(encoding="utf-8")
CASES = (ROOT / "tests" / "README.md").read_text(encoding="utf-8")


def names_in(path: Path) -> set[str]:
    """The tests of a file as pytest names them: function, or class::function."""
    found = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body:
        inside = node.body if isinstance(node, ast.ClassDef) else [node]
        owner = f"{node.name}::" if isinstance(node, ast.ClassDef) else ""
        found |= {f"{owner}{each.name}" for each in inside if isinstance(each, ast.FunctionDef)}
    return found


def test_every_case_has_its_line() -> None:
    assert re.findall(r"^\| (O\d\d) \|", CASES, re.MULTILINE) == [f"O{number:02}" for number in range(1, 46)]


@pytest.mark.parametrize("name", re.findall(r"`([\w/]+\.py::[\w:]+)`", CASES))
def test_a_test_that_is_named_exists(name: str) -> None:
    file, _, test = name.partition("::")
    assert test in names_in(ROOT / "tests" / file)


def test_a_case_names_a_test_or_says_why_not() -> None:
    for line in re.findall(r"^\| O\d\d .*", CASES, re.MULTILINE):
        assert "::" in line or "not yet: " in line, line


@pytest.mark.parametrize("line", re.findall(r"^ +python -m explorer (.+)", README, re.MULTILINE))
def test_a_command_of_the_readme_can_be_read(line: str) -> None:
    assert parser().parse_words(shlex.split(line)).answer


def test_every_command_is_in_the_readme() -> None:
    shown = re.findall(r"^ +python -m explorer (\w+)", README, re.MULTILINE)
    usage = parser().format_help()
    assert set(shown) == set(re.findall(r"^    (\w+)", usage, re.MULTILINE))


def test_every_variable_is_explained() -> None:
    read = {name for path in SOURCES for name in re.findall(r"EXPLORER_[A-Z_]+", path.read_text(encoding="utf-8"))}
    assert read == set(re.findall(r"^\| `(EXPLORER_[A-Z_]+)", README, re.MULTILINE))


def test_every_package_has_its_reason() -> None:
    for file in ("requirements.txt", "requirements-dev.txt"):
        for package in re.findall(r"^([\w-]+)==", (ROOT / file).read_text(encoding="utf-8"), re.MULTILINE):
            assert re.search(rf"^\|[^|]*\b{package}\b", README, re.MULTILINE), package


@pytest.mark.parametrize("script", re.findall(r"scripts/(\w+)", README))
def test_a_script_of_the_readme_exists(script: str) -> None:
    assert (ROOT / "scripts" / script).read_text(encoding="utf-8").startswith("#!/usr/bin/env python3\n")
