"""One sentence through every family, and what two Examples do not share."""

from __future__ import annotations

import pytest

from explorer.comparison import WAYS, Columns, differences, halves
from explorer.objectives import Texts, objectives
from explorer.ui.frame import PAGES
from tests.examples import make

pytestmark = pytest.mark.models

BERT, GPT2, BART = "google-bert/bert-base-uncased", "openai-community/gpt2", "facebook/bart-base"


@pytest.mark.parametrize(
    ("sentence", "cut"),
    [
        ("the cat sat on the mat", ("the cat sat", " on the mat")),
        ("one", ("o", "ne")),
        (" one", (" o", "ne")),
        ("나는 어제 학교에 갔습니다.", ("나는 어제", " 학교에 갔습니다.")),
        ("", ("", "")),
    ],
)
def test_a_sentence_is_cut_before_the_word_nearest_its_middle(sentence, cut) -> None:
    assert halves(sentence) == cut


def test_every_family_has_a_page_and_an_objective_of_that_page() -> None:
    assert [way.page for way in WAYS] == ["transformer", "bert", "gpt", "sft", "prefix_lm", "bart", "t5"]
    for way in WAYS:
        assert way.page in PAGES
        assert objectives()[way.objective].page in {way.page, "t5"}


def test_the_same_example_differs_nowhere(tokenizer) -> None:
    made = make("masked_lm", tokenizer(BERT), Texts("the cat sat"), {"select": "2"})
    assert differences(made, made) == (Columns(), Columns())


def test_another_masked_position_marks_both(tokenizer) -> None:
    # [CLS] the cat sat [SEP]: cat is masked in one, sat in the other.
    a, b = (make("masked_lm", tokenizer(BERT), Texts("the cat sat"), {"select": at}) for at in ("2", "3"))
    assert differences(a, b) == (Columns(output=frozenset({2, 3})), Columns(output=frozenset({2, 3})))


def test_a_word_more_is_marked_alone_with_the_output_before_it(tokenizer) -> None:
    a, b = (make("causal_lm", tokenizer(GPT2), Texts(text)) for text in ("the cat sat", "the big cat sat"))
    # "the" must say "·cat" in one and "·big" in the other.
    assert differences(a, b) == (Columns(output=frozenset({0})), Columns(output=frozenset({0, 1})))


def test_sources_and_outputs_are_told_apart(tokenizer) -> None:
    a, b = (
        make("denoising", tokenizer(BART), Texts("the cat sat on the mat"), {"kind": "text_infilling", "spans": spans})
        for spans in ("2:3", "")
    )
    found = differences(a, b)
    assert found[0].source
    assert found[0].output == frozenset()
