"""What becomes of a text on its way into tokens, told in words."""

from __future__ import annotations

import timeit

import pytest

from explorer.tokens import encode
from explorer.types import InputProblem
from tests.fakes import LetterTokenizer

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
CASED = "google-bert/bert-base-cased"
BART = "facebook/bart-large"
T5 = "google-t5/t5-small"


def said(encoding) -> list[str]:
    return [str(note) for note in encoding.notes]


@pytest.mark.models
def test_a_word_of_105_characters_is_one_unknown_and_says_why(tokenizer):
    encoding = encode("hello" * 21, tokenizer(BERT))
    assert encoding.ids.tolist() == [101, 100, 102]
    assert encoding.spans[1].tolist() == [0, 105]
    assert not encoding.special[1]
    assert said(encoding) == [
        "A word of 105 characters is longer than the 100 that this tokenizer looks at, "
        "so the whole word is one [UNK]: hellohellohellohellohel…"
    ]
    assert len(encode("hello" * 20, tokenizer(BERT))) > 3


@pytest.mark.models
def test_unknown_because_the_vocabulary_lacks_it(tokenizer):
    assert said(encode("i ate \N{SLICE OF PIZZA}", tokenizer(BERT))) == [
        "The vocabulary has no pieces for this, so it becomes [UNK]: \N{SLICE OF PIZZA}"
    ]
    encoding = encode("a {", tokenizer(T5))
    assert encoding.visible[-2:] == ("<unk>", "</s>")
    assert said(encoding) == ["The vocabulary has no pieces for this, so it becomes <unk>: {"]


@pytest.mark.models
@pytest.mark.parametrize("text", ["Hi there I'm good", "  Hi   there \n\n I'm\tgood  ", "Hi\nthere\r\nI'm good\n"])
def test_t5_drops_white_space_and_says_so(tokenizer, text):
    encoding = encode(text, tokenizer(T5))
    assert encoding.ids.tolist() == [2018, 132, 27, 31, 51, 207, 1]
    assert tokenizer(T5).normalize(text) == "Hi there I'm good"
    dropped = "White space only separates words here: line breaks, tabs and repeated spaces are not kept."
    assert said(encoding) == ([] if text == "Hi there I'm good" else [dropped])


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "note"),
    [
        (BERT, "the Café", "Capital letters become small ones: Café is read as cafe"),
        (BERT, "the café", "Accents are taken off: café is read as cafe"),
        (BERT, "한국어", "Korean syllables are taken apart into their letters: 한국어 is read as 8 characters."),
        (T5, "ＡＢＣ", "Letters in special forms become plain ones: ＡＢＣ is read as ABC"),
        (BERT, "a\u200bb", "These characters leave no trace in the tokens: U+200B."),
        (CASED, "x \0 y", "These characters leave no trace in the tokens: U+0000."),
        (BERT, "", "The text is empty."),
        (BERT, " \n", "The text holds only white space, and this tokenizer drops it."),
        (BERT, "\0", "Nothing of the text is left: this tokenizer drops all of its characters."),
        (GPT2, "", "The text is empty."),
    ],
)
def test_what_is_lost_or_folded_is_said(tokenizer, name, text, note):
    assert note in said(encode(text, tokenizer(name)))


@pytest.mark.models
def test_gpt2_keeps_every_byte_and_says_nothing(tokenizer):
    assert said(encode("Café \u200b\0 ＡＢＣ 한국어\n\n \N{SLICE OF PIZZA}", tokenizer(GPT2))) == []


@pytest.mark.models
@pytest.mark.parametrize("name", [GPT2, BERT, CASED, BART, T5])
def test_a_lone_surrogate_is_replaced_and_said(tokenizer, name):
    encoding = encode("bad \ud83d x", tokenizer(name), "and \udc00")
    assert encoding.text == "bad \ufffd x"
    assert encoding.pair == "and \ufffd"
    assert said(encoding)[0] == (
        "Half a character (lone surrogate) has no bytes and was replaced by U+FFFD: U+D83D, U+DC00."
    )
    "".join(encoding.visible).encode()


@pytest.mark.models
def test_too_long_is_cut_and_said(tokenizer):
    encoding = encode("one two three four five", tokenizer(BERT), max_length=5)
    assert encoding.visible == ("[CLS]", "one", "two", "three", "[SEP]")
    assert said(encoding) == [
        "The text has 7 tokens, control tokens included. Only 5 fit, so 2 were cut off at the end."
    ]


@pytest.mark.models
def test_longer_than_the_model_takes_is_said(tokenizer):
    encoding = encode("word " * 600, tokenizer(BERT))
    assert len(encoding) == 602
    assert said(encoding) == [f"These are 602 tokens, but {BERT} takes at most 512 at once."]


def test_the_longer_of_a_pair_is_cut_first():
    encoding = encode("abcdef", LetterTokenizer(template=True), "xy", max_length=8)
    assert encoding.visible == ("[CLS]", "a", "##b", "##c", "[SEP]", "x", "##y", "[SEP]")


def test_no_room_for_the_control_tokens():
    with pytest.raises(InputProblem, match=r"max_length is 1, but the control tokens alone take 2\."):
        encode("abc", LetterTokenizer(template=True), max_length=1)


@pytest.mark.models
@pytest.mark.parametrize("name", [BERT, BART])
@pytest.mark.parametrize("limit", range(5, 16))
@pytest.mark.parametrize("pair", [None, "he likes to play in the park"])
def test_cut_agrees_with_the_library(models_folder, tokenizer, name, limit, pair):
    from tokenizers import Tokenizer as Library

    library = Library.from_file(str(models_folder / name / "tokenizer.json"))
    library.enable_truncation(limit, strategy="longest_first")
    text = "my dog is hairy and small"
    expected = library.encode(text, pair)
    encoding = encode(text, tokenizer(name), pair, max_length=limit)
    assert encoding.ids.tolist() == expected.ids
    assert encoding.spans.tolist() == [list(span) for span in expected.offsets]


@pytest.mark.models
def test_512_tokens_take_a_few_milliseconds(tokenizer):
    text = "My dog is hairy and he likes to play. " * 51
    taken = min(timeit.repeat(lambda: encode(text, tokenizer(BERT)), number=1, repeat=5))
    assert len(encode(text, tokenizer(BERT))) == 512
    alone = min(timeit.repeat(lambda: tokenizer(BERT).encode(text), number=1, repeat=5))
    assert taken < 10 * alone
