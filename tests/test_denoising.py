"""denoising: five kinds of damage and the final recipe, by hand with literal ids, by chance, with BART's tokenizer."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.objectives.base import Texts
from explorer.objectives.denoising import DAMAGES, OBJECTIVE, Settings, build, sentence_numbers
from explorer.tokens import SpecialIds, encode
from explorer.types import Example, InputProblem, Role
from tests.fakes import LetterTokenizer
from tests.rebuild import fits, flat

LETTERS = LetterTokenizer(template=True, special=SpecialIds(cls=1, sep=2, mask=3, pad=0, bos=1, eos=2, decoder_start=2))
BART = "facebook/bart-large"
TEN = "a b c d e f g h i j"
S, K, M, INS, MOVED = Role.SPECIAL, Role.KEPT, Role.MASKED, Role.INSERTED, Role.MOVED


def example(text: str, tokenizer=LETTERS, *, target: str | None = None, seed: int = 0, **chosen) -> Example:
    return build(Texts(text, target=target), tokenizer, Settings(**chosen), np.random.default_rng(seed))


def damaged(text: str, **chosen) -> list[int]:
    return example(text, **chosen).encoder.ids.tolist()


def test_masking_by_hand_keeps_the_length() -> None:
    made = example("a b c d", kind="token_masking", spans="1:3,4:5")
    assert made.encoder.ids.tolist() == [1, 3, 3, 13, 3, 2]
    assert made.encoder.roles == (S, M, M, K, M, S)


def test_deletion_by_hand_leaves_no_trace() -> None:
    made = example("a b c d", kind="token_deletion", spans="1:3,4:5")
    assert made.encoder.ids.tolist() == [1, 13, 2]
    assert made.encoder.roles == (S, K, S)
    assert "3 of 4 tokens (75%) are deleted, and nothing tells where." in map(str, made.notes)


def test_infilling_counts_covered_tokens_and_not_masks() -> None:
    made = example(TEN, LetterTokenizer(special=LETTERS.special), spans="3:6,8:8")
    assert made.encoder.ids.tolist() == [11, 12, 13, 3, 17, 18, 3, 19, 20]
    assert made.encoder.roles == (K, K, K, M, K, K, INS, K, K)
    assert made.labels.tolist() == [11, 12, 13, 14, 15, 16, 17, 18, 19, 20]
    assert str(made.notes[0]) == (
        "3 of 10 tokens (30%) are hidden. Masks in the text: 2; inserted ones, which hide nothing: 1."
    )


def test_infilling_counts_positions_with_the_specials() -> None:
    assert damaged(TEN, spans="3:6,8:8") == [1, 11, 12, 3, 16, 17, 3, 18, 19, 20, 2]
    assert damaged("a b", spans="1:1,3:3") == [1, 3, 11, 12, 3, 2]


def test_the_target_is_the_whole_original_moved_right() -> None:
    made = example("a b c d", spans="2:4")
    assert made.labels.tolist() == [1, 11, 12, 13, 14, 2]
    assert made.decoder.ids.tolist() == [2, 1, 11, 12, 13, 14]
    assert made.decoder.roles == (S, S, K, K, K, K)
    assert [(t.position, t.reads_id, t.predicts_id) for t in made.targets][:2] == [(0, 2, 1), (1, 1, 11)]
    assert made.shift == "decoder_input"
    assert made.n_targets == 6
    assert made.label_visible == ("[CLS]", "a", "b", "c", "d", "[SEP]")


def test_masks_are_full_causal_and_cross() -> None:
    made = example("a b c d", spans="2:4")
    assert made.masks.encoder.tolist() == [[True] * 5] * 5
    assert made.masks.decoder.tolist() == [[j <= i for j in range(6)] for i in range(6)]
    assert made.masks.cross.tolist() == [[True] * 5] * 6


@pytest.mark.models
def test_permutation_moves_whole_sentences(tokenizer) -> None:
    text = "I ate. You slept! Did they come? No"
    bart = tokenizer(BART)
    assert sentence_numbers(encode(text, bart)).tolist() == [0, 0, 0, 0, 1, 1, 1, 2, 2, 2, 2, 3, 0]
    seen = set()
    for seed in range(200):
        made = example(text, bart, kind="sentence_permutation", seed=seed)
        ids = made.encoder.ids[1:-1].tolist()
        parts = (
            made.labels[1:4].tolist(),
            made.labels[4:7].tolist(),
            made.labels[7:11].tolist(),
            made.labels[11:12].tolist(),
        )
        orders = [order for order in permutations(range(4)) if flat(parts[k] for k in order) == ids]
        assert len(orders) == 1
        seen.add(orders[0])
        still = [n for n, k in enumerate(orders[0]) if n == k]
        assert made.encoder.roles.count(K) == sum(len(parts[k]) for k in still)
    assert len(seen) == 24


@pytest.mark.models
def test_numbers_and_names_are_not_cut(tokenizer) -> None:
    encoding = encode('It cost $3.50 at x.com. "Really?" Yes.', tokenizer(BART))
    numbers = sentence_numbers(encoding)
    starts = [encoding.visible[i] for i in np.flatnonzero(np.diff(numbers[:-1], prepend=0)) if numbers[i]]
    assert starts == ['·"', "·Yes"]


@pytest.mark.models
def test_wide_stops_need_no_space(tokenizer) -> None:
    encoding = encode("你好。再见。", tokenizer(BART))
    assert sentence_numbers(encoding).max() == 1


def test_rotation_starts_anywhere() -> None:
    turned = {tuple(damaged("a b c d", kind="document_rotation", seed=seed)) for seed in range(60)}
    assert turned == {(1, 11, 12, 13, 14, 2), (1, 12, 13, 14, 11, 2), (1, 13, 14, 11, 12, 2), (1, 14, 11, 12, 13, 2)}
    made = example("a b c d", kind="document_rotation", seed=1)
    assert made.encoder.roles == (S, MOVED, MOVED, MOVED, MOVED, S)


@pytest.mark.models
def test_final_recipe_permutes_then_infills(tokenizer) -> None:
    made = example("I ate. You slept! Did they come? No.", tokenizer(BART), kind="final", seed=4)
    roles = Counter(made.encoder.roles)
    assert roles[M] >= 1
    assert roles[MOVED] >= 1
    assert f"{round(0.3 * 12)} of 12 tokens (33%) are hidden." in str(made.notes[0])


@pytest.mark.models
def test_final_recipe_with_spans_by_hand(tokenizer) -> None:
    bart, text = tokenizer(BART), "I ate. You slept! Did they come?"
    permuted = example(text, bart, kind="sentence_permutation", seed=5).encoder.ids.tolist()
    made = example(text, bart, kind="final", seed=5, spans="2:4,5:5")
    assert made.encoder.ids.tolist() == [*permuted[:2], 50264, permuted[4], 50264, *permuted[5:]]


def test_damaged_by_hand() -> None:
    made = example("a [MASK] d", target="a b c d")
    assert made.encoder.ids.tolist() == [1, 11, 3, 14, 2]
    assert made.encoder.roles == (S, K, M, K, S)
    assert made.labels.tolist() == [1, 11, 12, 13, 14, 2]
    assert "fed as typed" in str(made.notes[0])


def test_blank_target_is_no_target() -> None:
    assert example("a b", target="  ").labels.tolist() == [1, 11, 12, 2]


def test_by_hand_uses_no_randomness() -> None:
    for kind in ("token_masking", "token_deletion", "text_infilling"):
        rng = np.random.default_rng(7)
        build(Texts("a b c"), LETTERS, Settings(kind=kind, spans="1:2"), rng)
        assert rng.random() == np.random.default_rng(7).random()


@pytest.mark.parametrize("kind", list(DAMAGES))
def test_typed_specials_are_never_damaged(kind: str) -> None:
    for seed in range(40):
        made = example("a [SEP] b [MASK] c [CLS]", kind=kind, rate=0.9, seed=seed)
        specials = [id for id, role in zip(made.encoder.ids.tolist(), made.encoder.roles, strict=True) if role is S]
        assert sorted(specials) == [1, 1, 2, 2, 3]
        assert any("The text itself holds a mask" in str(warning) for warning in made.warnings)


def test_warnings_say_when_nothing_happens() -> None:
    assert [str(w) for w in example("a b", kind="sentence_permutation").warnings] == [
        "The text is one sentence, so there is nothing to permute."
    ]
    assert "Nothing is damaged" in str(example("a b", kind="token_masking", rate=0.0).warnings[0])
    assert "no ordinary token to damage" in str(example("[SEP]", kind="final").warnings[0])
    assert "spans is not used here" in str(example("a b", kind="document_rotation", spans="1:2").warnings[0])
    assert example("a b c", spans="1:2").warnings == ()


def test_an_order_that_chance_left_alone_asks_for_another_seed_only() -> None:
    made = [example("a b", kind="document_rotation", seed=seed) for seed in range(40)]
    assert {tuple(map(str, each.warnings)) for each in made if MOVED not in each.encoder.roles} == {
        ("Nothing is moved: chance left the order as it is. Take another seed.",)
    }
    assert {each.warnings for each in made if MOVED in each.encoder.roles} == {()}


@pytest.mark.parametrize("text", ["", "  \n"])
def test_no_text(text: str) -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example(text)


def test_needs_a_mask_and_a_start_token() -> None:
    with pytest.raises(InputProblem, match="letters has no mask token"):
        example("a b", LetterTokenizer(special=SpecialIds(decoder_start=0)))
    with pytest.raises(InputProblem, match="letters has no decoder start token"):
        example("a b", LetterTokenizer(special=SpecialIds(mask=3)))


def test_too_many_inserted_masks() -> None:
    short = LetterTokenizer(template=True, special=LETTERS.special, max_length=6)
    with pytest.raises(InputProblem, match="encoder input has 7 tokens, but letters takes at most 6"):
        example("a b c d", short, spans="2:2")


def test_infilling_covers_thirty_percent() -> None:
    text = " ".join("abcdefghij" * 50)
    covered = positions = 0
    for seed in range(400):
        made = example(text, seed=seed)
        covered += 500 - sum(role is K for role in made.encoder.roles)
        positions += 500
    assert positions >= 200_000
    assert covered / positions == pytest.approx(0.3, abs=0.01)


def test_masking_covers_thirty_percent() -> None:
    text = " ".join("abcdefghij" * 50)
    masked = sum(example(text, kind="token_masking", seed=seed).encoder.roles.count(M) for seed in range(100))
    assert masked / 50_000 == pytest.approx(0.3, abs=0.01)


@settings(max_examples=300, deadline=None)
@given(
    kind=st.sampled_from(["token_masking", "token_deletion", "text_infilling", "document_rotation"]),
    letters=st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=12),
    rate=st.floats(0, 1),
    seed=st.integers(0, 2**32),
)
def test_the_damaged_row_is_the_original_with_tokens_hidden(
    kind: str, letters: list[str], rate: float, seed: int
) -> None:
    made = example(" ".join(letters), kind=kind, rate=rate, seed=seed)
    labels = made.labels.tolist()
    assert fits(made.encoder, kind, labels[:1], [labels[1:-1]], labels[-1:])


@pytest.mark.models
def test_bart_restores_the_headline(tokenizer) -> None:
    bart = tokenizer(BART)
    original = "UN Chief Says There Is No Plan to Stop Chemical Weapons in Syria"
    read = [0, 4154, 1231, 15674, 345, 1534, 440, 50264, 11, 1854, 2]
    labels = [0, 4154, 1231, 15674, 345, 1534, 440, 5427, 7, 12457, 14329, 28054, 11, 1854, 2]
    for made in (
        example("UN Chief Says There Is No <mask> in Syria", bart, target=original),
        example(original, bart, spans="7:12"),
    ):
        assert made.encoder.ids.tolist() == read
        assert len(made.encoder) == 11
        assert made.encoder.roles[7] is M
        assert made.labels.tolist() == labels
        assert made.n_targets == 15
        assert made.decoder.ids.tolist() == [2, *labels[:-1]]
        assert made.decoder.visible[:3] == ("</s>", "<s>", "UN")


@pytest.mark.models
def test_bart_starts_with_its_end_token_on_purpose(tokenizer) -> None:
    made = example("My dog is cute", tokenizer(BART), spans="2:3")
    assert made.labels.tolist() == [0, 2387, 2335, 16, 11962, 2]
    assert made.decoder.ids.tolist() == [2, 0, 2387, 2335, 16, 11962]
    assert str(made.notes[1]) == (
        "The decoder input starts with </s> (2), the end token, on purpose: facebook/bart-large was trained so."
    )


@pytest.mark.models
def test_a_long_text_is_cut_to_what_the_model_takes(tokenizer) -> None:
    made = example("word " * 2000, tokenizer(BART), seed=1)
    assert made.n_targets == 1024
    assert made.labels[-1] == 2
    assert len(made.encoder) <= 1024
    assert "1024" in str(made.warnings[0])


@pytest.mark.models
def test_ready_examples(tokenizer) -> None:
    from explorer.settings import parse_settings

    for ready in OBJECTIVE.examples:
        made = build(
            ready.texts,
            tokenizer(OBJECTIVE.model),
            parse_settings(Settings, ready.settings),
            np.random.default_rng(ready.seed),
        )
        assert made.encoder.ids.tolist() != made.labels.tolist()
        assert not any("Nothing is damaged" in str(warning) for warning in made.warnings)
