"""What there is to take home of an exercise that is done: the question, the worked solution, the Examples as code."""

from __future__ import annotations

from functools import partial

from explorer.exercises import Exercise
from explorer.exercises.desk import begin, solve
from explorer.types import Message
from explorer.ui.example_parcel import given
from explorer.ui.take_home_part import Parcel
from explorer.views.compare_code import compare_code
from explorer.views.exercises import exercise_picture
from explorer.views.roles import Say
from explorer.views.rows import token_rows
from explorer.views.tables import answers_table


def exercise_parcel(exercise: Exercise) -> Parcel:
    """An exercise without Examples has no code."""
    made = {f"example {number}": each for number, each in enumerate(exercise.examples, 1)}

    return Parcel(
        f"exercise_{exercise.code}",
        Message("Exercises"),
        str(exercise.code),
        compare_code(made) if made else "",
        partial(_record, exercise),
        partial(answers_table, exercise.cells),
        partial(_parts, exercise),
        empty=None if exercise.cells else Message("An open question has no cells, so there is no table."),
    )


def _record(exercise: Exercise) -> dict[str, object]:
    return {
        "code": str(exercise.code),
        "question": exercise.question,
        "words": exercise.words,
        "hints": exercise.hints,
        "answers": [
            {"cell": cell.key, "name": cell.name, "right": cell.right, "why": cell.why} for cell in exercise.cells
        ],
        "solution": exercise.steps,
    }


def _parts(exercise: Exercise, say: Say) -> list[tuple[str, str]]:
    """The question with its empty cells, then the worked solution with the cells filled in."""
    asked = "".join(map(given, exercise.words)) + exercise_picture(exercise, begin(exercise), say)
    solved = exercise_picture(exercise, solve(begin(exercise), exercise), say) if exercise.cells else ""
    words = "".join(given(say(step)) for step in exercise.steps)
    rows = "".join(token_rows(each, say) for each in exercise.examples)
    return [(say(exercise.question), asked), (say(Message("Worked solution")), solved + words + rows)]
