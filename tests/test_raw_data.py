"""Records of published shapes as examples: texts, settings that all rows share, and lines that do not fit."""

from __future__ import annotations

import json

import numpy as np
import pytest

from explorer.objectives import Texts, objective, objectives
from explorer.raw_data import SHAPES, common_settings, make_examples, read_data
from explorer.types import InputProblem
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
NER = LetterTokenizer(template=True, classes=("O", "B-PER", "I-PER", "B-LOC", "I-LOC"))


def read(key: str, *rows: object):
    records, items = read_data("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows), key)
    return [str(problem) for problem in records.problems], items


def made(key: str, *rows: object, tokenizer=LETTERS, **chosen):
    _, items = read(key, *rows)
    settings = common_settings(objective(key).Settings(**chosen), items, tokenizer)
    return make_examples(key, items, tokenizer, settings, 0)


@pytest.mark.parametrize("key", SHAPES)
def test_the_line_that_shows_the_shape_can_be_read(key) -> None:
    problems, [item] = read(key, SHAPES[key].example)
    assert problems == []
    assert item.texts.text or item.texts.messages


def test_every_objective_of_one_text_a_row_has_a_shape() -> None:
    assert set(objectives()) - set(SHAPES) == {"packed_lm"}


def test_a_conversation_and_a_pair_are_read_as_typed() -> None:
    messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "가"}]
    _, [talk, pair] = read("sft", {"messages": messages}, {"prompt": "q", "response": " r"})
    assert json.loads(talk.texts.messages) == messages
    assert pair.texts == Texts("q", target=" r")


def test_classes_are_those_of_all_rows() -> None:
    rows = [{"sentence": "a", "label": "sport"}, {"sentence1": "b", "sentence2": "c", "label": "art"}]
    found = made("sequence_classification", *rows)
    assert [example.classes for example in found.examples] == [("art", "sport")] * 2
    assert [example.extra["class"] for example in found.examples] == [1, 0]
    assert found.examples[1].encoder.visible == ("[CLS]", "b", "[SEP]", "c", "[SEP]")
    numbered = made("sequence_classification", {"sentence": "a", "label": 1}, {"text": "b", "label": 0})
    assert [example.extra["class"] for example in numbered.examples] == [1, 0]
    assert numbered.examples[0].classes == ("negative", "positive")
    rows = [{"sentence": "a", "label": 3.5}, {"sentence": "b", "label": "1"}]
    values = made("sequence_classification", *rows, classes="score", pad_to=9)
    assert [example.value for example in values.examples] == [3.5, 1.0]
    assert [len(example.encoder) for example in values.examples] == [3, 3]


def test_one_class_in_all_rows_is_no_regression() -> None:
    rows = [{"sentence": "a", "label": "sport"}, {"sentence": "b", "label": "sport"}]
    with pytest.raises(InputProblem, match=r"All records have the class sport\. Give at least two"):
        made("sequence_classification", *rows)
    named = made("sequence_classification", *rows, classes="art,sport")
    assert [example.extra["class"] for example in named.examples] == [1, 1]


def test_examples_that_teach_nothing_can_be_left_out() -> None:
    found = made("causal_lm", {"text": "a"}, {"text": "a b"}, tokenizer=LetterTokenizer())
    assert [example.n_targets for example in found.examples] == [0, 1]
    assert (found.with_targets.lines, found.with_targets.examples) == ((2,), found.examples[1:])


def test_tags_have_one_number_in_all_rows() -> None:
    rows = [{"tokens": ["ab", "c"], "ner_tags": ["B-X", "O"]}, {"tokens": ["d"], "ner_tags": ["B-Y"]}]
    found = made("token_classification", *rows)
    assert [example.labels.tolist() for example in found.examples] == [[-100, 1, -100, 0, -100], [-100, 3, -100]]
    records, items = read_data('{"tokens": ["a", "b"], "ner_tags": [0, 3]}', "token_classification", NER.classes)
    assert (records.problems, items[0].texts.target) == ((), "O B-LOC")
    problems, items = read("token_classification", {"tokens": ["a"], "ner_tags": [7]})
    assert problems == ["Line 1: the tag 7 is a number without a name; the tags in order are: –."]


