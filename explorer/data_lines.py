"""Data as people keep it - JSON lines, CSV, CoNLL, plain lines - as named fields, each with the number of its line.

A line that cannot be read is named by its number and left out; the rest goes on. CoNLL is one word a line with its tag
last, sentences apart by blank lines (Tjong Kim Sang and De Meulder 2003, section 2.1).
"""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeVar, cast

from explorer.types import InputProblem, Message

T = TypeVar("T")
Fields = Mapping[str, object]

Format = Literal["JSON lines", "CSV", "CoNLL", "lines"]

MOST = 500
"""Records that are read; of more, an even sample."""

MOST_LINES = 200_000
"""Lines of a text that are looked at, so that a file of a million does not keep its visitor waiting."""

LONGEST = 20_000
"""The most characters of one record."""


@dataclass(frozen=True)
class Record:
    """Field name -> value as it was written, and the number of its (first) line, counted from 1."""

    line: int
    fields: Fields


@dataclass(frozen=True)
class Records:
    """What could be read. problems: one sentence for each line that could not; notes: what was left out."""

    format: Format
    records: tuple[Record, ...]
    problems: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()


def at_line(line: int, problem: InputProblem) -> Message:
    """What is wrong, with the number of the line before it."""
    return Message("Line {line}: {reason}", {"line": line, "reason": problem.message})


def read_records(text: str, plain: Format = "lines") -> Records:
    r"""The records of a text; plain: what lines are that are neither JSON nor begin with a header of CSV.

    >>> [record.fields for record in read_records('text\nHi\n"a, b"').records]
    [{'text': 'Hi'}, {'text': 'a, b'}]
    """
    kind = format_of(text, plain)
    lines = text.split("\n", MOST_LINES)
    notes: tuple[Message, ...] = ()
    if len(lines) > MOST_LINES:
        lines.pop()
        notes = (Message("Only the first {count} lines are looked at.", {"count": MOST_LINES}),)
    if kind == "CSV":
        names, rows = _table(lines)
        return _read(kind, rows, lambda row: _named(row, names), notes)
    if kind == "CoNLL":
        return _read(kind, list(_sentences(lines)), _tagged, notes)
    full = [(number, line) for number, line in enumerate(lines, 1) if line.strip()]
    return _read(kind, full, _object if kind == "JSON lines" else lambda line: {"text": line.strip()}, notes)


def _read(
    kind: Format,
    found: Sequence[tuple[int, T]],
    fields: Callable[[T], Fields],
    notes: tuple[Message, ...],
) -> Records:
    """At most `MOST` of what was found, evenly spread, each as fields."""
    if len(found) > MOST:
        notes += (Message("Of {count} records {most} are read, evenly spread.", {"count": len(found), "most": MOST}),)
        found = [found[at * len(found) // MOST] for at in range(MOST)]
    records, problems = [], []
    for line, each in found:
        try:
            records.append(Record(line, _short(each, fields)))
        except InputProblem as problem:
            problems.append(at_line(line, problem))
    return Records(kind, tuple(records), tuple(problems), notes)


def _short(each: T, fields: Callable[[T], Fields]) -> Fields:
    if isinstance(each, InputProblem):
        raise each
    size = len(each) if isinstance(each, str) else sum(map(len, cast(list[str], each)))
    if size > LONGEST:
        given = {"count": size, "most": LONGEST}
        raise InputProblem("this record has {count} characters; at most {most} are read.", given)
    return fields(each)


HEADERS = frozenset({
    *("text", "text_b", "messages", "prompt", "response", "source", "target", "sentence", "sentence1", "sentence2"),
    *("label", "tokens", "ner_tags", "question", "context", "answers", "answer", "answer_start"),
})  # fmt: skip
"""Names of fields; a first line that names nothing else is the header of a CSV."""


def format_of(text: str, plain: Format = "lines") -> Format:
    """What the first line that is not blank tells."""
    first = next((line.strip() for line in text.split("\n") if line.strip()), "")
    if first.startswith("{"):
        return "JSON lines"
    return "CSV" if {name.strip(' "') for name in first.split(_separator(first))} <= HEADERS else plain


def _separator(header: str) -> str:
    return max(",\t;", key=header.count)


def _object(line: str) -> Fields:
    try:
        found = json.loads(line)
    except json.JSONDecodeError as problem:
        given = {"column": problem.colno, "problem": problem.msg}
        raise InputProblem("this is not valid JSON, column {column}: {problem}.", given) from None
    except (ValueError, RecursionError):
        raise InputProblem("this is JSON that nobody can read: too deep or with a number too long.") from None
    if not isinstance(found, dict):
        raise InputProblem(
            "this is JSON, but no object with named fields such as {example}.", {"example": '{"text": "…"}'}
        )
    return found


def _table(lines: Sequence[str]) -> tuple[list[str], list[tuple[int, list[str] | InputProblem]]]:
    """The names of the header and the rows under it; a quoted cell may go over several lines."""
    before = next(place for place, line in enumerate(lines) if line.strip())
    reader = csv.reader((line + "\n" for line in lines[before:]), delimiter=_separator(lines[before]))
    names = [name.strip() for name in next(reader)]
    rows: list[tuple[int, list[str] | InputProblem]] = []
    while True:
        line = before + reader.line_num + 1
        try:
            row = next(reader)
        except StopIteration:
            return names, rows
        except csv.Error as problem:
            rows.append((line, InputProblem("this is no row of CSV: {problem}.", {"problem": str(problem)})))
        else:
            rows += [(line, row)] if row else []


def _named(row: list[str] | InputProblem, names: list[str]) -> Fields:
    cells = cast(list[str], row)
    if len(cells) != len(names):
        given = {"columns": len(cells), "names": len(names)}
        raise InputProblem("this row has {columns} columns, but the header names {names}.", given)
    return {name: cell for name, cell in zip(names, cells, strict=True) if cell.strip()}


def _sentences(found: Sequence[str]) -> Iterator[tuple[int, list[str]]]:
    """First line and lines of each sentence."""
    begin, lines = 1, list[str]()
    for number, line in enumerate([*found, ""], 1):
        if line.strip() and not line.startswith("-DOCSTART-"):
            begin = begin if lines else number
            lines.append(line)
        elif lines:
            yield begin, lines
            lines = []


def _tagged(lines: list[str]) -> Fields:
    parts = [line.split() for line in lines]
    for place, part in enumerate(parts):
        if len(part) < 2:
            given = {"word": part[0], "place": place + 1}
            raise InputProblem("word {place} of this sentence, {word}, has no tag behind it.", given)
    return {"tokens": [part[0] for part in parts], "ner_tags": [part[-1] for part in parts]}
