"""What the ready tasks learn from: texts drawn by chance to train on, others kept back to measure with.

Numbers and words are kept back by a hash, so that what is measured was never trained on. A poem is learned by heart:
there only the hidden words differ. Of a pasted text the last tenth is kept back.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Protocol

import numpy as np

from explorer.models.tokenizer import HubTokenizer
from explorer.objectives import Texts, causal_lm, denoising, masked_lm, seq2seq, sft
from explorer.training.corpus import is_held_out
from explorer.training.draws import Task
from explorer.training.live.words import CHARACTERS, WORDS, cut, make_words
from explorer.types import InputProblem

LARGEST = 400
"""The most words or characters that a pasted text gives a vocabulary; rarer ones are unknown."""


class Source(Protocol):
    """The texts of one task."""

    @property
    def words(self) -> HubTokenizer:
        """The tokenizer made for them."""
        ...

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        """A text to train on, or one kept back."""
        ...


ONES = "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
ONES_NAMES = (*ONES.split(), "eighteen", "nineteen")
TENS_NAMES = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
DIGITS, PLACES = "영일이삼사오육칠팔구", ("", "십", "백", "천")


def english(number: int) -> str:
    """The number in words, 1 to 9999.

    >>> english(2345)
    'two thousand three hundred forty five'
    """
    parts = []
    for size, name in ((1000, "thousand"), (100, "hundred")):
        if number >= size:
            parts.append(f"{ONES_NAMES[number // size]} {name}")
            number %= size
    if number >= 20:
        parts.append(TENS_NAMES[number // 10 - 2])
        number %= 10
    return " ".join([*parts, ONES_NAMES[number]] if number else parts)


def korean(number: int) -> str:
    """The number in Sino-Korean words, 1 to 9999: a one before ten, hundred and thousand is not said.

    >>> korean(2345), korean(1010)
    ('이천삼백사십오', '천십')
    """
    digits = [int(digit) for digit in str(number)]
    return "".join(
        ("" if digit == 1 and place else DIGITS[digit]) + PLACES[place]
        for place, digit in zip(reversed(range(len(digits))), digits, strict=True)
        if digit
    )


@dataclass(frozen=True)
class Numbers:
    """English number words, 1 to 9999, and the Korean ones."""

    @cached_property
    def words(self) -> HubTokenizer:
        pieces = (*ONES_NAMES[1:], *TENS_NAMES, "hundred", "thousand", *DIGITS[1:], *PLACES[1:])
        return make_words("marian", pieces, r"[가-힣]|[a-z]+", 32, spaces=False)

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        while True:
            # As many short numbers as long ones, or the short ones would hardly be seen.
            number = int(rng.integers(1, 10 ** int(rng.integers(1, 5))))
            if is_held_out(english(number)) is held_out:
                return Task(Texts(english(number), target=korean(number)), seq2seq.Settings())


@dataclass(frozen=True)
class Reversal:
    """Words of random letters, and the same from behind."""

    letters: str = "abcdefghijklmn"
    lengths: tuple[int, int] = (3, 6)

    @cached_property
    def words(self) -> HubTokenizer:
        return make_words("gpt2", [*self.letters, "="], CHARACTERS, 32, spaces=False)

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        low, high = self.lengths
        while True:
            drawn = rng.integers(len(self.letters), size=int(rng.integers(low, high + 1)))
            word = "".join(self.letters[at] for at in drawn.tolist())
            if is_held_out(word) is held_out:
                return Task(Texts(f"{word}=", target=word[::-1]), sft.Settings())


CYCLES = (
    "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "January February March April May June July August September October November December",
    "one two three four five six seven eight nine ten eleven twelve",
)


@dataclass(frozen=True)
class Cycles:
    """Days, months and hours in their order, eight in a row: what is hidden can be told from what stands around."""

    length: int = 8

    @cached_property
    def words(self) -> HubTokenizer:
        return make_words("bart", " ".join(CYCLES).split(), WORDS, 32, spaces=True)

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        names = CYCLES[int(rng.integers(len(CYCLES)))].split()
        start = int(rng.integers(len(names)))
        text = " ".join(names[(start + step) % len(names)] for step in range(self.length))
        return Task(Texts(text), denoising.Settings())


@dataclass(frozen=True)
class Poem:
    """Pairs of lines, one after the other or not, with words hidden."""

    text: str

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """Raises InputProblem for fewer than 4 lines."""
        found = tuple(line.strip() for line in self.text.lower().splitlines() if line.strip())
        if len(found) < 4:
            raise InputProblem(
                "The text has {count} lines, but at least {least} are needed to make pairs of lines.",
                {"count": len(found), "least": 4},
            )
        return found

    @cached_property
    def words(self) -> HubTokenizer:
        found = Counter(word for line in self.lines for word in cut(line, WORDS))
        return make_words("bert", [word for word, _ in found.most_common(LARGEST)], WORDS, 128, spaces=True)

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        first = int(rng.integers(len(self.lines) - 1))
        follows = bool(rng.random() < 0.5)
        others = [line for line in self.lines if line not in self.lines[first : first + 2]]
        second = self.lines[first + 1] if follows or not others else others[int(rng.integers(len(others)))]
        return Task(Texts(self.lines[first], second), masked_lm.Settings(is_next=follows, force_one=True))


@dataclass(frozen=True)
class Tale:
    """A text cut anywhere into pieces of `length` characters."""

    text: str
    length: int = 48

    @cached_property
    def parts(self) -> tuple[str, str]:
        """What is trained on, and what is kept back. Raises InputProblem where the text is too short."""
        least = 8 * self.length
        if len(self.text) < least:
            raise InputProblem(
                "The text has {count} characters, but at least {least} are needed. Paste a longer one.",
                {"count": len(self.text), "least": least},
            )
        seam = min(len(self.text) - self.length - 1, round(0.9 * len(self.text)))
        return self.text[:seam], self.text[seam:]

    @cached_property
    def words(self) -> HubTokenizer:
        found = [sign for sign, _ in Counter(self.text).most_common(LARGEST)]
        return make_words("gpt2", found, CHARACTERS, 2 * self.length, spaces=False)

    def draw(self, rng: np.random.Generator, held_out: bool) -> Task:
        part = self.parts[1 if held_out else 0]
        start = int(rng.integers(len(part) - self.length + 1))
        return Task(Texts(part[start : start + self.length]), causal_lm.Settings())


def with_rate(task: Task, rate: float | None) -> Task:
    """The task with another share of hidden tokens, where its objective has one."""
    settings: Any = task.settings
    return task if rate is None else Task(task.texts, replace(settings, rate=rate))
