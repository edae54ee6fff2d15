"""Texts that show a pattern of attention, and the heads that show it in models that were looked at.

What a head does was measured, not supposed: tests/parity/test_known_heads.py measures it again. Copying what followed
the last time is the "induction head" of Olsson et al. 2022; resting on the first token is the "attention sink" of Xiao
et al. 2023.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from explorer.objectives import Stack, Texts
from explorer.types import AttentionKind, Message

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
SMOLLM2 = "HuggingFaceTB/SmolLM2-135M-Instruct"


@dataclass(frozen=True)
class KnownPattern:
    """A text to pick with one click. sees: the pattern in one sentence; heads: layer and head that show it, by model;
    kind: the attention to show, None for the model's first."""

    title: Message
    texts: Texts
    sees: Message
    heads: Mapping[str, tuple[int, int]] = field(default_factory=dict)
    kind: AttentionKind | None = None


SAME = Message("A token looks at the same token elsewhere in the text.")
BEFORE = Message("Each token looks at the one before it: a line beside the diagonal.")
STANDS_FOR = Message("“it” looks at “animal”, the word that it stands for.")
CROSS = Message("Each target position shares its attention among the tokens of the source.")
ANIMAL = Texts("The animal did not cross the street because it was too tired.")

PATTERNS: Mapping[Stack, tuple[KnownPattern, ...]] = {
    "encoder": (
        KnownPattern(
            Message("Words that come twice"),
            Texts("The cat saw the dog, and the dog saw the cat."),
            SAME,
            {MINILM: (2, 9)},
        ),
        KnownPattern(Message("What “it” stands for"), ANIMAL, STANDS_FOR, {MINILM: (3, 1)}),
        KnownPattern(
            Message("Two sentences"),
            Texts("How old are you?", text_b="What is your age?"),
            Message("“old” looks at “age” in the other sentence, and “age” at “old”."),
            {MINILM: (2, 9)},
        ),
        KnownPattern(
            Message("The token before"), Texts("The quick brown fox jumps over the lazy dog."), BEFORE, {MINILM: (0, 2)}
        ),
        KnownPattern(Message("Korean, letter by letter"), Texts("나는 학교에 갑니다"), SAME, {MINILM: (2, 9)}),
    ),
    "decoder": (
        KnownPattern(
            Message("A sentence twice"),
            Texts("Seven blue birds sang. Seven blue birds sang."),
            Message("The second time, a token looks at what came after it the first time, which is worth copying."),
            {SMOLLM2: (17, 5)},
        ),
        KnownPattern(Message("What “it” stands for"), ANIMAL, STANDS_FOR, {SMOLLM2: (13, 8)}),
        KnownPattern(
            Message("The token before"),
            Texts("The quick brown fox jumps over the lazy dog."),
            BEFORE,
            {SMOLLM2: (16, 0)},
        ),
        KnownPattern(
            Message("At rest on the first token"),
            Texts("The cat saw the dog, and the dog saw the cat."),
            Message("Every row puts nearly all its weight on the first token: the head has nothing to do here."),
            {SMOLLM2: (18, 8)},
        ),
        KnownPattern(Message("Korean in bytes"), Texts("나는 밥을 먹었다. 나는 밥을 먹었다."), SAME, {SMOLLM2: (5, 6)}),
    ),
    "encoder-decoder": (
        KnownPattern(
            Message("Translation"),
            Texts("translate English to German: The house is small.", target="Das Haus ist klein."),
            CROSS,
            kind="cross",
        ),
        KnownPattern(
            Message("Summary"),
            Texts("summarize: The cat sat on the mat all day because it was tired.", target="A tired cat rested."),
            CROSS,
            kind="cross",
        ),
        KnownPattern(
            Message("Korean"),
            Texts("translate English to Korean: I ate an apple.", target="나는 사과를 먹었다."),
            CROSS,
            kind="cross",
        ),
    ),
}
"""What the attention page offers for each stack, the first one first."""

OWN: Mapping[str, tuple[KnownPattern, ...]] = {
    "explorer/transformer": (
        KnownPattern(
            Message("Translation"),
            Texts(">>de<< The house is small.", target="Das Haus ist klein."),
            CROSS,
            kind="cross",
        ),
    ),
    "explorer/bart": (
        KnownPattern(
            Message("Fill the gap"),
            Texts("Once upon a time, there was a <mask>.", target="Once upon a time, there was a little girl."),
            CROSS,
            kind="cross",
        ),
    ),
}
"""The same for models that come with the app and read other texts than their stack usually does."""


def patterns(stack: Stack, model: str) -> tuple[KnownPattern, ...]:
    """What the attention page offers beside a model."""
    return OWN.get(model, PATTERNS[stack])
