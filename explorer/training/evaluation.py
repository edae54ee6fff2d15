"""The bars of the five models, each measured on texts that training never saw. Counts are over tokens or sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import log
from typing import TypeVar

import numpy as np

from explorer.objectives import Texts
from explorer.objectives.noise import poisson_spans, spread
from explorer.tokens import encode
from explorer.training import draws
from explorer.training.corpus import Split, sentences
from explorer.training.draws import Translation
from explorer.training.trained import Trained
from explorer.types import Example, InputProblem, Role

T = TypeVar("T")

DOCUMENTS = 60
"""Held-out stories that a language model is measured on."""
CHARACTERS = 1500
"""Of each: they fit into 512 tokens of every vocabulary here."""
PAIRS = 500
PASSAGES = 200
GAPS = 100


@dataclass(frozen=True)
class Figure:
    """name: what is measured; bar: what was asked for at least (at most, where `low`), None where nothing was."""

    name: str
    value: float
    bar: float | None = None
    low: bool = False

    @property
    def holds(self) -> bool:
        """Whether the bar is reached."""
        if self.bar is None:
            return True
        return self.value <= self.bar if self.low else self.value >= self.bar


Baseline = Callable[[list[str]], float | None]
"""Bits per byte of another language model on the same texts; None where it is not here."""


def figures(trained: Trained, held_out: Split, baseline: Baseline) -> list[Figure]:
    """All figures of a model. Raises InputProblem where the corpus holds nothing out that they need."""
    if trained.recipe.name == "gpt":
        return list(_gpt(trained, held_out, baseline))
    return list(MEASURES[trained.recipe.name](trained, held_out))


def _bert(trained: Trained, held_out: Split) -> Iterator[Figure]:
    rng = np.random.default_rng(0)
    tasks = [draws.next_sentences(held_out, rng) for _ in range(PASSAGES)]
    examples = [
        example
        for task in tasks
        for example in trained.examples("masked_lm", [task.texts], is_next=task.settings.is_next, rate=0.15)
    ]
    asked = [example for example in examples if example.n_targets]
    ranks = trained.ranks(asked)
    said = trained.follows(examples)
    right = [follows is task.settings.is_next for follows, task in zip(said, tasks, strict=True)]
    yield Figure("masked tokens right, share", float((ranks < 1).mean()), 0.55)
    yield Figure("masked tokens among the top 5, share", float((ranks < 5).mean()), 0.75)
    yield Figure("next sentence right, share", float(np.mean(right)), 0.85)
    (paris,) = trained.examples("masked_lm", [Texts("The capital of France is Paris.")], select="5")
    yield Figure('rank of "paris" in "The capital of France is [MASK]."', 1.0 + int(trained.ranks([paris])[0]), 3, True)
    yield from _entropy(trained, asked)


def _gpt(trained: Trained, held_out: Split, baseline: Baseline) -> Iterator[Figure]:
    texts = [story[:CHARACTERS] for story in _some(held_out.stories)[:DOCUMENTS]]
    examples = trained.examples("causal_lm", [Texts(text) for text in texts])
    ours = bits_per_byte(float(trained.losses(examples).sum()), texts)
    yield Figure("bits per byte", ours)
    theirs = baseline(texts)
    if theirs is not None:
        yield Figure("bits per byte of SmolLM2-135M on the same texts", theirs)
        yield Figure("bits per byte, ours by SmolLM2-135M's", ours / theirs, 1.05, True)
    yield from _entropy(trained, examples)


def bits_per_byte(nats: float, texts: list[str]) -> float:
    """The summed loss of all tokens by the bytes of the texts. No model is asked for the first token of a text."""
    return nats / log(2) / sum(len(text.encode()) for text in texts)


def _bart(trained: Trained, held_out: Split) -> Iterator[Figure]:
    right, removed = [], []
    rng = np.random.default_rng(0)
    for text in _passages(held_out):
        encoding = encode(text, trained.tokenizer)
        ordinary = ~encoding.special
        spans = spread(poisson_spans(int(ordinary.sum()), 0.3, 3.0, rng), ordinary)
        chosen = ",".join(f"{start}:{end}" for start, end in spans)
        (example,) = trained.examples("denoising", [Texts(text)], spans=chosen)
        hidden = np.zeros(len(encoding), dtype=bool)
        for start, end in spans:
            hidden[start:end] = True
        right.append((trained.ranks([example]) < 1)[ordinary])
        removed.append(hidden[ordinary])
    hits, gone = np.concatenate(right), np.concatenate(removed)
    yield Figure("undamaged tokens copied right, share", float(hits[~gone].mean()), 0.97)
    yield Figure("removed tokens right, share", float(hits[gone].mean()), 0.45)
    yield Figure("sentences with one mask filled and the rest intact, share", _repaired(trained, held_out), 0.7)


def _repaired(trained: Trained, held_out: Split) -> float:
    """How many sentences come back with something in place of the mask and all else as it was. Whether what came is
    grammatical, only a reader can say."""
    rng = np.random.default_rng(0)
    cases: list[tuple[str, str]] = []
    for story in _some(held_out.stories):
        words = sentences(story)[0].split()
        if len(words) >= 6 and len(cases) < GAPS:
            start = int(rng.integers(1, len(words) - 3))
            end = start + int(rng.integers(1, 3))
            cases.append((" ".join(words[:start]), " ".join(words[end:])))
    written = trained.write([f"{before} <mask> {after}" for before, after in cases])
    intact = [
        text.startswith(before + " ") and text.endswith(" " + after) and len(text) > len(before) + len(after) + 2
        for text, (before, after) in zip(written, cases, strict=True)
    ]
    return float(np.mean(intact))


def _t5(trained: Trained, held_out: Split) -> Iterator[Figure]:
    examples = trained.examples("span_corruption", [Texts(text) for text in _passages(held_out)])
    text = np.concatenate([_is_text(example) for example in examples])
    yield Figure("removed tokens right, share", float((trained.ranks(examples) < 1)[text].mean()), 0.4)
    for language, bar in (("de", 40.0), ("fr", None), ("ko", None)):
        written, wanted = _translated(trained, held_out, Translation(language, tag=False), beams=1)
        yield Figure(f"chrF, English to {language}", _score("chrf", written, wanted), bar)
    yield from _entropy(trained, examples)


def _is_text(example: Example) -> list[bool]:
    """For each target whether it is a token of the text, and not a sentinel or the end."""
    labels = [*example.output.roles[1:], Role.SPECIAL]
    return [role not in (Role.SENTINEL, Role.SPECIAL) for role in labels]


def _transformer(trained: Trained, held_out: Split) -> Iterator[Figure]:
    for language, bar in (("de", 20.0), ("fr", None)):
        written, wanted = _translated(trained, held_out, Translation(language, tag=True), beams=4)
        yield Figure(f"BLEU, English to {language}", _score("bleu", written, wanted), bar)
    pairs = held_out.pairs["de"][:PAIRS]
    asked = [Texts(Translation("de", tag=True).source(pair.english), target=pair.other) for pair in pairs]
    yield from _entropy(trained, trained.examples("seq2seq", asked))


MEASURES: Mapping[str, Callable[[Trained, Split], Iterator[Figure]]] = {
    "bert": _bert,
    "bart": _bart,
    "t5": _t5,
    "transformer": _transformer,
}


def _translated(trained: Trained, held_out: Split, ask: Translation, beams: int) -> tuple[list[str], list[str]]:
    """What is written for the held-out sentences, each once, and what was wanted."""
    once = {pair.english: pair.other for pair in _some(held_out.pairs[ask.language])}
    wanted = dict(list(once.items())[:PAIRS])
    return trained.write([ask.source(english) for english in wanted], beams), list(wanted.values())


def _score(kind: str, written: list[str], wanted: list[str]) -> float:
    try:
        import sacrebleu
    except ImportError:
        raise InputProblem("Translations are measured with the package sacrebleu (requirements-train.txt).") from None
    return float(getattr(sacrebleu, f"corpus_{kind}")(written, [wanted]).score)


def _entropy(trained: Trained, examples: list[Example]) -> Iterator[Figure]:
    """The loss, beside those of guessing evenly and of knowing only how frequent each token is."""
    yield Figure("loss of a target, nats", float(trained.losses(examples).mean()))
    yield Figure("loss of guessing evenly (ln V), nats", log(trained.model.config.vocab_size))
    wanted = np.concatenate([[target.predicts_id for target in example.targets] for example in examples])
    _, counts = np.unique(wanted, return_counts=True)
    shares = counts / counts.sum()
    yield Figure("loss of knowing the frequencies alone, nats", float(-(shares * np.log(shares)).sum()))


def _passages(held_out: Split) -> list[str]:
    """Runs of three sentences of the held-out stories, two a story."""
    found = [" ".join(sentences(story)[first : first + 3]) for story in _some(held_out.stories) for first in (0, 3)]
    return [text for text in found if text][:PASSAGES]


def _some(found: tuple[T, ...]) -> tuple[T, ...]:
    if not found:
        raise InputProblem("The corpus holds nothing out to measure this model on.")
    return found
