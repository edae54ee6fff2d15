"""The objectives, collected from this package: every module that defines OBJECTIVE."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from explorer.objectives.base import Objective, ReadyExample, Stack, TextBox, Texts
from explorer.types import InputProblem

__all__ = ["Objective", "ReadyExample", "Stack", "TextBox", "Texts", "objective", "objectives"]


@cache
def objectives() -> dict[str, Objective]:
    """Every objective by key."""
    modules = (import_module(f"{__name__}.{item.name}") for item in iter_modules(__path__))
    found = [module.OBJECTIVE for module in modules if hasattr(module, "OBJECTIVE")]
    return {item.key: item for item in found}


def objective(key: str) -> Objective:
    """The objective of that key; InputProblem names the known ones."""
    known = objectives()
    if key not in known:
        raise InputProblem("There is no objective {key}; there are: {names}.", {"key": key, "names": ", ".join(known)})
    return known[key]
