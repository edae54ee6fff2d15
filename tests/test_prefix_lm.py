"""prefix_lm: where the prefix ends, who reads what, and that its labels are those of SFT."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.objectives import sft
from explorer.objectives.base import Texts
from explorer.objectives.prefix_lm import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.types import IGNORE, Example, InputProblem, Role
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer()
GPT2 = "openai-community/gpt2"


def example(text: str, target: str | None = None, tokenizer=LETTERS, **settings) -> Example:
    return build(Texts(text, target=target), tokenizer, Settings(**settings), np.random.default_rng(0))


@pytest.mark.parametrize("texts", [("a b c", "d e"), ("a b c", " d e"), ("a b c ", "d e"), ("a b c\n\nd e",)])
def test_target_box_or_blank_line(texts) -> None:
    made = example(*texts)
    assert made.decoder.ids.tolist() == [11, 12, 13, 14, 15]
    assert made.labels.tolist() == [IGNORE, IGNORE, IGNORE, 14, 15]
    assert [(t.position, t.reads_id, t.predicts_id) for t in made.targets] == [(2, 13, 14), (3, 14, 15)]
    assert made.decoder.roles == (Role.PROMPT,) * 3 + (Role.RESPONSE,) * 2
    assert made.masks.decoder.astype(int).tolist() == [
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 0, 0],
        [1, 1, 1, 1, 0],
        [1, 1, 1, 1, 1],
    ]


def test_ten_tokens_prefix_six() -> None:
    made = example("a b c d e f g h i j", prefix=6)
    assert made.masks.decoder.sum() == 70
    assert [t.position for t in made.targets] == [5, 6, 7, 8]
    assert [t.predicts for t in made.targets] == ["g", "h", "i", "j"]
    assert not made.masks.decoder[:6, 6:].any()


def test_a_counted_prefix_wins_over_the_boxes() -> None:
    assert example("a b c", "d e", prefix=1).labels.tolist() == [IGNORE, 12, 13, 14, 15]
    assert example("a b\n\nc d", prefix=3).labels.tolist() == [IGNORE, IGNORE, IGNORE, 14]


def test_half_where_nothing_is_said() -> None:
    assert example("a b c d e").labels.tolist() == [IGNORE, IGNORE, IGNORE, 14, 15]


def test_the_mask_goes_to_the_model_as_floats() -> None:
    given = example("a b", "c").model_inputs()["attention_mask"]
    assert given.shape == (1, 1, 3, 3)
    assert (given[0, 0] == 0).astype(int).tolist() == [[1, 1, 0], [1, 1, 0], [1, 1, 1]]


def test_an_end_token_is_a_target() -> None:
    made = example("a", "b", add_eos=True)
    assert made.labels.tolist() == [IGNORE, 12, 4]
    assert made.decoder.roles[-1] is Role.SPECIAL


def test_a_prefix_without_target_says_so() -> None:
    made = example("a b", prefix=2)
    assert made.n_targets == 0
    assert "0 targets" in str(made.warnings[0])


def test_a_prefix_longer_than_the_text_is_refused() -> None:
    with pytest.raises(InputProblem) as problem:
        example("a b", prefix=3)
    assert str(problem.value) == "prefix is 3, but the text has only 2 tokens."


def test_shifted_twice() -> None:
    made = example("a b", "c d", shift_twice=True)
    assert [(t.position, t.predicts_id) for t in made.targets] == [(0, 13), (1, 14)]


@pytest.mark.parametrize("text", ["", "\n\n"])
def test_no_text_is_asked_for(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text)


@pytest.mark.models
class TestGpt2:
    def test_a_b_c_then_d_e(self, tokenizer) -> None:
        made = example("A B C", "D E", tokenizer(GPT2))
        assert made.decoder.ids.tolist() == [32, 347, 327, 360, 412]
        assert [(t.reads, t.predicts) for t in made.targets] == [("·C", "·D"), ("·D", "·E")]
        assert made.masks.decoder.sum() == 18

    def test_the_labels_are_those_of_sft(self, tokenizer) -> None:
        texts = Texts("Q: What is the capital of France?\nA:", target=" Paris.")
        rng = np.random.default_rng(0)
        tuned = sft.build(texts, tokenizer(GPT2), sft.Settings(), rng)
        made = build(texts, tokenizer(GPT2), Settings(add_eos=True), rng)
        assert made.labels.tolist() == tuned.labels.tolist()
        assert made.decoder.ids.tolist() == tuned.decoder.ids.tolist()
        assert made.masks.decoder.sum() - tuned.masks.decoder.sum() == 12 * 11 // 2

    def test_a_straddling_token_belongs_to_the_target(self, tokenizer) -> None:
        made = example("Answer: ", "yes", tokenizer(GPT2))
        assert made.labels.tolist() == [IGNORE, IGNORE, 3763]

    def test_ready_examples_have_targets(self, tokenizer) -> None:
        for ready in OBJECTIVE.examples:
            settings = parse_settings(Settings, ready.settings)
            assert build(ready.texts, tokenizer(GPT2), settings, np.random.default_rng(0)).n_targets
