"""Texts as the real tokenizers see them: ids, readable pieces, spans, words. Literal values first."""

from __future__ import annotations

import pytest

from explorer.tokens import encode, visible_pieces

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
CASED = "google-bert/bert-base-cased"
BART = "facebook/bart-large"
T5 = "google-t5/t5-small"
PIZZA = "I ate \N{SLICE OF PIZZA}"


# Reference values


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "ids"),
    [
        (GPT2, "The quick brown fox jumps over the lazy dog", [464, 2068, 7586, 21831, 18045, 625, 262, 16931, 3290]),
        (GPT2, "The capital of France is Paris.", [464, 3139, 286, 4881, 318, 6342, 13]),
        (GPT2, " Paris.<|endoftext|>", [6342, 13, 50256]),
        (GPT2, "Mary had a little lamb", [24119, 550, 257, 1310, 19343]),
        (GPT2, "Answer: ", [33706, 25, 220]),
        (GPT2, "Answer: yes", [33706, 25, 3763]),
        (GPT2, "a   b", [64, 220, 220, 275]),
        (GPT2, PIZZA, [40, 15063, 12520, 235, 243]),
        (GPT2, "stop<|endoftext|>go", [11338, 50256, 2188]),
        (T5, "<extra_id_0> <extra_id_1> <extra_id_2>", [32099, 32098, 32097, 1]),
    ],
)
def test_ids(tokenizer, name, text, ids):
    assert encode(text, tokenizer(name)).ids.tolist() == ids


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "pair", "count"),
    [
        (BERT, "The capital of France is [MASK].", None, 9),
        (BERT, "my dog is hairy and he likes to play fetch in the park every morning", None, 17),
        (BERT, "my dog is hairy", "he likes to play", 11),
        (BERT, "A man is playing guitar.", "A person plays music.", 14),
        ("distilbert/distilbert-base-cased-distilled-squad", "Where is the Eiffel Tower?",
         "The Eiffel Tower is a wrought-iron lattice tower in Paris, France.", 28),
        (GPT2, "Q: What is the capital of France?\nA:", None, 12),
        (BART, "UN Chief Says There Is No <mask> in Syria", None, 11),
        (BART, "UN Chief Says There Is No Plan to Stop Chemical Weapons in Syria", None, 15),
        (T5, "Thank you <extra_id_0> me to your party <extra_id_1> week.", None, 11),
        (T5, "<extra_id_0> for inviting <extra_id_1> last <extra_id_2>", None, 7),
        (T5, "A cat rested.", None, 6),
    ],
)  # fmt: skip
def test_counts(tokenizer, name, text, pair, count):
    assert len(encode(text, tokenizer(name), pair)) == count


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "visible"),
    [
        (CASED, "Euisuk Chung works at Google", "[CLS] E ##ui ##su ##k Chung works at Google [SEP]"),
        (CASED, "Steve Jobs founded Apple in California.",
         "[CLS] Steve Job ##s founded Apple in California . [SEP]"),
        (T5, "summarize: The cat sat on the mat all day.",
         "·summarize : ·The ·cat · s at ·on ·the ·mat ·all ·day . </s>"),
        (T5, "A cat rested.", "·A ·cat ·reste d . </s>"),
        (GPT2, "the quick brown", "the ·quick ·brown"),
    ],
)  # fmt: skip
def test_visible(tokenizer, name, text, visible):
    assert encode(text, tokenizer(name)).visible == tuple(visible.split())


@pytest.mark.models
def test_mask_of_the_reference_sentence_stands_at_6(tokenizer):
    bert = tokenizer(BERT)
    assert encode("The capital of France is [MASK].", bert).ids.tolist().index(bert.special.mask) == 6


@pytest.mark.models
def test_pair_of_the_reference_values(tokenizer):
    encoding = encode("my dog is hairy", tokenizer(BERT), "he likes to play")
    assert encoding.ids.tolist() == [101, 2026, 3899, 2003, 15892, 102, 2002, 7777, 2000, 2377, 102]
    assert encoding.sequences.tolist() == [-1, 0, 0, 0, 0, -1, 1, 1, 1, 1, -1]
    assert encoding.special.tolist() == [True, *[False] * 4, True, *[False] * 4, True]


@pytest.mark.models
def test_answer_of_the_reference_question_is_token_23(tokenizer):
    context = "The Eiffel Tower is a wrought-iron lattice tower in Paris, France."
    encoding = encode(
        "Where is the Eiffel Tower?", tokenizer("distilbert/distilbert-base-cased-distilled-squad"), context
    )
    assert encoding.spans[23].tolist() == [52, 57]
    assert encoding.visible[23:26] == ("Paris", ",", "France")


# Characters over several tokens, white space, what cannot be seen


