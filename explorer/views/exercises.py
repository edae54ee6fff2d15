"""An exercise as HTML: what is given, the cells to fill in with what may be put there, the mask to draw; and, once it
is checked, which cells are right and in words why the others are wrong, right under them.

A cell is told apart by more than colour: one in hand has a double frame, a right one a tick, a wrong one a cross.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from html import escape

import numpy as np

from explorer.exercises import Board, Cell, Choice, Exercise, Line, Sheet, Shown
from explorer.exercises.desk import Desk
from explorer.exercises.values import ON
from explorer.types import Message
from explorer.views.columns import column_widths
from explorer.views.grid import Axes, Grid
from explorer.views.roles import Say, legend, role_class
from explorer.views.style import attribute, clicks

BOARD = Message("The mask: rows look, columns are looked at")
SHEET = Message("What is given and what is to be filled in")


def exercise_picture(exercise: Exercise, desk: Desk, say: Say) -> str:
    """All sheets, then the board. Cells report "cell:2:4", choices "put:1:33" for the value 33 of sheet 1."""
    picture = _Picture(exercise, desk, say)
    parts = [picture.sheet(number, sheet) for number, sheet in enumerate(exercise.sheets)]
    if exercise.board is not None:
        # A mask that is only given belongs to what is given, above the choice.
        at = len(parts) if exercise.board.cells else len(parts) - 1
        parts.insert(at, picture.board(exercise.board))
    lines = [line for sheet in exercise.sheets for line in sheet.lines]
    roles = [each.role for line in lines for each in line.entries if isinstance(each, Shown) and each.role is not None]
    key = legend(roles, say, loss=False) if roles else ""
    return f'<div class="xp exercise">{"".join(parts)}{key}</div>'


@dataclass(frozen=True)
class _Picture:
    exercise: Exercise
    desk: Desk
    say: Say

    def sheet(self, number: int, sheet: Sheet) -> str:
        title = "" if sheet.title is None else f"<h3>{escape(self.say(sheet.title))}</h3>"
        table = self._table(sheet) if sheet.lines else ""
        return f"<section>{title}{table}{self._choices(number, sheet)}{self._wrong(sheet.cells)}</section>"

    def _table(self, sheet: Sheet) -> str:
        """The rows under their positions, in a box of their own."""
        words = [tuple(self._text(sheet, entry) for entry in line.entries) for line in sheet.lines]
        widths = column_widths(*words)
        columns = "".join(f'<col class="w{width}">' for width in widths)
        caption = self.say(SHEET)
        head, name = "", escape(self.say(Message("position")))
        if sheet.counted:
            numbers = "".join(f'<th scope="col">{at}</th>' for at in range(len(widths)))
            head = f'<thead><tr><th scope="row">{name}</th>{numbers}</tr></thead>'
        rows = "".join(self._line(sheet, line) for line in sheet.lines)
        return (
            f'<div class="rows" tabindex="0" role="region"{attribute("aria-label", caption)}><table>'
            f'<caption class="said">{escape(caption)}</caption><colgroup><col class="names">{columns}</colgroup>'
            f"{head}<tbody>{rows}</tbody></table></div>"
        )

    def _line(self, sheet: Sheet, line: Line) -> str:
        cells = "".join(self._entry(sheet, line, entry) for entry in line.entries)
        return f'<tr><th scope="row">{escape(self.say(line.name))}</th>{cells}</tr>'

    def _text(self, sheet: Sheet, entry: Shown | Cell | None) -> str:
        """What a cell shows, for the width of its column."""
        if entry is None:
            return ""
        return entry.text if isinstance(entry, Shown) else self._put(sheet, entry)[0]

    def _put(self, sheet: Sheet, cell: Cell) -> tuple[str, str]:
        """What the reader has put into a cell, and what stands small under it."""
        given = self.desk.answers[cell.key]
        if cell.flips:
            return (self.say(Message("loss")) if given == ON else "", "")
        choice = next((each for each in sheet.choices if each.value == given), None)
        return ("", "") if choice is None or not given else (self._words(choice), choice.small)

    def _words(self, choice: Choice) -> str:
        return choice.text if isinstance(choice.text, str) else self.say(choice.text)

    def _entry(self, sheet: Sheet, line: Line, entry: Shown | Cell | None) -> str:
        if entry is None:
            return "<td></td>"
        if isinstance(entry, Shown):
            small = f"<i>{escape(entry.small)}</i>" if entry.small else ""
            kind = "plain" if entry.role is None else f"read {role_class(entry.role)}"
            return f'<td class="{kind}"{attribute("title", entry.text)}><b>{escape(entry.text)}</b>{small}</td>'
        text, small = self._put(sheet, entry)
        inner = f"<b>{escape(text)}</b>" + (f"<i>{escape(small)}</i>" if small else "")
        told = ", ".join(filter(None, [self.say(entry.name), text or self.say(Message("empty")), self._said(entry)]))
        pressed = f' aria-pressed="{str(self.desk.answers[entry.key] == ON).lower()}"' if entry.flips else ""
        held = ' aria-current="true"' if self.desk.at == entry.key and not self.desk.solved else ""
        return (
            f'<td class="asked{self._class(entry)}"><div{clicks(entry.key)}{pressed}{held}'
            f"{attribute('aria-label', told)}>{inner}</div></td>"
        )

    def _class(self, cell: Cell) -> str:
        mark = self.desk.told(cell)
        state = "" if mark is None else " right" if mark.right else " wrong"
        filled = self.desk.answers[cell.key] not in ("", "0")
        return f"{state}{' filled' if filled else ''}{' solved' if self.desk.solved else ''}"

    def _said(self, cell: Cell) -> str:
        """What became of a cell, for those who cannot see it."""
        mark = self.desk.told(cell)
        if mark is None:
            return ""
        return self.say(Message("right")) if mark.right else self.say(Message("wrong"))

    def _choices(self, number: int, sheet: Sheet) -> str:
        """What may be put into the cells; that of the cell in hand is marked."""
        if not sheet.choices:
            return ""
        picks = {cell.key: cell for cell in sheet.picks}
        held = next(iter(picks), self.desk.at if any(cell.key == self.desk.at for cell in sheet.cells) else "")
        given = self.desk.answers.get(held)
        label = attribute("aria-label", self.say(Message("What can be put there")))
        parts = []
        for choice in sheet.choices:
            chosen = choice.value == given and held != ""
            state = self._class(picks[held]) if chosen and held in picks else ""
            small = f"<i>{escape(choice.small)}</i>" if choice.small else ""
            parts.append(
                f'<li class="{state.strip()}"><div{clicks(f"put:{number}:{choice.value}")}'
                f' aria-pressed="{str(chosen).lower()}"><b>{escape(self._words(choice))}</b>{small}</div></li>'
            )
        kind = "put" if all(isinstance(choice.text, str) for choice in sheet.choices) or sheet.lines else "put words"
        return f'<ul class="{kind}"{label}>{"".join(parts)}</ul>'

    def _wrong(self, cells: Iterable[Cell]) -> str:
        """The wrong cells by name, each with its reason; in one line how many are empty or not to be told yet."""
        marks = [mark for cell in cells if (mark := self.desk.mark(cell)) is not None and not mark.right]
        rows = [
            f"<b>{escape(self.say(mark.cell.name))}</b> {_with_pieces(mark.reason, self.say)}"
            for mark in marks
            if mark.given and self.desk.told(mark.cell)
        ]
        if left := len(marks) - len(rows):
            rows.append(escape(self.say(_left(left, flips=marks[0].cell.flips))))
        label = attribute("aria-label", self.say(Message("Why these cells are wrong")))
        return f'<ul class="why"{label}>{"".join(f"<li>{row}</li>" for row in rows)}</ul>' if rows else ""

    def board(self, board: Board) -> str:
        """The mask as it is given, or as the reader has drawn it."""
        keys = [cell.key for cell in board.cells]
        shape = len(board.queries), len(board.keys)
        mask = np.array([self.desk.answers[key] == ON for key in keys]).reshape(shape) if keys else board.mask
        chosen = None
        if self.desk.at in keys:
            row, column = divmod(keys.index(self.desk.at), shape[1])
            chosen = (row, column)
        silent = np.zeros(shape[0], dtype=bool)
        grid = Grid(Axes(board.queries, board.keys), self.say, BOARD, silent, bool(keys), chosen)

        def cell(i: int, j: int) -> str:
            word = self.say(Message("may look") if mask[i, j] else Message("closed"))
            asked = board.cells[i * shape[1] + j] if keys else None
            state = "" if asked is None else self._class(asked).replace(" filled", "")
            told = word if asked is None else ", ".join(filter(None, [word, self._said(asked)]))
            return f' class="{"open" if mask[i, j] else "closed"}{state}"{grid.hover(i, j, told)}'

        key = "".join(
            f'<li><i class="key {name}" aria-hidden="true"></i>{escape(self.say(words))}</li>'
            for name, words in (("open", Message("may look")), ("closed", Message("closed")))
        )
        return (
            f'<section><div class="xp matrix">{grid.table(cell)}<ul class="legend">{key}</ul></div>'
            f"{self._wrong(board.cells)}</section>"
        )


def _left(count: int, *, flips: bool) -> Message:
    given = {"count": count}
    return (
        Message("Still to be clicked: {count}.", given) if flips else Message("Still to be filled in: {count}.", given)
    )


OPEN, CLOSE = "\ue000", "\ue001"
"""Signs that no text holds; they stand around a value until it is escaped."""


def _with_pieces(message: Message, say: Say) -> str:
    """The message as HTML in which the given texts stand out from the words, a full stop too."""
    told = escape(say(_fenced(message)))
    return told.replace(OPEN, "<code>").replace(CLOSE, "</code>")


def _fenced(message: Message) -> Message:
    fenced = {
        name: _fenced(value)
        if isinstance(value, Message)
        else f"{OPEN}{value}{CLOSE}"
        if isinstance(value, str)
        else value
        for name, value in message.values.items()
    }
    return replace(message, values=fenced)
