"""Reading the command line: a parser that raises instead of leaving, and what turns words into values."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

if TYPE_CHECKING:
    Commands = argparse._SubParsersAction["Parser"]

N = TypeVar("N", int, float)


class Misuse(ValueError):
    """What was typed cannot be used. Its words are English, as all that the command line says."""


class Parser(argparse.ArgumentParser):
    """Raises Misuse for what it cannot read; takes whole option names only."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**{"allow_abbrev": False, **how})

    def error(self, message: str) -> NoReturn:
        """What is wrong, and where to read on."""
        raise Misuse(f"{message}; see {self.prog} --help")

    def parse_words(self, words: Sequence[str]) -> argparse.Namespace:
        """The arguments; a value may begin with a dash, as -1,2 does. Where it is itself the name of an option it
        needs the sign: --text=--json."""
        names = {name: action for action in _actions(self) for name in action.option_strings}
        joined: list[str] = []
        for word in words:
            before = names.get(joined[-1]) if joined else None
            if before is not None and before.nargs != 0 and word not in names:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return self.parse_args(joined)

    def _get_values(self, action: argparse.Action, words: list[str]) -> Any:
        # argparse takes the text of --text=-- for the sign that ends all options, and throws it away.
        if action.option_strings and words == ["--"]:
            return self._get_value(action, "--")
        return super()._get_values(action, words)


def _actions(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """All arguments of a parser and of its commands."""
    for action in parser._actions:
        yield action
        if isinstance(action, argparse._SubParsersAction):
            for command in action.choices.values():
                yield from _actions(command)


def whole(text: str) -> int:
    """A whole number, for argparse."""
    return _number(int, text, "a whole number")


def real(text: str) -> float:
    """A number, for argparse."""
    return _number(float, text, "a number")


def separated(kind: Callable[[str], N]) -> Callable[[str], list[N]]:
    """Numbers that commas separate; an empty text has none.

    >>> separated(whole)("0,1, 1"), separated(whole)("")
    ([0, 1, 1], [])
    """
    return lambda text: [kind(part) for part in text.split(",")] if text.strip() else []


def _number(kind: Callable[[str], N], text: str, what: str) -> N:
    try:
        return kind(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not {what}") from None


def from_json(name: str, text: str) -> Any:
    """The numbers of a JSON text: one, or lists of them. Raises Misuse with the place of the fault."""
    try:
        found = json.loads(text)
    except json.JSONDecodeError as problem:
        place = f"line {problem.lineno}, column {problem.colno}"
        raise Misuse(f"{name} is not valid JSON: {place}: {problem.msg}.") from None
    except (ValueError, RecursionError):
        raise Misuse(f"{name} is too deep or holds a number too long.") from None
    for each in _leaves(found):
        # numpy would read null as nan, true as 1 and "1" as a number.
        if type(each) not in (int, float):
            raise Misuse(f"{name} takes numbers and lists of them, not {json.dumps(each)}.")
    return found


def _leaves(value: object) -> Iterator[object]:
    """What stands in the lists, however deep they are."""
    rest = [value]
    while rest:
        each = rest.pop()
        if isinstance(each, list):
            rest += reversed(each)
        else:
            yield each


def contents(name: str) -> str:
    """The text of a UTF-8 file, or of standard input where the name is a dash. Raises Misuse."""
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise Misuse(f"The file {name} cannot be read: it is not UTF-8 text.") from None
    except (OSError, ValueError) as problem:
        reason = getattr(problem, "strerror", None) or str(problem)
        raise Misuse(f"The file {name} cannot be read: {reason}.") from None
    if not text.strip():
        raise Misuse(f"The file {name} is empty.")
    return text
