"""Sentences for people, kept apart from the code that raises them; only the user interface translates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import isfinite


@dataclass(frozen=True)
class Message:
    """A sentence for a person: the English sentence with {placeholders} is its id, the values stand apart.

    >>> str(Message("{n} targets", {"n": 3}))
    '3 targets'
    """

    id: str
    values: Mapping[str, object] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.id.format(**self.values)


class InputProblem(ValueError):
    """Input that cannot be used, in words for the person who gave it. Holds a `Message`."""

    def __init__(self, id: str, values: Mapping[str, object] | None = None) -> None:
        self.message = Message(id, dict(values or {}))
        super().__init__(str(self.message))


def check_range(name: str, value: float, low: float | None = None, high: float | None = None) -> None:
    """Raises InputProblem, with the value, unless it is a finite number from `low` to `high`; None is no bound."""
    inside = (low is None or value >= low) and (high is None or value <= high)
    given = {"name": name, "value": value, "low": low, "high": high}
    if not inside and high is not None:
        raise InputProblem("{name} is {value}, but must lie between {low} and {high}.", given)
    if not inside:
        raise InputProblem("{name} is {value}, but must be at least {low}.", given)
    # A whole number may be larger than any float, so only floats can be asked.
    if isinstance(value, float) and not isfinite(value):
        raise InputProblem("{name} is {value}, but must be a finite number.", given)
