"""Exercises without end: one for each code, made from our own objectives and graded cell by cell.

The right answers are read off Examples that the objectives build, the very numbers that the pages draw.
"""

from __future__ import annotations

from explorer.exercises.bugs import bug
from explorer.exercises.cases import Tokenizers
from explorer.exercises.labels import labels
from explorer.exercises.mask import mask
from explorer.exercises.next_token import Says, next_token
from explorer.exercises.outputs import count, loss, output
from explorer.exercises.questions import question
from explorer.exercises.stages import stages
from explorer.exercises.values import (
    KINDS,
    LARGEST,
    LEVELS,
    Answers,
    Board,
    Cell,
    Choice,
    Code,
    Exercise,
    Grade,
    Line,
    Mark,
    Sheet,
    Shown,
    grade,
    parse_code,
)
from explorer.exercises.write import write

__all__ = [
    "KINDS",
    "LARGEST",
    "LEVELS",
    "Answers",
    "Board",
    "Cell",
    "Choice",
    "Code",
    "Exercise",
    "Grade",
    "Line",
    "Mark",
    "Says",
    "Sheet",
    "Shown",
    "Tokenizers",
    "grade",
    "make",
    "parse_code",
]

_OF_TOKENS = {
    "labels": labels,
    "loss": loss,
    "mask": mask,
    "write": write,
    "bug": bug,
    "output": output,
    "count": count,
}


def make(code: Code, tokenizers: Tokenizers, says: Says | None = None) -> Exercise:
    """The exercise of a code. says: the model to predict against, which only the kind "next" needs. Raises ValueError
    where it is missing there, InputProblem where a tokenizer lacks what an objective needs."""
    if code.kind == "next":
        if says is None:
            raise ValueError("the next token is predicted against a model, and there is none")
        return next_token(code, tokenizers, says)
    if code.kind == "stages":
        return stages(code)
    return question(code) if code.kind == "open" else _OF_TOKENS[code.kind](code, tokenizers)
