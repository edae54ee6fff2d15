"""What to do where a model lacks what was asked of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from explorer.cli.arguments import Misuse
from explorer.models.catalog import best, parts
from explorer.models.checkpoint import Part
from explorer.types import InputProblem


@contextmanager
def offering(model: str, part: Part) -> Iterator[None]:
    """Adds to a refusal the nearest model that has this part here, where the model itself has not."""
    try:
        yield
    except InputProblem as problem:
        nearest = None if part in parts(model) else best(model, part)
        if nearest is None:
            raise
        raise Misuse(f"{problem} The nearest model here that has what is needed is {nearest}.") from None
