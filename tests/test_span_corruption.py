"""span_corruption: literal ids by hand, refusals, rebuilding text from input and target, and T5's own values."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.objectives.base import Texts
from explorer.objectives.span_corruption import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.tokens import SpecialIds
from explorer.types import Example, InputProblem, Role
from tests.fakes import LetterTokenizer
from tests.rebuild import filled

LETTERS = LetterTokenizer()
T5 = "google-t5/t5-small"
PARTY = "Thank you for inviting me to your party last week."
S, K, X = Role.SPECIAL, Role.KEPT, Role.SENTINEL


def example(text: str, tokenizer=LETTERS, *, target: str | None = None, seed: int = 0, **chosen) -> Example:
    return build(Texts(text, target=target), tokenizer, Settings(**chosen), np.random.default_rng(seed))


def test_spans_by_hand() -> None:
    made = example("a b c d e f", spans="1:3,5:6")
    assert made.encoder.ids.tolist() == [11, 99, 14, 15, 98]
    assert made.encoder.roles == (K, X, K, K, X)
    assert made.labels.tolist() == [99, 12, 13, 98, 16, 97, 4]
    assert made.decoder.ids.tolist() == [0, 99, 12, 13, 98, 16, 97]
    assert made.decoder.roles == (S, X, K, K, X, K, X)
    assert made.label_visible == ("<extra_id_0>", "b", "c", "<extra_id_1>", "f", "<extra_id_2>", "</s>")
    assert made.n_targets == 7
    assert made.shift == "decoder_input"
    assert str(made.notes[0]) == "3 of 6 tokens (50%) are taken out. Spans: 2."


def test_spans_that_touch_keep_their_own_sentinels() -> None:
    made = example("a b c", spans="0:1,1:2")
    assert made.encoder.ids.tolist() == [99, 98, 13]
    assert made.labels.tolist() == [99, 11, 98, 12, 97, 4]


def test_masks_are_full_causal_and_cross() -> None:
    made = example("a b c", spans="0:2")
    assert made.masks.encoder.tolist() == [[True] * 2] * 2
    assert made.masks.decoder.tolist() == [[j <= i for j in range(5)] for i in range(5)]
    assert made.masks.cross.tolist() == [[True] * 2] * 5


def test_by_hand_uses_no_randomness() -> None:
    rng = np.random.default_rng(7)
    build(Texts("a b c"), LETTERS, Settings(spans="1:2"), rng)
    assert rng.random() == np.random.default_rng(7).random()


@pytest.mark.parametrize(("text", "rate"), [("a", 0.9), ("a b c", 0.0), ("[SEP]", 0.5)])
def test_nothing_taken_out_is_said(text: str, rate: float) -> None:
    made = example(text, rate=rate)
    assert made.labels.tolist() == [99, 4]
    assert "Nothing is taken out" in str(made.warnings[-1])


@settings(max_examples=300, deadline=None)
@given(
    words=st.lists(st.sampled_from([*"abcdef", "[MASK]", "[SEP]"]), min_size=1, max_size=30),
    rate=st.floats(0, 1),
    mean_length=st.floats(1, 5),
    seed=st.integers(0, 2**32),
)
def test_input_and_target_rebuild_the_text(words: list[str], rate: float, mean_length: float, seed: int) -> None:
    text = " ".join(words)
    original = list(LETTERS.encode(text).ids)
    made = example(text, rate=rate, mean_length=mean_length, seed=seed)
    assert filled(made) == original


def test_typed_sentinels_need_a_target() -> None:
    with pytest.raises(InputProblem, match=r"The text already holds <extra_id_3>\. Type what it stands for"):
        example("a <extra_id_3> b")


def test_damaged_by_hand() -> None:
    made = example("a <extra_id_0> c", target="<extra_id_0> b <extra_id_1> </s>", spans="0:1")
    assert made.encoder.ids.tolist() == [11, 99, 13]
    assert made.encoder.roles == (K, X, K)
    assert made.labels.tolist() == [99, 12, 98, 4]
    assert made.decoder.roles == (S, X, K, X)
    assert "fed as typed" in str(made.notes[0])
    assert not any("should list" in str(warning) for warning in made.warnings)


@pytest.mark.parametrize(
    "target", ["<extra_id_1> b <extra_id_0>", "<extra_id_0> b", "b", "<extra_id_0> b <extra_id_1> c <extra_id_2>"]
)
def test_sentinels_that_do_not_match_are_said(target: str) -> None:
    made = example("a <extra_id_0> c", target=target)
    assert str(made.warnings[-1]).startswith("The target should list the 1 sentinels of the text in the same order")


def test_more_spans_than_sentinels() -> None:
    words = " ".join("abcdefghij" * 6)
    with pytest.raises(InputProblem) as problem:
        example(words, rate=0.5, mean_length=1.0)
    assert str(problem.value) == (
        "30 spans and the end of the target need 31 sentinels, but letters has 20. Take a lower share, longer spans or "
        "a shorter text."
    )


def test_needs_sentinels_an_end_and_a_start_token() -> None:
    with pytest.raises(InputProblem, match="letters has no end token"):
        example("a b", LetterTokenizer(special=SpecialIds(decoder_start=0)))
    with pytest.raises(InputProblem, match="letters has no decoder start token"):
        example("a b", LetterTokenizer(special=replace(LETTERS.special, decoder_start=None)))


def test_empty_spans_are_refused() -> None:
    with pytest.raises(InputProblem, match="spans names 1:1, which is empty"):
        example("a b", spans="1:1")


@pytest.mark.parametrize("text", ["", " \n\t"])
def test_no_text(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text)


@pytest.mark.models
def test_a_tokenizer_without_sentinels(tokenizer) -> None:
    with pytest.raises(InputProblem, match="openai-community/gpt2 has no sentinel tokens"):
        example("a b", tokenizer("openai-community/gpt2"))


@pytest.mark.models
def test_t5_thanks_for_the_party(tokenizer) -> None:
    t5 = tokenizer(T5)
    typed = example(
        "Thank you <extra_id_0> me to your party <extra_id_1> week.",
        t5,
        target="<extra_id_0> for inviting <extra_id_1> last <extra_id_2>",
    )
    for made in (typed, example(PARTY, t5, spans="2:4,8:9")):
        assert made.encoder.ids.tolist() == [1562, 25, 32099, 140, 12, 39, 1088, 32098, 471, 5, 1]
        assert made.labels.tolist() == [32099, 21, 14256, 32098, 336, 32097, 1]
        assert made.decoder.ids.tolist() == [0, 32099, 21, 14256, 32098, 336, 32097]
        assert (len(made.encoder), made.n_targets) == (11, 7)
        assert made.decoder.visible[0] == "<pad>"
        assert [role is X for role in made.encoder.roles] == [id > 32000 for id in made.encoder.ids]
    assert not any("should list" in str(warning) for warning in typed.warnings)


@pytest.mark.models
def test_t5_walks_the_dog(tokenizer) -> None:
    made = example("The cute dog walks in the park", tokenizer(T5), spans="1:3,5:6")
    assert made.encoder.ids.tolist() == [37, 32099, 10681, 16, 32098, 2447, 1]
    assert made.labels.tolist() == [32099, 5295, 1782, 32098, 8, 32097, 1]
    assert made.decoder.ids.tolist() == [0, 32099, 5295, 1782, 32098, 8, 32097]


@pytest.mark.models
@pytest.mark.parametrize("text", ["Hi there I'm good", "Hi  there\tI'm good", " Hi there\n\nI'm   good\n"])
def test_t5_drops_white_space(tokenizer, text: str) -> None:
    made = example(text, tokenizer(T5), spans="0:2")
    assert made.encoder.ids.tolist() == [32099, 27, 31, 51, 207, 1]
    assert made.labels.tolist() == [32099, 2018, 132, 32098, 1]
    folded = text != " ".join(text.split())
    assert any("repeated spaces are not kept" in str(note) for note in made.notes) == folded


@pytest.mark.models
def test_t5_does_not_know_a_brace(tokenizer) -> None:
    made = example("a {", tokenizer(T5), spans="0:1")
    assert "<unk>" in made.encoder.visible


@pytest.mark.models
def test_t5_has_a_hundred_sentinels(tokenizer) -> None:
    t5, text = tokenizer(T5), "the " * 400
    assert example(text, t5, rate=99 / 400, mean_length=1.0).labels[-2] == 32000
    with pytest.raises(InputProblem, match=r"100 spans and the end of the target need 101 sentinels, but .* has 100"):
        example(text, t5, rate=100 / 400, mean_length=1.0)


@pytest.mark.models
def test_long_text_is_cut_and_told(tokenizer) -> None:
    made = example("the " * 600, tokenizer(T5))
    assert 512 - made.labels.size <= len(made.encoder) < 512
    assert made.encoder.ids[-1] == 1
    assert "601" in str(made.warnings[0])
    assert "512" in str(made.warnings[0])


@pytest.mark.models
def test_share_and_mean_length_over_many_texts(tokenizer) -> None:
    t5, text = tokenizer(T5), "the " * 511
    removed = spans = 0
    for seed in range(400):
        made = example(text, t5, seed=seed)
        spans += made.encoder.roles.count(X)
        removed += made.labels.size - made.decoder.roles.count(X) - 1
    assert removed / (511 * 400) == pytest.approx(0.15, abs=0.005)
    assert removed / spans == pytest.approx(3.0, abs=0.1)


@pytest.mark.models
def test_ready_examples(tokenizer) -> None:
    t5 = tokenizer(OBJECTIVE.model)
    for ready in OBJECTIVE.examples:
        made = build(ready.texts, t5, parse_settings(Settings, ready.settings), np.random.default_rng(ready.seed))
        assert X in made.encoder.roles
        assert ready.texts.target or filled(made) == list(t5.encode(ready.texts.text).ids)