def test_conll_is_read_without_being_asked() -> None:
    problems, items = read("token_classification", "John B-PER", "sings O", "", "Ann B-PER")
    assert problems == []
    assert [(item.line, item.texts.text, item.texts.target) for item in items] == [
        *((1, "John sings", "B-PER O"), (4, "Ann", "B-PER")),
    ]


def test_a_long_context_makes_a_row_for_each_window() -> None:
    rows = [
        {"question": "q", "context": "a b c d e", "answers": {"text": ["e"], "answer_start": [8]}},
        {"question": "q", "context": "a b", "answers": {"text": [], "answer_start": []}},
        {"question": "q", "context": "a b a", "answers": [{"text": "a", "answer_start": 4}]},
        {"question": "q", "context": "a b", "answers": {"text": ["b"], "answer_start": [0]}},
    ]
    found = made("question_answering", *rows, max_length=7, stride=1)
    assert found.lines == (1, 1, 2, 3)
    assert [tuple(example.extra.values()) for example in found.examples] == [(0, 0), (5, 5), (0, 0), (5, 5)]
    assert [str(problem) for problem in found.problems] == [
        "Line 4: At character 0 the context has 'a', not 'b'. Take -1 to find its first place."
    ]


def test_an_answer_may_stand_in_columns() -> None:
    _, items = read("question_answering", "question,context,answer,answer_start", "q,a b,b,2", "q,a b,,", "q,a b,b,")
    assert [(item.texts.target, dict(item.settings)) for item in items] == [
        *(("b", {"answer_start": 2}), (None, {"answer_start": -1}), ("b", {"answer_start": -1})),
    ]


CLASSES, TAGS, ANSWERS = "sequence_classification", "token_classification", "question_answering"


@pytest.mark.parametrize(
    ("key", "row", "said"),
    [
        ("causal_lm", {"content": "a"}, "there is no field text; the fields are: content."),
        ("causal_lm", {"text": 3}, "text is 3, but must be text."),
        ("causal_lm", {"text": " "}, 'text is " ", but must be text.'),
        ("seq2seq", {"source": "a"}, "there is no field target; the fields are: source."),
        (CLASSES, {"sentence": "a", "label": "x,y"}, "the label x,y holds a comma, which separates classes."),
        (CLASSES, {"sentence": "a", "label": None}, "label is null, but must be text."),
        (TAGS, {"tokens": ["a"], "ner_tags": []}, "ner_tags is [], but must be a list."),
        (TAGS, {"tokens": ["a", "b"], "ner_tags": ["O"]}, "there are 2 tokens but 1 tags."),
        (TAGS, {"tokens": ["New York"], "ner_tags": ["O"]}, 'the token "New York" is no single word.'),
        (ANSWERS, {"question": "q", "context": "a", "answers": "a"}, 'answers is "a", but must be an object.'),
    ],
)
def test_a_line_that_does_not_fit_is_named(key, row, said) -> None:
    problems, items = read(key, row)
    assert (problems, items) == ([f"Line 1: {said}"], ())


def test_what_was_chosen_by_hand_for_one_text_is_emptied() -> None:
    _, items = read("masked_lm", {"text": "a b c"})
    settings = common_settings(objective("masked_lm").Settings(select="2,3", rate=0.5), items, LETTERS)
    assert (settings.select, settings.rate) == ("", 0.5)


def test_the_same_seed_gives_the_same_rows() -> None:
    rows = [{"text": "a b c d e f g h"}] * 3
    draws = [[example.labels.tolist() for example in made("masked_lm", *rows, rate=0.5).examples] for _ in range(2)]
    assert draws[0] == draws[1]
    assert len({str(each) for each in draws[0]}) > 1
    assert np.array(draws[0]).shape == (3, 10)
