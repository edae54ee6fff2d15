"""Sentences for people, kept apart from the code that raises them; only the user interface translates."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


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
