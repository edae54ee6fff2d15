"""token_classification: tags on first or all pieces, words without tokens, and any text by property."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.objectives.base import Texts
from explorer.objectives.token_classification import Settings, build, tag_names, words_of
from explorer.tokens import encode
from explorer.types import IGNORE, Example, InputProblem
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
NER, GPT2, T5 = "dslim/bert-base-NER", "openai-community/gpt2", "google-t5/t5-small"


def example(text: str, target: str | None, tokenizer=LETTERS, **chosen) -> Example:
    return build(Texts(text, target=target), tokenizer, Settings(**chosen), np.random.default_rng(0))


def test_the_first_piece_of_a_word_carries_its_tag() -> None:
    made = example("ab cd", "B-ORG I-ORG")
    assert made.encoder.visible == ("[CLS]", "a", "##b", "c", "##d", "[SEP]")
    assert made.label_visible == ("", "B-ORG", "", "I-ORG", "", "")
    assert made.classes == ("O", "B-ORG", "I-ORG")
    assert made.labels.tolist() == [-100, 1, -100, 2, -100, -100]
    assert made.shift == "none"
    assert [(target.position, target.predicts) for target in made.targets] == [(1, "B-ORG"), (3, "I-ORG")]


def test_all_pieces_go_on_inside_the_name() -> None:
    made = example("ab cd", "B-ORG I-ORG", pieces="all")
    assert made.label_visible == ("", "B-ORG", "I-ORG", "I-ORG", "I-ORG", "")
    assert made.labels.tolist() == [-100, 1, 2, 2, 2, -100]


@pytest.mark.models
def test_the_names_of_the_reference(tokenizer) -> None:
    made = example("Euisuk Chung works at Google", "B-PER I-PER O O B-ORG", tokenizer("google-bert/bert-base-cased"))
    assert made.encoder.visible == (*("[CLS]", "E", "##ui", "##su", "##k", "Chung", "works", "at", "Google", "[SEP]"),)
    assert made.label_visible == ("", "B-PER", "", "", "", "I-PER", "O", "O", "B-ORG", "")
    assert made.labels.tolist() == [-100, 1, -100, -100, -100, 2, 0, 0, 3, -100]


def test_tags_in_an_order_of_ones_own() -> None:
    assert example("a b", "O B-LOC", tags="B-LOC, I-LOC, O").labels.tolist() == [-100, 2, 0, -100]


def test_the_models_own_order_where_it_knows_all_tags() -> None:
    own = LetterTokenizer(template=True, classes=("O", "B-MISC", "I-MISC", "B-PER", "I-PER"))
    made = example("a b", "B-PER O", own)
    assert (made.classes, made.labels.tolist()) == (own.classes, [-100, 3, 0, -100])
    assert example("ab", "B-PER", own, pieces="all").labels.tolist() == [-100, 3, 4, -100]
    assert example("a b", "B-LOC O", own).classes == ("O", "B-LOC", "I-LOC")
    assert example("a b", "B-PER O", own, tags="O,B-PER").labels.tolist() == [-100, 1, 0, -100]


@pytest.mark.models
def test_the_numbers_of_a_published_tagger(tokenizer) -> None:
    made = example("Steve Jobs founded Apple in California .", "B-PER I-PER O B-ORG O B-LOC O", tokenizer(NER))
    assert made.encoder.visible == (
        *("[CLS]", "Steve", "Job", "##s", "founded", "Apple", "in", "California", ".", "[SEP]"),
    )
    assert made.classes == ("O", "B-MISC", "I-MISC", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC")
    assert made.labels.tolist() == [-100, 3, 4, -100, 0, 5, 0, 7, 0, -100]


def test_pads_have_no_tag() -> None:
    made = example("a", "O", pad_to=5)
    assert made.labels.tolist() == [-100, 0, -100, -100, -100]
    assert made.encoder.attention_mask.tolist() == [1, 1, 1, 0, 0]


@pytest.mark.models
def test_a_word_without_a_token_loses_its_tag_and_that_is_said(tokenizer) -> None:
    made = example("John \u200b lives", "B-PER O O", tokenizer(NER))
    assert made.label_visible == ("", "B-PER", "O", "")
    assert str(made.warnings[0]) == r"1 words have no token, so their tags are lost: \u200b."


@pytest.mark.parametrize(
    ("text", "tags", "chosen", "said"),
    [
        ("a b", "O", {}, "There are 2 words but 1 tags."),
        ("a b", None, {}, "There are no tags."),
        ("a b", "  ", {}, "There are no tags."),
        ("a", "B-ORG", {"tags": "O,B-PER"}, "The tag B-ORG is not among the tags: O, B-PER."),
        ("ab", "B-PER", {"tags": "O,B-PER", "pieces": "all"}, "The tag I-PER is not among the tags: O, B-PER."),
        (" ", "O", {}, "There is no text."),
    ],
)
def test_what_does_not_match_is_told(text: str, tags: str | None, chosen: dict[str, str], said: str) -> None:
    with pytest.raises(InputProblem, match=said):
        example(text, tags, **chosen)


def test_numbers_of_tags_that_name_nothing() -> None:
    assert tag_names(["DET", "O"]) == ("DET", "O")


WORDS = st.lists(
    st.one_of(st.text(min_size=1, max_size=6), st.sampled_from(["U.S.", "don't", "나무", "\U0001f355", "e\u0301"])),
    min_size=1,
).map(lambda parts: " ".join(parts).split())


@pytest.mark.models
@pytest.mark.parametrize("name", [NER, GPT2, T5])
@given(words=WORDS, data=st.data())
def test_each_word_that_has_a_token_has_exactly_one_label(name: str, words: list[str], data, tokenizer) -> None:
    if not words:
        return
    tags = data.draw(st.lists(st.sampled_from(["O", "B-X", "I-X"]), min_size=len(words), max_size=len(words)))
    read_by = tokenizer(name)
    made = example(" ".join(words), " ".join(tags), read_by)
    of = words_of(encode(" ".join(words), read_by, max_length=read_by.max_length))
    labelled = np.flatnonzero(made.labels != IGNORE)
    assert sorted(set(of[of >= 0].tolist())) == of[labelled].tolist()
    assert [made.classes[label] for label in made.labels[labelled]] == [tags[word] for word in of[labelled]]
    lost = len(words) - len(labelled)
    assert bool(lost) == any("have no token" in str(warning) for warning in made.warnings)
