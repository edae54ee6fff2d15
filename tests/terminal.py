"""The command line as a person at a terminal sees it: what it prints, and its exit code."""

from __future__ import annotations

import json
from typing import Any, NoReturn

import pytest

from explorer.__main__ import main

Capture = pytest.CaptureFixture[str]


def printed(capsys: Capture, *argv: str) -> str:
    """What a command prints that does its work: exit code 0, and nothing on stderr."""
    code = main(list(argv))
    out, err = capsys.readouterr()
    assert (code, err) == (0, "")
    return out


def answer(capsys: Capture, *argv: str) -> dict[str, Any]:
    """The JSON object of a command: one line, no NaN, no Infinity."""
    out = printed(capsys, *argv, "--json")
    assert out.endswith("\n")
    assert out.count("\n") == 1
    found = json.loads(out, parse_constant=_refuse)
    assert isinstance(found, dict)
    return found


def refusal(capsys: Capture, *argv: str) -> str:
    """The one line that a user's error leaves on stderr: exit code 2, nothing on stdout."""
    code = main(list(argv))
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert err.endswith("\n")
    assert len(err.splitlines()) == 1
    assert len(err) <= 1000
    return err.removesuffix("\n")


def _refuse(constant: str) -> NoReturn:
    raise AssertionError(f"{constant} is no JSON")
