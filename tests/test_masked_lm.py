"""masked_lm: literal ids by hand, then chance, whole words, pairs, refusals and statistics."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.masked_lm import OBJECTIVE, Settings, build
from explorer.types import IGNORE, Example, InputProblem, Role
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
BERT = "google-bert/bert-base-uncased"
DOG = "my dog is hairy and he likes to play fetch in the park every morning"


def example(text: str, tokenizer=LETTERS, *, text_b: str | None = None, seed: int = 0, **settings) -> Example:
    return build(Texts(text, text_b), tokenizer, Settings(**settings), np.random.default_rng(seed))


def words(problem: pytest.ExceptionInfo[InputProblem]) -> str:
    return str(problem.value)


def test_each_way_by_hand() -> None:
    made = example("a b c d", select="1,2,4", replace="mask,keep,keep")
    assert made.encoder is not None
    assert made.encoder.ids.tolist() == [1, 3, 12, 13, 14, 2]
    assert made.encoder.roles == (Role.SPECIAL, Role.MASKED, Role.UNCHANGED, Role.KEPT, Role.UNCHANGED, Role.SPECIAL)
    assert made.labels.tolist() == [IGNORE, 11, 12, IGNORE, 14, IGNORE]
    assert made.label_visible == ("", "a", "b", "", "d", "")
    assert [(t.position, t.reads_id, t.predicts_id) for t in made.targets] == [(1, 3, 11), (2, 12, 12), (4, 14, 14)]
    assert made.shift == "none"
    assert made.decoder is None


def test_by_hand_masks_unless_told_otherwise() -> None:
    assert example("a b c", select="2").encoder.ids.tolist() == [1, 11, 3, 13, 2]
    assert example("a b c", select=" 1, 3 ", replace="keep").encoder.ids.tolist() == [1, 11, 12, 13, 2]


def test_by_hand_uses_no_randomness() -> None:
    rng = np.random.default_rng(7)
    build(Texts("a b c"), LETTERS, Settings(select="1,2", replace="mask,keep"), rng)
    assert rng.random() == np.random.default_rng(7).random()


def test_a_random_id_is_no_special_token() -> None:
    for seed in range(200):
        drawn = example("a", select="1", replace="random", seed=seed).encoder
        assert int(drawn.ids[1]) not in LETTERS.special_ids
        assert 0 <= drawn.ids[1] < LETTERS.size
        assert drawn.roles[1] is Role.RANDOM


def test_every_ordinary_id_can_be_drawn() -> None:
    drawn = {int(example("a", select="1", replace="random", seed=seed).encoder.ids[1]) for seed in range(1000)}
    assert drawn == set(range(100)) - LETTERS.special_ids


def test_a_pair_has_token_types_and_a_label_in_words() -> None:
    made = example("a b", text_b="c", select="1")
    assert made.encoder.ids.tolist() == [1, 3, 12, 2, 13, 2]
    assert made.encoder.token_types.tolist() == [0, 0, 0, 0, 1, 1]
    assert made.extra == {"next_sentence_label": 0}
    assert "B follows A" in str(made.notes[0])
    random = example("a b", text_b="c", select="1", is_next=False)
    assert random.extra == {"next_sentence_label": 1}
    assert "random sentence" in str(random.notes[0])
    assert example("a b", text_b=" ", select="1").extra == {}


def test_a_model_without_token_types_gets_none() -> None:
    made = example("a", LetterTokenizer(template=True, token_types=False), text_b="b", select="1")
    assert made.encoder.token_types is None


def test_pads_are_outside_of_everything() -> None:
    made = example("a b", select="1", pad_to=7)
    assert made.encoder.ids.tolist() == [1, 3, 12, 2, 0, 0, 0]
    assert made.encoder.attention_mask.tolist() == [1, 1, 1, 1, 0, 0, 0]
    assert made.encoder.token_types.tolist() == [0] * 7
    assert made.labels.tolist() == [IGNORE, 11] + [IGNORE] * 5
    assert made.encoder.roles[4:] == (Role.PAD,) * 3
    assert np.array_equal(made.masks.encoder, np.tile([1, 1, 1, 1, 0, 0, 0], (7, 1)).astype(bool))


def test_all_read_all() -> None:
    assert example("a b c").masks.encoder.sum() == 25


def test_whole_words_by_chance() -> None:
    for seed in range(100):
        made = example("dog a cat be", seed=seed, rate=0.4, whole_word=True)
        chosen = made.labels != IGNORE
        for word in ([1, 2, 3], [4], [5, 6, 7], [8, 9]):
            assert len(set(chosen[word].tolist())) == 1


def test_whole_words_by_hand_take_the_other_pieces_along() -> None:
    made = example("dog a cat", select="2,4", replace="keep,mask", whole_word=True)
    assert made.labels.tolist() == [IGNORE, 14, 55, 47, 11, IGNORE, IGNORE, IGNORE, IGNORE]
    assert made.encoder.ids.tolist() == [1, 14, 55, 47, 3, 13, 41, 60, 2]


def test_equal_word_numbers_of_a_pair_are_different_words() -> None:
    made = example("dog", text_b="cat", select="1", whole_word=True)
    assert np.flatnonzero(made.labels != IGNORE).tolist() == [1, 2, 3]


def test_nothing_chosen_is_said_in_words() -> None:
    made = example("a b c d", rate=0.0)
    assert made.n_targets == 0
    assert "0 targets" in str(made.warnings[0])
    unlucky = next(m for m in (example("a b c d", seed=s) for s in range(50)) if not m.n_targets)
    assert "probability 0.522" in str(unlucky.warnings[0])


def test_special_tokens_only() -> None:
    made = example("[MASK] [SEP]", rate=1.0)
    assert made.n_targets == 0
    assert "special tokens only" in str(made.warnings[0])


def test_force_one_chooses_one_and_no_more() -> None:
    for seed in range(50):
        assert example("a b c [MASK]", seed=seed, rate=0.0, force_one=True).n_targets == 1
    assert example("[MASK]", rate=0.0, force_one=True).n_targets == 0
    assert example("dog", rate=0.0, force_one=True, whole_word=True).n_targets == 3


def test_a_typed_special_token_is_no_part_of_a_word() -> None:
    made = example("[MASK]ab", select="2", whole_word=True)
    assert made.labels.tolist() == [IGNORE, IGNORE, 41, 42, IGNORE]


def test_special_tokens_are_never_chosen() -> None:
    made = example("a [MASK] b </s>", rate=1.0, replace="keep")
    assert np.flatnonzero(made.labels != IGNORE).tolist() == [1, 3]


def test_a_higher_rate_only_adds_positions() -> None:
    text = " ".join("abcdefghij" * 5)
    chosen = [set(np.flatnonzero(example(text, rate=rate).labels != IGNORE)) for rate in (0.1, 0.3, 0.9)]
    assert chosen[0] < chosen[1] < chosen[2]


def test_the_same_seed_gives_the_same_example() -> None:
    text = " ".join("abcdefghij" * 5)
    one, two, other = (example(text, seed=seed, rate=0.5) for seed in (3, 3, 4))
    assert one.encoder.ids.tolist() == two.encoder.ids.tolist()
    assert one.encoder.ids.tolist() != other.encoder.ids.tolist()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"select": "9"}, "select names position 9, but the text has positions 0 to 4."),
        ({"select": "-1"}, "select names position -1, but the text has positions 0 to 4."),
        ({"select": "0"}, "select names position 0, [CLS]: special tokens are never chosen."),
        ({"select": "1,x"}, "select is 1,x, but must be positions separated by commas, such as 2,3,12."),
        ({"select": "1,1"}, "select names position 1, a, twice."),
        ({"select": "1", "replace": "drop"}, "replace is drop, but must be made of: mask, random, keep."),
        (
            {"select": "1", "replace": "mask,keep"},
            "replace names 2 ways for 1 positions. Name one for all, or one for each.",
        ),
        (
            {"replace": "mask,keep"},
            "replace names 2 ways, but no positions are chosen by hand. Name one way for all, or fill in select.",
        ),
        (
            {"p_mask": 0.9, "p_random": 0.2},
            "p_mask 0.9 and p_random 0.2 are shares of the chosen tokens, but add up to more than 1.",
        ),
    ],
)
def test_refusals_name_the_value(settings, said) -> None:
    with pytest.raises(InputProblem) as problem:
        example("a b c", **settings)
    assert words(problem) == said


@pytest.mark.parametrize("text", ["", " \n"])
def test_no_text_is_asked_for(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text)


def test_shares_over_200_000_positions() -> None:
    text = " ".join("abcdefghijklmnopqrstuvwxy" * 20)
    roles: Counter[Role] = Counter()
    for seed in range(400):
        roles.update(example(text, seed=seed).encoder.roles)
    chosen = roles[Role.MASKED] + roles[Role.RANDOM] + roles[Role.UNCHANGED]
    assert chosen + roles[Role.KEPT] == 200_000
    assert abs(chosen / 200_000 - 0.15) < 0.005
    assert abs(roles[Role.MASKED] / chosen - 0.8) < 0.01
    assert abs(roles[Role.RANDOM] / chosen - 0.1) < 0.01
    assert abs(roles[Role.UNCHANGED] / chosen - 0.1) < 0.01


def test_whole_words_keep_the_share() -> None:
    text = " ".join(["dog", "a", "cat", "be"] * 50)
    chosen = sum(example(text, seed=seed, whole_word=True).n_targets for seed in range(100))
    assert abs(chosen / 45_000 - 0.15) < 0.01


@pytest.mark.models
class TestBert:
    def test_typed_mask(self, tokenizer) -> None:
        made = example("The capital of France is [MASK].", tokenizer(BERT), rate=0.0)
        assert made.encoder.ids.tolist() == [101, 1996, 3007, 1997, 2605, 2003, 103, 1012, 102]
        assert made.encoder.roles[6] is Role.SPECIAL

    def test_three_by_hand(self, tokenizer) -> None:
        made = example(DOG, tokenizer(BERT), select="2,3,12")
        assert len(made.encoder) == 17
        assert [(t.position, t.reads_id, t.predicts_id) for t in made.targets] == [
            (2, 103, 3899),
            (3, 103, 2003),
            (12, 103, 1996),
        ]
        assert [t.predicts for t in made.targets] == ["dog", "is", "the"]

    def test_pair(self, tokenizer) -> None:
        made = example("my dog is hairy", tokenizer(BERT), text_b="he likes to play", select="4,9", replace="mask,keep")
        assert made.encoder.ids.tolist() == [101, 2026, 3899, 2003, 103, 102, 2002, 7777, 2000, 2377, 102]
        assert made.labels.tolist() == [-100, -100, -100, -100, 15892, -100, -100, -100, -100, 2377, -100]
        assert made.encoder.token_types.tolist() == [0] * 6 + [1] * 5
        assert made.extra == {"next_sentence_label": 0}
        assert made.model_inputs()["token_type_ids"].tolist() == [[0] * 6 + [1] * 5]

    def test_whole_words_of_two_vocabularies(self, tokenizer) -> None:
        text = "a mysterious chihuahua"
        for name in (BERT, "facebook/bart-base"):
            for seed in range(30):
                made = example(text, tokenizer(name), seed=seed, rate=0.5, whole_word=True)
                words = tokenizer(name).encode(text).words
                chosen = [label != IGNORE for label in made.labels]
                for word in range(3):
                    assert len({chosen[i] for i, number in enumerate(words) if number == word}) == 1

    def test_too_long_is_told_before_any_model_runs(self, tokenizer) -> None:
        made = example("word " * 600, tokenizer(BERT))
        assert len(made.encoder) == 512
        assert any("602" in str(w) and "512" in str(w) for w in made.warnings)

    def test_a_tokenizer_without_mask_is_named(self, tokenizer) -> None:
        with pytest.raises(InputProblem, match="openai-community/gpt2 has no mask token"):
            example("a b", tokenizer("openai-community/gpt2"))

    def test_ready_examples_have_targets(self, tokenizer) -> None:
        from explorer.settings import parse_settings

        for ready in OBJECTIVE.examples:
            settings = parse_settings(Settings, ready.settings)
            assert build(ready.texts, tokenizer(BERT), settings, np.random.default_rng(ready.seed)).n_targets
