"""An exercise as a value: what is given, what is to be filled in, the right answers with their reasons, and the grade.

A sheet is a table of tokens whose cells are given or asked; a board is a mask, given or asked. A cell is named by its
place, "cell:2:4" for row 2 and column 4 of the exercise, and every answer is a string.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from explorer.types import IGNORE, Bools, Example, InputProblem, Message, Role, Stream

Answers = Mapping[str, str]
"""Key of a cell -> what the reader put there."""

OFF, ON = "0", "1"
"""What a cell holds that is turned on and off."""

NOTHING = str(IGNORE)
"""The answer "no token here", as labels have it."""

KINDS: dict[str, Message] = {
    "labels": Message("Labels"),
    "loss": Message("Loss"),
    "mask": Message("Mask"),
    "write": Message("Input and target"),
    "bug": Message("Find the bug"),
    "output": Message("Output"),
    "count": Message("Count"),
    "stages": Message("Sampling"),
    "next": Message("Next token"),
    "open": Message("Open question"),
}
"""Every kind of exercise, in the order of the page, and its name there."""

NAMED = {"-".join(title.id.lower().split()): kind for kind, title in KINDS.items()}
"""Kinds by their names, for a code that is typed with the name: sampling-2-17."""

LEVELS = (1, 2, 3)
LARGEST = 99_999


@dataclass(frozen=True)
class Code:
    """Names one exercise: the same code is the same exercise for everyone.

    >>> str(Code("mask", 2, 17))
    'mask-2-17'
    """

    kind: str
    level: int
    number: int

    def __str__(self) -> str:
        return f"{self.kind}-{self.level}-{self.number}"


BETWEEN = re.compile(r"[\s\-\u2010-\u2015\u2212]+")
"""What may stand between the parts of a code: a hyphen, or what is typed or pasted for one."""


def parse_code(text: str) -> Code:
    """The code as it is written, with hyphens, spaces or dashes, or with the name of its kind. Raises InputProblem for
    what is none.

    >>> parse_code(" Mask-2-17 ")
    Code(kind='mask', level=2, number=17)
    >>> str(parse_code("Next token 2 17"))
    'next-2-17'
    """
    *words, level, number = ["", "", *BETWEEN.split(text.strip().lower())]
    name = "-".join(filter(None, words))
    kind = NAMED.get(name, name)
    given = {"code": text, "kinds": ", ".join(KINDS), "largest": LARGEST}
    plain = level.isascii() and level.isdigit() and number.isascii() and number.isdigit()
    if kind not in KINDS or not plain or int(level) not in LEVELS or int(number[:9]) > LARGEST:
        raise InputProblem(
            "There is no exercise {code}. A code is a kind ({kinds}), a level from 1 to 3 and a number up to "
            "{largest}, such as mask-2-17.",
            given,
        )
    return Code(kind, int(level), int(number))


@dataclass(frozen=True)
class Shown:
    """A cell that is given: a piece, what stands small under it, and its role where it is read by a model."""

    text: str
    small: str = ""
    role: Role | None = None


@dataclass(frozen=True)
class Cell:
    """A cell that is asked. why: why the right answer is right; slips: wrong answers that have a reason of their own;
    start: what it holds at first; flips: it is turned on and off."""

    key: str
    name: Message
    right: str
    why: Message
    slips: Mapping[str, Message] = field(default_factory=dict)
    start: str = ""
    flips: bool = False

    def reason(self, given: str) -> Message:
        """Why `given` is wrong here."""
        if given == "":
            return Message("It is empty. {why}", {"why": self.why})
        return self.slips.get(given, self.why)


@dataclass(frozen=True)
class Line:
    """A row of a sheet: its name, and for each column what is given or asked; None where there is nothing."""

    name: Message
    entries: tuple[Shown | Cell | None, ...]


@dataclass(frozen=True)
class Choice:
    """Something that can be put into a cell: its value, the words or the piece on it, what stands small under it."""

    value: str
    text: Message | str
    small: str = ""


@dataclass(frozen=True)
class Sheet:
    """Rows of one length under their positions, and what may be put into the cells asked. picks: cells that are
    answered by a choice alone and have no place in a row; counted: whether the columns are positions."""

    lines: tuple[Line, ...]
    choices: tuple[Choice, ...] = ()
    picks: tuple[Cell, ...] = ()
    title: Message | None = None
    counted: bool = True

    @property
    def cells(self) -> Iterator[Cell]:
        """The cells asked, row by row, then those without a place."""
        for line in self.lines:
            yield from (entry for entry in line.entries if isinstance(entry, Cell))
        yield from self.picks


@dataclass(frozen=True, eq=False)
class Board:
    """A mask (Q,K) over named queries and keys. mask: what is given; cells: what is asked, row by row, if anything."""

    queries: tuple[str, ...]
    keys: tuple[str, ...]
    mask: Bools
    cells: tuple[Cell, ...] = ()


@dataclass(frozen=True, eq=False)
class Exercise:
    """One exercise. hints: from vague to plain; steps: the worked solution in words; examples: what the right answers
    were read from, to be drawn as on the pages of the objectives; words: lines of text that belong to the question."""

    code: Code
    question: Message
    sheets: tuple[Sheet, ...] = ()
    board: Board | None = None
    hints: tuple[Message, ...] = ()
    steps: tuple[Message, ...] = ()
    examples: tuple[Example, ...] = ()
    words: tuple[str, ...] = ()

    @cached_property
    def cells(self) -> tuple[Cell, ...]:
        """Every cell asked."""
        own = () if self.board is None else self.board.cells
        return (*(cell for sheet in self.sheets for cell in sheet.cells), *own)

    @property
    def start(self) -> dict[str, str]:
        """The answers before anybody has answered."""
        return {cell.key: cell.start for cell in self.cells}

    @property
    def right(self) -> dict[str, str]:
        """The right answers."""
        return {cell.key: cell.right for cell in self.cells}

    def values(self, key: str) -> tuple[str, ...]:
        """Everything that can be put into a cell."""
        sheet = next((each for each in self.sheets if any(cell.key == key for cell in each.cells)), None)
        choices = () if sheet is None else tuple(choice.value for choice in sheet.choices)
        return choices or (OFF, ON)


@dataclass(frozen=True)
class Mark:
    """What became of one cell."""

    cell: Cell
    given: str

    @property
    def right(self) -> bool:
        return self.given == self.cell.right

    @property
    def reason(self) -> Message:
        """Why the answer is wrong; for a right one, why it is right."""
        return self.cell.why if self.right else self.cell.reason(self.given)


@dataclass(frozen=True)
class Grade:
    """The marks of all cells, in order."""

    marks: tuple[Mark, ...]

    @property
    def wrong(self) -> tuple[Mark, ...]:
        return tuple(mark for mark in self.marks if not mark.right)

    @property
    def n_right(self) -> int:
        return len(self.marks) - len(self.wrong)

    @property
    def score(self) -> float:
        """Share of the cells that are right, 0 to 1; 1 where nothing is asked."""
        return self.n_right / len(self.marks) if self.marks else 1.0


def grade(exercise: Exercise, answers: Answers) -> Grade:
    """Compare cell by cell; a cell that is not in `answers` holds what it started with."""
    return Grade(tuple(Mark(cell, answers.get(cell.key, cell.start)) for cell in exercise.cells))


def place(row: int, column: int) -> str:
    """The key of a cell."""
    return f"cell:{row}:{column}"


def given_line(name: Message, stream: Stream) -> Line:
    """What a stack reads, as a row of given cells."""
    rows = zip(stream.visible, stream.ids.tolist(), stream.roles, strict=True)
    return Line(name, tuple(Shown(piece, str(id), role) for piece, id, role in rows))


def label_line(name: Message, labels: Sequence[int], visible: Sequence[str]) -> Line:
    """Labels as they are passed, as a row of given cells."""
    return Line(
        name,
        tuple(
            Shown("−100") if label == IGNORE else Shown(piece, str(label))
            for label, piece in zip(labels, visible, strict=True)
        ),
    )
