"""Uploaded files: encodings, what is no text, what is too large, all in words and in no time."""

from __future__ import annotations

import time

import pytest

from explorer.types import InputProblem
from explorer.uploads import LARGEST, lines_of, read_upload

KOREAN = "질문: 수도는 어디입니까?\n답: 서울입니다.\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_marks_tell_the_encoding_and_need_no_word(encoding) -> None:
    found = read_upload("a.txt", KOREAN.encode(encoding))
    assert (found.text, found.notes) == (KOREAN, ())


def test_an_old_korean_file_is_read_and_said() -> None:
    found = read_upload("a.csv", KOREAN.encode("cp949"))
    assert found.text == KOREAN
    assert [str(note) for note in found.notes] == [
        "The file a.csv is not UTF-8. It was read as CP949; save it as UTF-8 to be sure."
    ]


def test_another_encoding_is_refused_and_not_guessed() -> None:
    with pytest.raises(InputProblem, match=r"cannot be read as UTF-8\. Save it as UTF-8"):
        read_upload("a.txt", "Der Bär fährt über die Brücke, naïve façade.".encode("latin-1"))
    with pytest.raises(InputProblem, match="cannot be read as UTF-16"):
        read_upload("a.txt", b"\xff\xfe\x00\xd8a")


@pytest.mark.parametrize(
    "data",
    [
        b"PK\x03\x04\x14\x00\x06\x00",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        bytes(range(1, 32)) * 40,
        "ab".encode("utf-16-le"),
    ],
    ids=["zip", "png", "control", "utf-16 without its mark"],
)
def test_what_is_no_text_is_refused(data) -> None:
    with pytest.raises(InputProblem, match=r"The file a\.bin is no text"):
        read_upload("a.bin", data)


@pytest.mark.parametrize("data", [b"", b" \r\n\t"])
def test_an_empty_file_is_refused(data) -> None:
    with pytest.raises(InputProblem, match=r"The file a\.txt is empty"):
        read_upload("a.txt", data)


def test_line_ends_are_one_sign_and_other_separators_stay() -> None:
    text = read_upload("a.txt", "one\r\ntwo\rthree\u2028still\n".encode()).text
    assert text == "one\ntwo\nthree\u2028still\n"
    assert lines_of(text, 9).numbered == ((1, "one"), (2, "two"), (3, "three\u2028still"))


def test_fifty_megabytes_are_read_in_part_at_once() -> None:
    line = "가나다라 마바사\n".encode()
    data = line * (50_000_000 // len(line))
    began = time.perf_counter()
    found = read_upload("big.txt", data)
    assert time.perf_counter() - began < 5
    assert [str(note) for note in found.notes] == [
        f"The file big.txt has {len(data) / 1e6:.1f} MB; its first 8 MB are read."
    ]
    assert LARGEST - len(line) <= len(found.text.encode()) <= LARGEST
    assert set(found.text.split("\n")) == {"가나다라 마바사"}


def test_a_million_lines_are_sampled_evenly() -> None:
    began = time.perf_counter()
    found = lines_of("\n".join(map(str, range(1, 1_000_001))), 1000)
    assert time.perf_counter() - began < 5
    assert [number for number, _ in found.numbered] == list(range(1, 1_000_001, 1000))
    assert all(str(number) == line for number, line in found.numbered)
    assert [str(note) for note in found.notes] == ["Of 1000000 lines 1000 are read, evenly spread over the file."]


def test_one_endless_line_is_read_in_part() -> None:
    found = read_upload("a.txt", b"x" * (LARGEST + 5))
    assert len(found.text) == LARGEST
