"""Lines of data as named fields: JSON lines, CSV, CoNLL, plain; what cannot be read is named by its line."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.data_lines import LONGEST, MOST, format_of, read_records


def fields(text: str, plain="lines"):
    return [(record.line, dict(record.fields)) for record in read_records(text, plain).records]


def problems(text: str, plain="lines"):
    return [str(problem) for problem in read_records(text, plain).problems]


def test_json_lines_go_on_after_a_bad_one() -> None:
    text = '{"text": "a"}\n\n{"text": \n[1]\n{"text": "b"}'
    assert fields(text) == [(1, {"text": "a"}), (5, {"text": "b"})]
    assert problems(text) == [
        "Line 3: this is not valid JSON, column 10: Expecting value.",
        'Line 4: this is JSON, but no object with named fields such as {"text": "…"}.',
    ]


def test_csv_with_a_cell_over_two_lines_and_a_short_row() -> None:
    text = '\nsentence,label\n"a, ""b""\nc",x\nd\ne,y\n,z\n'
    assert fields(text) == [
        (3, {"sentence": 'a, "b"\nc', "label": "x"}),
        (6, {"sentence": "e", "label": "y"}),
        (7, {"label": "z"}),
    ]
    assert problems(text) == ["Line 5: this row has 1 columns, but the header names 2."]


@pytest.mark.parametrize("sign", [",", "\t", ";"])
def test_a_header_tells_its_separator(sign) -> None:
    assert fields(f"source{sign}target\na{sign}b") == [(2, {"source": "a", "target": "b"})]


def test_conll_has_its_words_first_and_its_tags_last() -> None:
    text = "-DOCSTART- -X- O O\n\nJohn NNP B-NP B-PER\nlives VBZ B-VP O\n\n\nin O\nParis B-LOC\n"
    assert fields(text, "CoNLL") == [
        (3, {"tokens": ["John", "lives"], "ner_tags": ["B-PER", "O"]}),
        (7, {"tokens": ["in", "Paris"], "ner_tags": ["O", "B-LOC"]}),
    ]
    assert problems("John B-PER\nlives\n\nin O", "CoNLL") == [
        "Line 1: word 2 of this sentence, lives, has no tag behind it.",
    ]


def test_the_first_line_tells_the_format() -> None:
    assert [format_of(text) for text in ('{"text": "a"}', "text\na", "\n\nA text.", "")] == [
        *("JSON lines", "CSV", "lines", "lines"),
    ]
    assert fields("One line.\n\nAnother: text, label") == [
        (1, {"text": "One line."}),
        (3, {"text": "Another: text, label"}),
    ]


def test_a_record_too_long_is_left_out_by_name() -> None:
    assert problems("short\n" + "x" * (LONGEST + 1)) == [
        "Line 2: this record has 20001 characters; at most 20000 are read."
    ]
    assert problems("text\n" + "x" * (LONGEST + 1)) == [
        "Line 2: this record has 20001 characters; at most 20000 are read."
    ]


@pytest.mark.parametrize(
    "text",
    ['{"text": "a"}\n' * 10**6, "sentence,label\n" + "a,x\n" * 10**6, "word O\n\n" * 10**6],
    ids=["JSON lines", "CSV", "CoNLL"],
)
def test_a_million_records_are_sampled_at_once(text) -> None:
    began = time.perf_counter()
    found = read_records(text, "CoNLL")
    assert time.perf_counter() - began < 30
    assert len(found.records) == MOST
    assert str(found.notes[0]) == "Only the first 200000 lines are looked at."


@given(st.text(), st.sampled_from(["lines", "CoNLL"]))
def test_any_text_gives_records_or_words(text, plain) -> None:
    found = read_records(text, plain)
    assert all(record.line <= text.count("\n") + 1 for record in found.records)
    assert all(str(problem).startswith("Line ") for problem in found.problems)


@given(st.text(alphabet='{}[]":,\n\\abtextN09', max_size=60).map(lambda tail: '{"text": "a"}\n' + tail))
def test_any_json_gives_records_or_words(text) -> None:
    found = read_records(text)
    assert found.records[0].fields == {"text": "a"}
    full = sum(bool(line.strip()) for line in text.split("\n"))
    assert len(found.records) + len(found.problems) == full


@given(st.text(alphabet='",\n;\tab', max_size=60).map(lambda tail: "sentence,label\n" + tail))
def test_any_csv_gives_records_or_words(text) -> None:
    found = read_records(text)
    assert found.format == "CSV"
    assert all({*record.fields} <= {"sentence", "label"} for record in found.records)
