"""question_answering: characters to tokens, windows, answers that are cut or missing, pads on the left, any text by
property."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from explorer.objectives.base import Texts
from explorer.objectives.question_answering import Settings, answer_tokens, build, window_of, windows
from explorer.tokens import encode
from explorer.types import Example, InputProblem
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
SQUAD = "distilbert/distilbert-base-cased-distilled-squad"
TOWER = "The Eiffel Tower is a wrought-iron lattice tower in Paris, France."


def example(question: str, context: str | None, answer: str | None, tokenizer=LETTERS, **chosen) -> Example:
    return build(Texts(question, context, answer), tokenizer, Settings(**chosen), np.random.default_rng(0))


def span(made: Example) -> tuple[int, int]:
    return made.extra["start_positions"], made.extra["end_positions"]


def test_first_and_last_token_of_the_answer() -> None:
    made = example("q", "a bc d", "bc")
    assert made.encoder.visible == ("[CLS]", "q", "[SEP]", "a", "b", "##c", "d", "[SEP]")
    assert span(made) == (4, 5)
    assert made.label_visible == ("", "", "", "", "start", "end", "", "")
    assert [(target.position, target.predicts) for target in made.targets] == [(4, "start"), (5, "end")]
    assert {"start_positions", "end_positions"} <= set(made.model_inputs())
    assert "labels" not in made.model_inputs()


def test_an_answer_of_one_token_is_both() -> None:
    made = example("q", "a b", "b")
    assert span(made) == (4, 4)
    assert made.label_visible[4] == "start, end"
    assert made.n_targets == 2


def test_the_place_tells_equal_words_apart() -> None:
    assert span(example("q", "a b a", "a")) == (3, 3)
    assert span(example("q", "a b a", "a", answer_start=4)) == (5, 5)


@pytest.mark.models
def test_the_answer_of_the_reference(tokenizer) -> None:
    made = example("Where is the Eiffel Tower?", TOWER, "Paris", tokenizer(SQUAD), answer_start=52)
    assert span(made) == (23, 23)
    assert len(made.encoder) == 28
    assert made.encoder.token_types is None
    assert str(made.notes[0]) == "The answer is token 23: Paris."


def test_windows_share_the_overlap_and_only_one_has_the_answer() -> None:
    made = [example("q", "a b c d e", "e", max_length=7, stride=1, window=window) for window in (0, 1)]
    assert made[0].encoder.visible == ("[CLS]", "q", "[SEP]", "a", "b", "c", "[SEP]")
    assert made[1].encoder.visible == ("[CLS]", "q", "[SEP]", "c", "d", "e", "[SEP]")
    assert [span(each) for each in made] == [(0, 0), (5, 5)]
    assert [str(note) for note in made[0].notes] == [
        *("The answer is not in this window.", "Start and end are the position of [CLS], 0.", "Window 0 of 0 to 1."),
    ]


def test_a_window_that_cuts_the_answer_has_none() -> None:
    made = example("q", "a b c d e", "c d", max_length=7, stride=1)
    assert span(made) == (0, 0)
    assert str(made.notes[0]) == "This window cuts the answer, so it counts as none here."


def test_no_answer_is_the_place_of_cls_wherever_that_is() -> None:
    assert span(example("q", "a b", None)) == (0, 0)
    padded = example("q", "a b", None, pad_to=8, pad_left=True)
    assert padded.encoder.visible == ("[PAD]", "[PAD]", "[CLS]", "q", "[SEP]", "a", "b", "[SEP]")
    assert padded.encoder.token_types.tolist() == [0, 0, 0, 0, 0, 1, 1, 1]
    assert span(padded) == (2, 2)
    assert span(example("q", "a b", "b", pad_to=8, pad_left=True)) == (6, 6)


@pytest.mark.parametrize(
    ("context", "answer", "chosen", "said"),
    [
        ("a b", "c", {}, "The answer 'c' does not stand in the context."),
        ("a b", "c", {"answer_start": 0}, "The answer 'c' does not stand in the context."),
        ("a b", "b", {"answer_start": 0}, "At character 0 the context has 'a', not 'b'."),
        (None, "b", {}, "There is no context."),
        ("a b c d", "b", {"max_length": 5, "stride": 2}, "A window of 5 tokens leaves 1 for the context"),
        ("a b", "b", {"window": 1}, "window is 1, but the windows are 0 to 0."),
    ],
)
def test_what_cannot_be_is_told(context: str | None, answer: str, chosen: dict[str, int], said: str) -> None:
    with pytest.raises(InputProblem, match=said):
        example("q", context, answer, **chosen)


@given(words=st.lists(st.sampled_from("abcdefg"), min_size=1, max_size=30), longest=st.integers(5, 12), data=st.data())
def test_windows_hold_every_token_and_neighbours_share_the_overlap(words: list[str], longest: int, data) -> None:
    stride = data.draw(st.integers(0, longest - 5))
    encoding = encode("q", LETTERS, " ".join(words))
    context = set(np.flatnonzero(encoding.sequences == 1).tolist())
    found = [set(window.tolist()) for window in windows(encoding, longest, stride)]
    assert set().union(*found) == set(range(len(encoding)))
    assert all(len(window) <= longest and set(range(len(encoding))) - context <= window for window in found)
    assert all(len(one & other & context) == stride for one, other in pairwise(found))
    assert len(found) == 1 or found[-1] != found[-2]


@pytest.mark.models
@given(
    parts=st.lists(
        st.one_of(
            st.text(max_size=5), st.sampled_from(["Paris, France", "U.S.", "나무는", "\U0001f355 pizza", "cafe\u0301"])
        ),
        min_size=1,
        max_size=8,
    ),
    data=st.data(),
)
def test_the_tokens_of_an_answer_cover_it_and_no_more_than_their_words(parts: list[str], data, tokenizer) -> None:
    squad = tokenizer(SQUAD)
    context = encode(" ".join(parts), squad).text
    start = data.draw(st.integers(0, len(context)))
    answer = context[start : data.draw(st.integers(start, len(context)))]
    assume(answer == answer.strip() != "")
    encoding = encode("q", squad, context)
    try:
        first, last = answer_tokens(encoding, answer, start)
    except InputProblem as problem:
        assert "No token comes from the answer" in str(problem)
        return
    spans = encoding.spans[first : last + 1]
    own = [token for token in range(len(encoding)) if encoding.sequences[token] == 1]
    over = [t for t in own if encoding.spans[t][0] < start + len(answer) and encoding.spans[t][1] > start]
    assert (first, last) == (over[0], over[-1])
    reached = context[int(spans[0][0]) : int(spans[-1][1])]
    assert squad.normalize(answer).strip() in squad.normalize(reached) or reached in answer


UNTIDY = st.one_of(
    st.text(alphabet="abcXYZ0189 ,.'-éß나무\u0301\u200b\t", min_size=1, max_size=8),
    st.sampled_from(["U.S.", "don't", "\U0001f355", "Paris,", "wrought-iron", "나무는"]),
)


@pytest.mark.models
@given(parts=st.lists(UNTIDY, min_size=1, max_size=12), longest=st.integers(8, 24), data=st.data())
def test_the_span_of_a_window_is_the_answer_after_normalisation(parts, longest: int, data, tokenizer) -> None:
    """Answers of whole words; a window that cuts one or has none points at [CLS]."""
    squad = tokenizer(SQUAD)
    context = " ".join(parts)
    words = [found.span() for found in re.finditer(r"\S+", context)]
    assume(words)
    first = data.draw(st.integers(0, len(words) - 1))
    start, end = words[first][0], words[data.draw(st.integers(first, len(words) - 1))][1]
    texts, settings = Texts("q", context, context[start:end]), Settings(start, max_length=longest, stride=2)
    try:
        count = window_of(texts, squad, settings).count
        made = [build(texts, squad, replace(settings, window=n), np.random.default_rng(0)) for n in range(count)]
    except InputProblem as problem:
        assert "the tokenizer drops it" in str(problem)
        return
    whole = answer_tokens(encode("q", squad, context), context[start:end], start)
    for number, each in enumerate(made):
        window = window_of(texts, squad, replace(settings, window=number))
        if set(whole) <= set(window.kept.tolist()):
            a, b = window.characters(*span(each))
            # What the tokenizer drops may stand at the ends of the answer.
            said, wanted = (re.sub(r"\W", "", squad.normalize(text)) for text in (context[a:b], context[start:end]))
            assert said == wanted
            assert all(window.inside[at] for at in range(span(each)[0], span(each)[1] + 1))
        else:
            assert span(each) == (0, 0)
