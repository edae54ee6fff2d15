"""Settings of an objective as a dataclass whose fields carry label, range and choices.

Controls, command line, URL parameters and tests are all made from these fields.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar, cast

from explorer.types import InputProblem, Message, check_range

S = TypeVar("S")


@dataclass(frozen=True)
class Knob:
    """How one setting is shown and checked. rare: behind "More"; trap: a mistake people make, as a switch; bound: the
    text boxes that it is written for, such as positions in a text: it is emptied when one of them is changed."""

    label: Message
    help: Message | None = None
    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: Mapping[str, Message] | None = None
    rare: bool = False
    trap: bool = False
    bound: tuple[str, ...] = ()


BOXES = ("text", "text_b", "target", "messages")
"""All text boxes."""


def knob(default: Any, label: Message, **how: Any) -> Any:
    """A dataclass field with its `Knob`; the type of `default` (bool, int, float, str) is the setting's type."""
    return field(default=default, metadata={"knob": Knob(label, **how)})


def knobs(settings: Any) -> dict[str, Knob]:
    """The knob of each field of a Settings class or value, in order."""
    return {item.name: cast(Knob, item.metadata["knob"]) for item in fields(settings)}


def parse_settings(kind: type[S], given: Mapping[str, str]) -> S:
    """Settings from strings (`--set NAME=VALUE`, URL). Raises InputProblem with the name, value and range."""
    known = {item.name: item for item in fields(cast(Any, kind))}
    values: dict[str, Any] = {}
    for name, text in given.items():
        if name not in known:
            names = ", ".join(known) or "none"
            raise InputProblem("There is no setting {name}; the settings are: {names}.", {"name": name, "names": names})
        values[name] = _parse(name, text, known[name].default)
    return checked(kind(**values))


def checked(settings: S) -> S:
    """The settings themselves if every value is inside its knob's range; else InputProblem."""
    for name, how in knobs(settings).items():
        value = getattr(settings, name)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            check_range(name, value, how.low, how.high)
        if how.choices is not None and value not in how.choices:
            names = ", ".join(how.choices)
            raise InputProblem(
                "{name} is {value}, but must be one of: {names}.", {"name": name, "value": value, "names": names}
            )
    return settings


_KINDS = {bool: Message("true or false"), int: Message("a whole number"), float: Message("a number")}


def _parse(name: str, text: str, default: Any) -> Any:
    words = {"1": True, "true": True, "yes": True, "on": True, "0": False, "false": False, "no": False, "off": False}
    try:
        if isinstance(default, bool):
            return words[text.strip().lower()]
        return type(default)(text)
    except (KeyError, ValueError):
        what = _KINDS.get(type(default), Message("text"))
        raise InputProblem(
            "{name} is {value}, but must be {what}.", {"name": name, "value": text, "what": what}
        ) from None
