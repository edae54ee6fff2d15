"""causal_lm: labels are the input, the loss shifts, pads are no ends; the two traps really do what they say."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.causal_lm import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.types import IGNORE, Example, InputProblem, Role
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer()
GPT2 = "openai-community/gpt2"


def example(text: str, tokenizer=LETTERS, **settings) -> Example:
    return build(Texts(text), tokenizer, Settings(**settings), np.random.default_rng(0))


def pairs(made: Example) -> list[tuple[int, int, int]]:
    return [(t.position, t.reads_id, t.predicts_id) for t in made.targets]


def test_each_output_predicts_the_next_token() -> None:
    made = example("a b c")
    assert made.decoder.ids.tolist() == made.labels.tolist() == [11, 12, 13]
    assert made.compared.tolist() == [12, 13, IGNORE]
    assert pairs(made) == [(0, 11, 12), (1, 12, 13)]
    assert [t.predicts for t in made.targets] == ["b", "c"]
    assert made.shift == "loss"
    assert made.encoder is None
    assert made.masks.decoder.astype(int).tolist() == [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
    assert made.warnings == ()


def test_the_end_token_is_a_target_and_its_pads_are_none() -> None:
    made = example("a b", add_eos=True, pad_to=6)
    assert made.decoder.ids.tolist() == [11, 12, 4, 0, 0, 0]
    assert made.labels.tolist() == [11, 12, 4, IGNORE, IGNORE, IGNORE]
    assert made.decoder.attention_mask.tolist() == [1, 1, 1, 0, 0, 0]
    assert made.decoder.roles == (Role.KEPT,) * 2 + (Role.SPECIAL,) + (Role.PAD,) * 3
    assert pairs(made) == [(0, 11, 12), (1, 12, 4)]
    assert not made.masks.decoder[:, 3:].any()


def test_a_longer_text_is_not_padded() -> None:
    assert len(example("a b c", pad_to=2).decoder) == 3


def test_shifted_twice_learns_the_token_after_the_next() -> None:
    made = example("a b c d", shift_twice=True)
    assert made.labels.tolist() == [12, 13, 14, IGNORE]
    assert pairs(made) == [(0, 11, 13), (1, 12, 14)]
    assert [t.predicts for t in made.targets] == ["c", "d"]
    assert "t+2" in str(made.warnings[0])


def test_masking_eos_by_id_takes_the_real_end_too() -> None:
    made = example("a b", add_eos=True, mask_eos=True)
    assert made.labels.tolist() == [11, 12, IGNORE]
    assert "(4)" in str(made.warnings[0])
    harmless = example("a b", mask_eos=True)
    assert harmless.labels.tolist() == [11, 12]
    assert "changes nothing" in str(harmless.warnings[0])


def test_one_token_has_no_target() -> None:
    made = example("a")
    assert made.n_targets == 0
    assert [str(w).startswith(("The text is one token", "0 targets")) for w in made.warnings] == [True, True]


@pytest.mark.parametrize("text", ["", " \t\n"])
def test_no_text_is_asked_for(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text)


def test_padding_beyond_the_model_is_refused() -> None:
    with pytest.raises(InputProblem) as problem:
        example("a", LetterTokenizer(max_length=8), pad_to=9)
    assert str(problem.value) == "pad_to is 9, but letters takes at most 8 tokens."


def test_the_end_token_has_room() -> None:
    made = example("a b c d e", LetterTokenizer(max_length=4), add_eos=True)
    assert made.decoder.ids.tolist() == [11, 12, 13, 4]
    assert len(made.warnings) == 1


@pytest.mark.models
class TestGpt2:
    def test_nine_tokens_eight_targets(self, tokenizer) -> None:
        made = example("The quick brown fox jumps over the lazy dog", tokenizer(GPT2))
        assert made.decoder.ids.tolist() == [464, 2068, 7586, 21831, 18045, 625, 262, 16931, 3290]
        assert made.n_targets == 8
        assert made.targets[0].predicts == "·quick"

    def test_seven_tokens_six_targets(self, tokenizer) -> None:
        made = example("The capital of France is Paris.", tokenizer(GPT2))
        assert (len(made.decoder), made.n_targets) == (7, 6)

    def test_the_last_output_has_no_target(self, tokenizer) -> None:
        made = example("Mary had a little lamb", tokenizer(GPT2))
        assert made.labels.tolist() == made.decoder.ids.tolist() == [24119, 550, 257, 1310, 19343]
        assert made.compared.tolist() == [550, 257, 1310, 19343, IGNORE]

    def test_shifted_twice(self, tokenizer) -> None:
        made = example("Mary had a little lamb", tokenizer(GPT2), shift_twice=True)
        assert [t.predicts_id for t in made.targets] == [257, 1310, 19343]

    def test_pad_is_eos_but_only_the_real_one_is_learned(self, tokenizer) -> None:
        made = example("I like cats.", tokenizer(GPT2), add_eos=True, pad_to=8)
        assert made.decoder.ids.tolist() == [40, 588, 11875, 13, 50256, 50256, 50256, 50256]
        assert made.labels.tolist() == [40, 588, 11875, 13, 50256, IGNORE, IGNORE, IGNORE]
        assert made.decoder.attention_mask.tolist() == [1, 1, 1, 1, 1, 0, 0, 0]
        assert made.decoder.roles[4:6] == (Role.SPECIAL, Role.PAD)
        wrong = example("I like cats.", tokenizer(GPT2), add_eos=True, pad_to=8, mask_eos=True)
        assert wrong.labels.tolist() == [40, 588, 11875, 13] + [IGNORE] * 4

    def test_a_typed_end_is_a_special_token(self, tokenizer) -> None:
        made = example("stop<|endoftext|>go", tokenizer(GPT2))
        assert made.decoder.ids.tolist() == [11338, 50256, 2188]
        assert made.decoder.roles[1] is Role.SPECIAL

    def test_too_long_is_told_before_any_model_runs(self, tokenizer) -> None:
        made = example("word " * 1100, tokenizer(GPT2))
        assert len(made.decoder) == 1024
        assert any("1024" in str(w) for w in made.warnings)

    def test_ready_examples_have_targets(self, tokenizer) -> None:
        for ready in OBJECTIVE.examples:
            settings = parse_settings(Settings, ready.settings)
            assert build(ready.texts, tokenizer(GPT2), settings, np.random.default_rng(0)).n_targets
