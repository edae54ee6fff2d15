"""One token's bytes, code points and share of a character; several tokenizers on one text."""

from __future__ import annotations

import pytest

from explorer.token_details import Part, compare, details
from explorer.tokens import encode
from tests.fakes import LetterTokenizer

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
T5 = "google-t5/t5-small"
PIZZA = "\N{SLICE OF PIZZA}"


@pytest.mark.models
def test_three_tokens_share_one_character(tokenizer):
    gpt2 = tokenizer(GPT2)
    told = details(encode(f"I ate {PIZZA}", gpt2), gpt2)
    assert [each.parts for each in told] == [
        (), (), (Part(1, 3, PIZZA),), (Part(2, 3, PIZZA),), (Part(3, 3, PIZZA),)
    ]  # fmt: skip
    assert [each.data.hex(" ") for each in told] == ["49", "20 61 74 65", "20 f0 9f", "8d", "95"]
    assert [each.span for each in told] == [(0, 1), (1, 5), (5, 7), (6, 7), (6, 7)]
    assert told[2].code_points == ("U+0020", "U+1F355")
    assert [each.word for each in told] == [0, 1, 2, 2, 2]


@pytest.mark.models
def test_a_token_may_end_one_character_and_begin_the_next(tokenizer):
    gpt2 = tokenizer(GPT2)
    told = details(encode("한국", gpt2), gpt2)
    assert [each.parts for each in told] == [
        (Part(1, 2, "한"),), (Part(2, 2, "한"),), (Part(1, 3, "국"),), (Part(2, 3, "국"),), (Part(3, 3, "국"),)
    ]  # fmt: skip
    assert b"".join(each.data for each in told).decode() == "한국"


@pytest.mark.models
def test_korean_letters_are_parts_of_their_syllable(tokenizer):
    bert = tokenizer(BERT)
    told = details(encode("한", bert), bert)
    assert [each.parts for each in told] == [
        (), (Part(1, 3, "한"),), (Part(2, 3, "한"),), (Part(3, 3, "한"),), ()
    ]  # fmt: skip
    assert [each.text for each in told] == ["", "한", "한", "한", ""]


@pytest.mark.models
def test_specials_stand_for_no_text(tokenizer):
    bert = tokenizer(BERT)
    told = details(encode("the [MASK]", bert), bert)
    assert (told[0].text, told[0].data, told[0].span, told[0].word) == ("", b"", None, None)
    assert (told[2].text, told[2].data) == ("[MASK]", b"[MASK]")


@pytest.mark.models
def test_a_lone_space_of_t5_takes_no_part_in_a_letter(tokenizer):
    t5 = tokenizer(T5)
    told = details(encode(f"I ate {PIZZA}", t5), t5)
    assert [each.text for each in told] == ["I", "", "ate", "", PIZZA, ""]
    assert not any(each.parts for each in told)
    assert [each.unknown for each in told] == [False, False, False, False, True, False]


@pytest.mark.models
def test_details_of_a_pair_read_the_right_text(tokenizer):
    bert = tokenizer(BERT)
    told = details(encode("my dog", bert, "he plays"), bert)
    assert [each.text for each in told] == ["", "my", "dog", "", "he", "plays", ""]


@pytest.mark.models
def test_side_by_side(tokenizer):
    bert, gpt2, t5 = compare(f"I ate {PIZZA}", [tokenizer(name) for name in (BERT, GPT2, T5)])
    assert (bert.tokens, bert.added, bert.unknown) == (3, 2, 1)
    assert (gpt2.tokens, gpt2.added, gpt2.unknown) == (5, 0, 0)
    assert (t5.tokens, t5.added, t5.unknown) == (5, 1, 1)
    assert (gpt2.words, gpt2.characters, gpt2.size) == (3, 7, 10)
    assert gpt2.tokens_per_word == pytest.approx(5 / 3)
    assert gpt2.characters_per_token == pytest.approx(7 / 5)
    assert gpt2.bytes_per_token == pytest.approx(2)
    assert gpt2.name == GPT2


def test_nothing_to_divide_by():
    (count,) = compare("", [LetterTokenizer()])
    assert (count.tokens, count.words, count.size) == (0, 0, 0)
    assert count.tokens_per_word is count.characters_per_token is count.bytes_per_token is None
