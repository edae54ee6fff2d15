"""What there is to take home of the compare page: every family on one sentence, or one objective twice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from explorer.comparison import Columns, Way
from explorer.objectives import objective
from explorer.records import record
from explorer.types import Example, Message
from explorer.ui import frame
from explorer.ui.controls import Asked
from explorer.ui.example_parcel import given, rows_part
from explorer.ui.take_home_part import Parcel
from explorer.views.compare_code import compare_code, pair_code
from explorer.views.compared import Line, compared_table
from explorer.views.figures import figures_line
from explorer.views.roles import Say
from explorer.views.rows import token_rows
from explorer.views.tables import families_table, pair_table

TITLE = Message("Compare")


@dataclass(frozen=True)
class Shown:
    """What became of the sentence in one family: the model, and the Example or why there is none."""

    way: Way
    model: str
    example: Example | None
    problem: Message | None

    @property
    def line(self) -> Line:
        return Line(frame.PAGES[self.way.page].title, self.way.passes, self.example, self.problem)


def families_parcel(text: str, found: Sequence[Shown]) -> Parcel:
    """Of every family that the sentence can be used in."""
    made = {each.way.page: each.example for each in found if each.example is not None}
    lines = [each.line for each in found]

    def numbers() -> dict[str, object]:
        return {page: record(each, objective(each.objective).Settings(), 0) for page, each in made.items()}

    def parts(say: Say) -> list[tuple[str, str]]:
        fed = [(say(frame.PAGES[page].title), rows_part(each, say)[1]) for page, each in made.items()]
        return [(say(Message("Text")), given(text)), (say(TITLE), compared_table(lines, say)), *fed]

    return Parcel("compare", TITLE, "", compare_code(made), numbers, partial(families_table, lines), parts)


def pair_parcel(sides: Sequence[tuple[Asked, Example]], columns: tuple[Columns, Columns]) -> Parcel:
    """Of A and B. columns: those that are marked."""
    (_, a), (_, b) = sides

    return Parcel(
        "compare_pair",
        TITLE,
        a.objective,
        pair_code(a, b),
        partial(_pair_record, sides, columns),
        partial(pair_table, a, b),
        partial(_pair_parts, (a, b), columns),
    )


def _pair_record(sides: Sequence[tuple[Asked, Example]], columns: tuple[Columns, Columns]) -> dict[str, object]:
    examples = {name: record(made, asked.settings, asked.seed) for name, (asked, made) in zip("AB", sides, strict=True)}
    marked = {name: [sorted(getattr(each, name)) for each in columns] for name in ("source", "output")}
    return {**examples, "differences": marked}


def _pair_parts(examples: Sequence[Example], columns: tuple[Columns, Columns], say: Say) -> list[tuple[str, str]]:
    return [
        (name, token_rows(made, say, marked=marked) + figures_line(made, say))
        for name, made, marked in zip("AB", examples, columns, strict=True)
    ]
