"""Order the sampling stages: what each row of probabilities came from. The rows are those of `sampling.apply`.

An order is only asked for if the rows decide it: at every row exactly one of the filters left gives what is shown.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer import sampling
from explorer.exercises.cases import Random, random
from explorer.exercises.values import Cell, Choice, Code, Exercise, Line, Sheet, Shown, place
from explorer.types import Message, SamplingSettings, Stage

WORDS = ("mat", "sofa", "floor", "roof", "moon", "idea")
VALUES: dict[str, tuple[float, ...]] = {
    "repetition_penalty": (1.5, 2.0),
    "temperature": (0.5, 0.7, 1.5, 2.0),
    "top_k": (2, 3, 4, 5),
    "top_p": (0.6, 0.75, 0.9),
    "min_p": (0.05, 0.1, 0.2, 0.4),
}
"""The filters asked about and what they may be set to."""

TITLES = {
    "repetition_penalty": Message("repetition penalty"),
    "temperature": Message("temperature"),
    "top_k": Message("top-k"),
    "top_p": Message("top-p"),
    "min_p": Message("min-p"),
}

DOES = {
    "repetition_penalty": Message("The repetition penalty makes one token that was seen before less probable."),
    "temperature": Message("Temperature changes every probability and cuts none: below 1 sharper, above 1 flatter."),
    "top_k": Message("Top-k keeps so many of the most probable tokens."),
    "top_p": Message(
        "Top-p keeps the most probable tokens until they have so much of the mass; the one that crosses stays."
    ),
    "min_p": Message("Min-p keeps what has at least so much of the probability of the most probable token."),
}


@dataclass(frozen=True, eq=False)
class Row:
    """Logits (V,), the settings in their order, and what was seen before."""

    logits: np.ndarray
    settings: SamplingSettings
    seen: tuple[int, ...]

    @property
    def order(self) -> tuple[str, ...]:
        return self.settings.order

    def stages(self, order: Sequence[str]) -> tuple[Stage, ...]:
        """The model's distribution and the one after each filter in that order."""
        return sampling.apply(self.logits, replace(self.settings, order=tuple(order)), self.seen).stages

    def instead(self, at: int, name: str) -> Stage:
        """What another filter would have made of the row before `at`."""
        rest = [other for other in self.order[at:] if other != name]
        return self.stages([*self.order[:at], name, *rest])[at + 1]


def stages(code: Code) -> Exercise:
    """Two filters on level 1, three on level 2; on level 3 four, in an order of their own."""
    row = _row(code.level, random(code))
    found = row.stages(row.order)
    words = [Shown(word) for word in WORDS]
    lines = [Line(Message("token"), (*words, None))]
    lines += [Line(_name(at), (*_shown(stage), _cell(row, at - 1) if at else None)) for at, stage in enumerate(found)]
    values = {name: getattr(row.settings, name) for name in row.order}
    return Exercise(
        code,
        _question(row),
        sheets=(Sheet(tuple(lines), _choices(values), counted=False),),
        hints=(
            Message(
                "Count the tokens that are left in each row. Where none is cut, temperature or penalty was at work."
            ),
            Message("The first of them is {filter}.", {"filter": TITLES[row.order[0]]}),
        ),
        steps=tuple(DOES[name] for name in row.order),
    )


def _question(row: Row) -> Message:
    if "repetition_penalty" not in row.order:
        return Message("Each row is made from the one above by one filter. Which filter made it?")
    return Message(
        "Each row is made from the one above by one filter. Which filter made it? The text already holds {word}.",
        {"word": WORDS[row.seen[0]]},
    )


def _row(level: int, rng: Random) -> Row:
    """Logits and settings whose rows tell the order."""
    while True:
        names = [str(name) for name in rng.choice(list(VALUES), level + 1, replace=False)]
        order = names if level == 3 else [name for name in VALUES if name in names]
        values = {name: VALUES[name][int(rng.integers(len(VALUES[name])))] for name in order}
        settings = SamplingSettings(**{**_off(), **values}, order=tuple(order))  # type: ignore[arg-type]
        logits = np.round(rng.normal(0, 1.6, len(WORDS)), 1)
        row = Row(logits, settings, (int(rng.integers(len(WORDS))),))
        if _decided(row):
            return row


def _off() -> dict[str, float]:
    return {name: sampling.OFF[name] for name in VALUES}


def _decided(row: Row) -> bool:
    """Whether each filter changes its row, and no other filter left would have made the same of it."""
    found = [_shown(stage) for stage in row.stages(row.order)]
    for at, name in enumerate(row.order):
        others = [_shown(row.instead(at, other)) for other in row.order[at:] if other != name]
        if found[at + 1] in (found[at], *others):
            return False
    return True


def _shown(stage: Stage) -> tuple[Shown, ...]:
    """The probabilities as they stand on the sheet; what is cut has a dash."""
    kept = set(stage.kept.tolist())
    return tuple(Shown(f"{p:.2f}" if id in kept else "–") for id, p in enumerate(stage.probabilities.tolist()))


def _name(at: int) -> Message:
    return Message("after stage {at}", {"at": at}) if at else Message("the model")


def _cell(row: Row, at: int) -> Cell:
    right = row.order[at]
    slips = {other: _other(row, at, other) for other in row.order if other != right}
    return Cell(place(at, 0), Message("stage {at}", {"at": at + 1}), right, DOES[right], slips)


def _other(row: Row, at: int, name: str) -> Message:
    """What a wrong filter would have done, in numbers of this row."""
    if name in row.order[:at]:
        return Message("{filter} has been at work already, further up.", {"filter": TITLES[name]})
    real, other = row.stages(row.order)[at + 1], row.instead(at, name)
    far = int(np.abs(real.probabilities - other.probabilities).argmax())
    return Message(
        "Here {filter} would leave {kept} tokens and give {word} {other}; the row has {left} tokens and {p}.",
        {
            "filter": TITLES[name],
            "kept": len(other.kept),
            "word": WORDS[far],
            "other": f"{other.probabilities[far]:.2f}",
            "left": len(real.kept),
            "p": f"{real.probabilities[far]:.2f}",
        },
    )


def _choices(values: Mapping[str, float]) -> tuple[Choice, ...]:
    """The filters by name, each with its value."""
    return tuple(Choice(name, TITLES[name], f"{values[name]:g}") for name in VALUES if name in values)
