"""Links that bring a page back, and lesson plans made of them."""

from __future__ import annotations

import json
import random
import string
import zlib
from base64 import urlsafe_b64encode
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as some

from explorer.sharing import LONGEST, PLAIN, Stop, link, pack, read_plan, unpack, write_plan
from explorer.types import InputProblem

NO_SURROGATES = some.text(some.characters(exclude_categories=["Cs"]))


def test_short_fields_stand_in_the_link_as_they_are() -> None:
    made = link({"text": "a & b", "rate": 0.15, "seed": 0, "whole_word": False, "model_b": None})
    assert made.query == "text=a+%26+b&rate=0.15&seed=0&whole_word=false"
    assert made.notes == ()


def test_several_values_of_a_field_stand_one_after_the_other() -> None:
    assert link({"tokenizers": ["a", "b"]}).query == "tokenizers=a&tokenizers=b"


def test_an_empty_text_is_told_too() -> None:
    assert link({"text": ""}).query == "text="


def test_a_long_text_is_packed_and_comes_back() -> None:
    text = "나는 어제 학교에 갔습니다. " * 500
    made = link({"text": text, "text_b": "short", "rate": 0.4})
    found = parse_qs(made.query)
    assert sorted(found) == ["rate", "text_b", "z"]
    assert unpack(found["z"][0]) == {"text": text}
    assert len(made.query) < PLAIN


def test_a_text_that_does_not_pack_is_left_out_and_this_is_said() -> None:
    noise = "".join(random.Random(1).choices(string.ascii_letters + string.digits, k=20_000))
    made = link({"text": noise, "rate": 0.4})
    assert made.query == "rate=0.4"
    [note] = made.notes
    assert note.values["limit"] == LONGEST


@given(some.dictionaries(some.sampled_from(["text", "text_b", "target", "messages"]), NO_SURROGATES))
def test_what_is_packed_comes_back(texts) -> None:
    assert unpack(pack(texts)) == texts


@given(some.text(max_size=60))
def test_a_broken_value_is_told_and_never_raises_anything_else(code) -> None:
    try:
        assert isinstance(unpack(code), dict)
    except InputProblem as problem:
        assert "cut off" in str(problem)


def test_a_value_that_was_cut_is_told() -> None:
    with pytest.raises(InputProblem, match="cut off"):
        unpack(pack({"text": "the cat sat on the mat"})[:-3])


def test_a_small_value_that_grows_without_end_is_refused() -> None:
    bomb = urlsafe_b64encode(zlib.compress(json.dumps({"text": "a" * 20_000_000}).encode(), 9)).decode()
    assert len(bomb) < 40_000
    with pytest.raises(InputProblem):
        unpack(bomb)


def test_only_fields_for_text_are_taken_from_a_link() -> None:
    assert unpack(pack({"text": "a", "plan": "b", "ids": "1 2"})) == {"text": "a", "ids": "1 2"}


def test_ids_that_were_written_are_packed_however_few() -> None:
    made = link({"text": "a", "seed": 3, "ids": "464 2068 7586"})
    found = parse_qs(made.query)
    assert sorted(found) == ["seed", "text", "z"]
    assert unpack(found["z"][0]) == {"ids": "464 2068 7586"}


def test_where_not_all_fits_the_ids_go_before_the_text_and_this_is_said() -> None:
    draw = random.Random(1)
    ids = " ".join(str(draw.randrange(50_000)) for _ in range(6_000))
    text = "".join(draw.choices(string.ascii_letters, k=6_000))
    made = link({"text": text, "ids": ids})
    assert unpack(parse_qs(made.query)["z"][0]) == {"text": text}
    assert [note.id.split(" are ")[0] for note in made.notes] == ["The tokens written"]
    both = link({"text": "".join(draw.choices(string.ascii_letters, k=40_000)), "ids": ids, "seed": 1})
    assert both.query == "seed=1"
    assert len(both.notes) == 2


PLAN = (Stop("마스크", "masks", "kind=causal&length=5"), Stop('A "title"', "bert", "text=the+cat"))


def test_a_plan_comes_back_from_its_file() -> None:
    assert read_plan(write_plan(PLAN), ["masks", "bert"]) == PLAN
    assert PLAN[0].fields == {"kind": ["causal"], "length": ["5"]}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("no json", "no lesson plan"),
        ("[1, 2]", "no lesson plan"),
        ('{"lesson_plan": 3}', "no lesson plan"),
        ('{"lesson_plan": [{"title": "a", "page": "bert"}]}', "Entry 1 of the lesson plan lacks"),
        ('{"lesson_plan": [{"title": "a", "page": "x", "query": ""}]}', "no such page"),
    ],
)
def test_a_file_that_is_no_plan_is_told(text, words) -> None:
    with pytest.raises(InputProblem, match=words):
        read_plan(text, ["bert"])