@pytest.mark.models
def test_one_character_over_three_tokens(tokenizer):
    encoding = encode(PIZZA, tokenizer(GPT2))
    assert encoding.spans.tolist() == [[0, 1], [1, 5], [5, 7], [6, 7], [6, 7]]
    assert encoding.visible == ("I", "·ate", "·⟨F0 9F⟩", "⟨8D⟩", "⟨95⟩")
    assert encoding.words.tolist() == [0, 1, 2, 2, 2]
    assert visible_pieces(encoding.ids, tokenizer(GPT2)) == encoding.visible


@pytest.mark.models
@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("a   b", ["a", "·", "·", "·b"]),
        ("line one\nline two", ["line", "·one", "⏎", "line", "·two"]),
        ("a\tb\r\n", ["a", "⇥", "b", "␍", "⏎"]),
        ("a\0b", ["a", "␀", "b"]),
        ("a \u200bb", ["a", "·⟨U+200B⟩", "b"]),
        ("\u202eab", ["⟨E2 80⟩", "⟨AE⟩", "ab"]),
        ("한국", ["⟨ED 95⟩", "⟨9C⟩", "⟨EA⟩", "⟨B5⟩", "⟨AD⟩"]),
        ("$5 and $6 **bold** _x_", ["$", "5", "·and", "·$", "6", "·**", "bold", "**", "·_", "x", "_"]),
        ("a<b", ["a", "<", "b"]),
    ],
)
def test_nothing_is_invisible_in_gpt2(tokenizer, text, visible):
    assert encode(text, tokenizer(GPT2)).visible == tuple(visible)


@pytest.mark.models
def test_korean_and_emoji_are_characters_where_a_piece_holds_them_whole(tokenizer):
    assert encode("이 😊", tokenizer(GPT2)).visible == ("⟨EC 9D⟩", "⟨B4⟩", "·⟨F0 9F 98⟩", "⟨8A⟩")
    assert encode("다", tokenizer(CASED)).visible == ("[CLS]", "[UNK]", "[SEP]")
    assert encode("다", tokenizer(BERT)).visible == ("[CLS]", "ᄃ", "##ᅡ", "[SEP]")
    assert encode("éの", tokenizer(GPT2)).visible == ("é", "の")


@pytest.mark.models
def test_a_mark_without_its_letter_sits_on_a_circle(tokenizer):
    assert encode("e\u0301", tokenizer(CASED)).visible == ("[CLS]", "e", "##◌\u0301", "[SEP]")


# Words


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        (BERT, "a mystery mystery unmysterious", [-1, 0, 1, 2, 3, 3, 3, 3, -1]),
        (GPT2, "a mystery mystery", [0, 1, 2]),
        (GPT2, "mystery mystery", [0, 0, 1]),
        (BART, "mystery mystery", [-1, 0, 0, 1, -1]),
        (T5, "The cat sat on", [0, 1, 2, 2, 2, 3, -1]),
        (T5, "I'm good{", [0, 0, 0, 1, 1, -1]),
    ],
)
def test_pieces_of_a_word_share_its_number(tokenizer, name, text, words):
    assert encode(text, tokenizer(name)).words.tolist() == words


# Control tokens that the text spells


@pytest.mark.models
def test_typed_mask_in_bert(tokenizer):
    encoding = encode("the [MASK] sat", tokenizer(BERT))
    assert encoding.ids.tolist() == [101, 1996, 103, 2938, 102]
    assert encoding.special.tolist() == [True, False, True, False, True]
    assert encoding.typed.tolist() == [False, False, True, False, False]
    assert [str(note) for note in encoding.notes] == [
        "The text itself spells the control token [MASK], and the model takes it for one."
    ]
    plain = encode("the [mask] sat", tokenizer(BERT))
    assert plain.visible[2:5] == ("[", "mask", "]")
    assert not plain.typed.any()


@pytest.mark.models
def test_typed_end_of_text_in_gpt2(tokenizer):
    encoding = encode("stop<|endoftext|>go", tokenizer(GPT2))
    assert encoding.typed.tolist() == encoding.special.tolist() == [False, True, False]
    assert encoding.visible == ("stop", "<|endoftext|>", "go")


@pytest.mark.models
@pytest.mark.parametrize(
    ("name", "text", "typed"),
    [
        (BART, "No <mask> in", 1),
        (T5, "a <extra_id_7> b </s> c", 2),
        (BERT, "[UNK] \N{SLICE OF PIZZA}", 1),
        (GPT2, "[MASK] </s>", 0),
    ],
)
def test_typed_is_what_the_text_spells(tokenizer, name, text, typed):
    assert int(encode(text, tokenizer(name)).typed.sum()) == typed
