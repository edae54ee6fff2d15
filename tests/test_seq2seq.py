"""seq2seq: teacher forcing by hand with literal ids, padding of the source, and the reference's own rows."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.seq2seq import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.types import Example, InputProblem, Role
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer()
T5, BART = "google-t5/t5-small", "facebook/bart-base"
SUMMARY = "summarize: The cat sat on the mat all day."


def example(text: str, target: str | None, tokenizer=LETTERS, **chosen) -> Example:
    return build(Texts(text, target=target), tokenizer, Settings(**chosen), np.random.default_rng(0))


def reads_and_predicts(made: Example) -> list[tuple[int, str, str]]:
    return [(target.position, target.reads, target.predicts) for target in made.targets]


def test_the_decoder_reads_the_answer_moved_right_by_one() -> None:
    made = example("a b c", "d e </s>")
    assert made.encoder.ids.tolist() == [11, 12, 13]
    assert made.labels.tolist() == [14, 15, 4]
    assert made.decoder.ids.tolist() == [0, 14, 15]
    assert made.decoder.roles == (Role.SPECIAL, Role.KEPT, Role.KEPT)
    assert reads_and_predicts(made) == [(0, "[PAD]", "d"), (1, "d", "e"), (2, "e", "</s>")]
    assert made.shift == "decoder_input"
    assert made.compared.tolist() == made.labels.tolist()
    assert str(made.notes[0]) == "The decoder input is the target moved right by one; it starts with [PAD] (0)."


def test_a_decoder_start_that_is_also_the_pad_is_read() -> None:
    made = example("a", "b")
    assert made.decoder.attention_mask.tolist() == [1]
    assert made.decoder.position_ids.tolist() == [0]


def test_source_pads_are_closed_to_the_encoder_and_to_cross_attention() -> None:
    made = example("a b", "c d e", pad_to=4)
    assert made.encoder.ids.tolist() == [11, 12, 0, 0]
    assert made.encoder.roles[2:] == (Role.PAD, Role.PAD)
    assert made.encoder.attention_mask.tolist() == [1, 1, 0, 0]
    assert made.masks.encoder.tolist() == [[True, True, False, False]] * 4
    assert made.masks.cross.tolist() == [[True, True, False, False]] * 3
    assert made.masks.decoder.tolist() == [[True, False, False], [True, True, False], [True, True, True]]
    assert made.n_targets == 3


def test_start_of_sentence_instead_of_the_models_own_token() -> None:
    made = example("a", "b c </s>", start="bos")
    assert made.decoder.ids.tolist() == [5, 12, 13]
    assert made.labels.tolist() == [12, 13, 4]


def test_a_typed_start_of_sentence_is_part_of_the_target() -> None:
    assert example("a", "<s> b", start="bos").labels.tolist() == [5, 12]


def test_uses_no_randomness() -> None:
    rng = np.random.default_rng(7)
    build(Texts("a b c", target="d"), LETTERS, Settings(), rng)
    assert rng.random() == np.random.default_rng(7).random()


@pytest.mark.parametrize("target", [None, "", " \n"])
def test_no_target(target: str | None) -> None:
    with pytest.raises(InputProblem, match="There is no target"):
        example("a b", target)


@pytest.mark.parametrize("text", ["", "\t "])
def test_no_source(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text, "a")


def test_needs_the_tokens_it_uses() -> None:
    with pytest.raises(InputProblem, match="letters has no decoder start token"):
        example("a", "b", LetterTokenizer(special=replace(LETTERS.special, decoder_start=None)))
    with pytest.raises(InputProblem, match="letters has no start-of-sentence token"):
        example("a", "b", LetterTokenizer(special=replace(LETTERS.special, bos=None)), start="bos")


def test_both_texts_are_cut_to_what_the_model_takes() -> None:
    made = example("a b c d", "e f g h i", LetterTokenizer(max_length=3))
    assert made.encoder.ids.tolist() == [11, 12, 13]
    assert made.labels.tolist() == [15, 16, 17]
    assert ["cut off" in str(warning) for warning in made.warnings] == [True, True]


@pytest.mark.models
def test_t5_summarizes(tokenizer) -> None:
    made = example(SUMMARY, "A cat rested.", tokenizer(T5))
    pieces = "▁summarize : ▁The ▁cat ▁ s at ▁on ▁the ▁mat ▁all ▁day . </s>"
    assert made.encoder.pieces == tuple(pieces.split())
    assert made.labels.tolist() == [71, 1712, 5701, 26, 5, 1]
    assert made.decoder.pieces == ("<pad>", "▁A", "▁cat", "▁reste", "d", ".")
    assert made.decoder.ids.tolist() == [0, 71, 1712, 5701, 26, 5]
    assert made.n_targets == 6


@pytest.mark.models
def test_an_apple_behind_the_start_of_sentence(tokenizer) -> None:
    made = example("나는 사과를 먹었다", "I ate an apple", tokenizer(BART), start="bos")
    assert made.decoder.visible == ("<s>", "I", "·ate", "·an", "·apple")
    assert made.label_visible == ("I", "·ate", "·an", "·apple", "</s>")
    targets = reads_and_predicts(made)
    assert targets[0] == (0, "<s>", "I")
    assert targets[4] == (4, "·apple", "</s>")
    assert made.masks.decoder[4].all()
    assert made.masks.decoder[0].tolist() == [True, False, False, False, False]


@pytest.mark.models
def test_bart_starts_with_its_end_token(tokenizer) -> None:
    made = example("a", "My dog is cute", tokenizer(BART))
    assert made.labels.tolist() == [0, 2387, 2335, 16, 11962, 2]
    assert made.decoder.ids.tolist() == [2, 0, 2387, 2335, 16, 11962]
    assert "on purpose" in str(made.notes[0])


@pytest.mark.models
def test_ready_examples(tokenizer) -> None:
    for ready in OBJECTIVE.examples:
        made = build(
            ready.texts,
            tokenizer(OBJECTIVE.model),
            parse_settings(Settings, ready.settings),
            np.random.default_rng(ready.seed),
        )
        assert made.labels[-1] == 1
        assert made.n_targets == len(made.decoder)
        assert made.warnings == ()
