"""An exercise being done: the answers so far, the cell in hand, what was checked; and the score of the session.

A desk is a value, and a press makes the next one: "cell:2:4" takes a cell in hand or turns it over, "put:1:33" puts the
value 33 of sheet 1 into the cell in hand and goes on to the next.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from explorer.exercises.values import OFF, ON, Answers, Cell, Code, Exercise, Grade, Mark, grade


@dataclass(frozen=True)
class Desk:
    """checked: the answers as they were when last checked, None before; at: the key of the cell in hand; hints: how
    many are shown; solved: whether the solution is; early: whether Check was pressed with nothing filled in; whole:
    whether cells that are as they were handed out are marked too; seen: how many presses have been answered."""

    code: Code
    answers: Answers
    at: str = ""
    checked: Answers | None = None
    hints: int = 0
    solved: bool = False
    early: bool = False
    whole: bool = False
    seen: int = 0

    def mark(self, cell: Cell) -> Mark | None:
        """What became of a cell, as long as it is as it was when checked."""
        given = self.answers[cell.key]
        if self.checked is None or self.checked[cell.key] != given:
            return None
        return Mark(cell, given)

    def told(self, cell: Cell) -> Mark | None:
        """Its mark, where the reader may see it: marks of cells that nobody has touched would tell the shape of the
        solution, so they wait for the whole."""
        mark = self.mark(cell)
        return mark if mark is None or self.whole or mark.given != cell.start else None


def begin(exercise: Exercise, seen: int = 0) -> Desk:
    """Nothing answered, the first cell in hand."""
    first = next((cell.key for cell in exercise.cells), "")
    return Desk(exercise.code, exercise.start, first, seen=seen)


def press(desk: Desk, exercise: Exercise, mark: str) -> Desk:
    """The desk after a press; one that fits nothing, or comes when the solution is shown, changes nothing."""
    if desk.solved:
        return desk
    desk = replace(desk, early=False)
    if mark.startswith("put:"):
        _, sheet, value = mark.split(":", 2)
        return _put(desk, exercise, int(sheet), value)
    cell = next((each for each in exercise.cells if each.key == mark), None)
    if cell is None:
        return desk
    if not cell.flips:
        return replace(desk, at=cell.key)
    turned = OFF if desk.answers[cell.key] == ON else ON
    return replace(desk, at=cell.key, answers={**desk.answers, cell.key: turned})


def _put(desk: Desk, exercise: Exercise, number: int, value: str) -> Desk:
    """The value in the cell in hand, or in the first of the sheet where another sheet's is; then on to the next."""
    if number >= len(exercise.sheets):
        return desk
    sheet = exercise.sheets[number]
    keys = [cell.key for cell in sheet.cells]
    if not keys or value not in {choice.value for choice in sheet.choices}:
        return desk
    at = desk.at if desk.at in keys else keys[0]
    following = keys[min(keys.index(at) + 1, len(keys) - 1)]
    return replace(desk, answers={**desk.answers, at: value}, at=following)


def untouched(desk: Desk, exercise: Exercise) -> bool:
    """Whether the sheet is as it was handed out, which is not worth a grade: its marks would tell which cells stay as
    they are. One that is right as it was handed out can be checked."""
    return desk.answers == exercise.start != exercise.right


def check(desk: Desk, exercise: Exercise) -> tuple[Desk, Grade]:
    """The desk with its answers marked, and the grade. The whole is marked when all is right, and when one cell alone
    is wrong, unless no more than one has been touched."""
    found = grade(exercise, desk.answers)
    touched = sum(mark.given != mark.cell.start for mark in found.marks)
    whole = desk.whole or not found.wrong or (len(found.wrong) == 1 and touched > 1)
    return replace(desk, checked=desk.answers, early=False, whole=whole), found


def solve(desk: Desk, exercise: Exercise) -> Desk:
    """The desk with every right answer in its place."""
    return replace(desk, answers=exercise.right, checked=None, solved=True, early=False)


@dataclass(frozen=True)
class Tally:
    """The score of a session. An exercise counts once, with its first check; looking at the solution before that
    counts it as not done. counted: codes that have been counted; streak: full ones in a row, now and at best."""

    counted: frozenset[str] = frozenset()
    full: int = 0
    right: int = 0
    cells: int = 0
    streak: int = 0
    best: int = 0

    def add(self, code: Code, found: Grade, *, shown: bool = False) -> Tally:
        """The tally with one more exercise. shown: the solution was looked at first."""
        if str(code) in self.counted:
            return self
        full = not shown and not found.wrong
        streak = self.streak + 1 if full else 0
        return Tally(
            self.counted | {str(code)},
            self.full + full,
            self.right + (0 if shown else found.n_right),
            self.cells + len(found.marks),
            streak,
            max(self.best, streak),
        )
