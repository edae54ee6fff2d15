"""packed_lm: blocks of a stream of documents, isolated or not, and what becomes of the rest."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.objectives.base import Texts
from explorer.objectives.packed_lm import OBJECTIVE, Settings, build
from explorer.settings import parse_settings
from explorer.types import IGNORE, Example, InputProblem
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer()
GPT2 = "openai-community/gpt2"
THREE_AND_TWO = "a b\n\nc"


def example(text: str, tokenizer=LETTERS, **settings) -> Example:
    return build(Texts(text), tokenizer, Settings(**settings), np.random.default_rng(0))


def test_plain_packing_reads_across_documents() -> None:
    made = example(THREE_AND_TWO, block=5)
    assert made.decoder.ids.tolist() == made.labels.tolist() == [11, 12, 4, 13, 4]
    assert made.decoder.position_ids.tolist() == [0, 1, 2, 3, 4]
    assert made.decoder.documents.tolist() == [0, 0, 0, 1, 1]
    assert made.masks.decoder.sum() == 15
    assert made.n_targets == 4
    assert (made.targets[2].reads_id, made.targets[2].predicts_id) == (4, 13)


def test_isolated_packing_does_not() -> None:
    made = example(THREE_AND_TWO, block=5, isolate=True)
    assert made.decoder.ids.tolist() == [11, 12, 4, 13, 4]
    assert made.decoder.position_ids.tolist() == [0, 1, 2, 0, 1]
    assert made.masks.decoder.sum() == 9
    assert made.labels.tolist() == [11, 12, 4, IGNORE, 4]
    assert [(t.position, t.predicts_id) for t in made.targets] == [(0, 12), (1, 4), (3, 4)]
    assert made.model_inputs()["attention_mask"].shape == (1, 1, 5, 5)


def test_a_document_cut_by_a_block_begins_again() -> None:
    made = example("a b c d\n\ne", block=3, index=1, isolate=True)
    assert made.decoder.ids.tolist() == [14, 4, 15]
    assert made.decoder.position_ids.tolist() == [0, 1, 0]
    assert made.decoder.documents.tolist() == [0, 0, 1]
    assert made.labels.tolist() == [14, 4, IGNORE]


def test_the_rest_is_carried_over_or_dropped() -> None:
    kept = example("a b c d", block=3, index=1)
    assert kept.decoder.ids.tolist() == [14, 4]
    assert str(kept.notes[0]) == "5 tokens; full blocks of 3: 1; carried over, waiting for more documents: 2."
    dropped = example("a b c d", block=3, carry=False)
    assert dropped.decoder.ids.tolist() == [11, 12, 13]
    assert str(dropped.notes[0]) == "5 tokens; full blocks of 3: 1; dropped, never learned: 2."
    even = example("a b", block=3)
    assert str(even.notes[0]) == "3 tokens; full blocks of 3: 1; nothing is left over."


def test_meetings_of_documents_are_told() -> None:
    assert "one document only" in str(example("a b", block=3).notes[1])
    assert str(example(THREE_AND_TWO, block=5).notes[1]).startswith(
        "Not isolated. Documents that begin inside the block: 1."
    )
    assert str(example(THREE_AND_TWO, block=5, isolate=True).notes[1]).startswith(
        "Isolated. Documents that begin inside the block: 1."
    )


def test_a_block_of_one_token_has_no_target() -> None:
    made = example("a b", block=2, index=1)
    assert made.decoder.ids.tolist() == [4]
    assert "0 targets" in str(made.warnings[0])


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"block": 3, "index": 2}, "index is 2, but the blocks are numbered 0 to 1."),
        ({"block": 3, "index": 1, "carry": False}, "index is 1, but the blocks are numbered 0 to 0."),
        (
            {"block": 9, "carry": False},
            "The documents have 5 tokens and fill no block of 9. Take a shorter block, or carry the rest.",
        ),
        ({"block": 101}, "block is 101, but letters takes at most 100 tokens."),
    ],
)
def test_refusals_name_the_value(settings, said) -> None:
    with pytest.raises(InputProblem) as problem:
        example("a b\n\nc", LetterTokenizer(max_length=100), **settings)
    assert str(problem.value) == said


def test_no_text_is_asked_for() -> None:
    with pytest.raises(InputProblem, match="There is no text"):
        example("\n\n \n")


@pytest.mark.models
class TestGpt2:
    CATS = "I like cats.\n\nParis is in France."

    def test_two_blocks_of_five(self, tokenizer) -> None:
        first = example(self.CATS, tokenizer(GPT2), block=5)
        assert first.decoder.ids.tolist() == [40, 588, 11875, 13, 50256]
        second = example(self.CATS, tokenizer(GPT2), block=5, index=1)
        assert second.decoder.ids.tolist() == [40313, 318, 287, 4881, 13]
        assert first.n_targets == second.n_targets == 4
        assert example(self.CATS, tokenizer(GPT2), block=5, index=2).decoder.ids.tolist() == [50256]

    def test_ready_examples_have_targets(self, tokenizer) -> None:
        for ready in OBJECTIVE.examples:
            settings = parse_settings(Settings, ready.settings)
            assert build(ready.texts, tokenizer(GPT2), settings, np.random.default_rng(0)).n_targets
