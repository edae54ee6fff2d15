"""Examples to ask about: an objective, our own texts and settings drawn by level, built by the objective itself.

The objectives are those of the pages, so the right answers are read off the same numbers that the tables draw.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from zlib import crc32

import numpy as np

from explorer.exercises.sentences import PAIRS, SENTENCES, SHORT, TRANSLATIONS
from explorer.exercises.values import Code
from explorer.objectives import Objective, Texts, objective
from explorer.tokens import Tokenizer, encode
from explorer.types import Encoding, Example, InputProblem, Message

Tokenizers = Callable[[str], Tokenizer]
"""The canonical model of an objective -> a tokenizer that stands for it on this machine."""

Random = np.random.Generator

FAMILIES = {
    1: ("causal_lm", "masked_lm"),
    2: ("sft", "prefix_lm", "masked_lm", "denoising", "span_corruption"),
    3: ("causal_lm", "packed_lm", "sft", "masked_lm", "seq2seq"),
}
"""The objectives that a level asks about."""

RULES = {
    "masked_lm": Message(
        "BERT: only chosen positions have a label, the token that stood there; also where the input was left as it is. "
        "Nobody shifts."
    ),
    "causal_lm": Message(
        "GPT: the labels are the input itself. The model's loss compares output t with label t+1, so the last output "
        "has no target."
    ),
    "packed_lm": Message(
        "Packed and kept apart: as GPT, but the first token of a document is no target, for nobody can foretell it."
    ),
    "sft": Message(
        "SFT: the labels of the prompt are -100, the response and its end token keep their own. The loss compares "
        "output t with label t+1."
    ),
    "prefix_lm": Message(
        "Prefix LM: the loss lies on the target only. Its first token is predicted at the last position of the prefix."
    ),
    "denoising": Message("BART: the decoder writes the whole original, so every position of it is a target."),
    "span_corruption": Message(
        "T5: the target lists each sentinel and the tokens it stands for, then one last sentinel and the end token."
    ),
    "seq2seq": Message(
        "Teacher forcing: every token of the target is a label; the decoder reads the target one place later."
    ),
}
"""What decides the labels of a family, in one sentence."""


@dataclass(frozen=True, eq=False)
class Case:
    """An Example with all that it was built from."""

    objective: Objective
    texts: Texts
    settings: Any
    tokenizer: Tokenizer
    seed: int

    def build(self, **changes: Any) -> Example:
        """The Example, or the one that other settings would give."""
        settings = replace(self.settings, **changes)
        return self.objective.build(self.texts, self.tokenizer, settings, np.random.default_rng(self.seed))

    @property
    def text(self) -> Encoding:
        """The text before any damage, as tokens."""
        return encode(self.texts.text, self.tokenizer, self.texts.text_b)


def random(code: Code) -> Random:
    """Where all chance of an exercise comes from."""
    return np.random.default_rng([code.number, code.level, crc32(code.kind.encode())])


def pick(options: Sequence[Any], rng: Random) -> Any:
    """One of several."""
    return options[int(rng.integers(len(options)))]


T = TypeVar("T")


def pick_able(options: Sequence[T], tokenizers: Tokenizers, rng: Random, key: Callable[[T], str]) -> T:
    """One of several; where the tokenizer of its objective is not on this machine, the next one that has its own.
    Raises InputProblem where none has."""
    at = int(rng.integers(len(options)))
    ordered = [*options[at:], *options[:at]]
    return next(able(ordered, tokenizers, key))


def able(options: Sequence[T], tokenizers: Tokenizers, key: Callable[[T], str]) -> Iterator[T]:
    """Those whose objective has a tokenizer on this machine, in order. Raises InputProblem where none has."""
    found, lacking = False, None
    for option in options:
        try:
            tokenizers(objective(key(option)).model)
        except InputProblem as problem:
            lacking = problem
        else:
            found = True
            yield option
    if lacking is not None and not found:
        raise lacking


def case(level: int, tokenizers: Tokenizers, rng: Random, keys: Sequence[str] | None = None) -> Case:
    """A case of one of the objectives `keys`, by default those of the level. On level 3 rows are padded."""
    item = objective(pick_able(FAMILIES[level] if keys is None else keys, tokenizers, rng, str))
    texts, changes = _ASKED[item.key](level, rng)
    settings, seed = replace(item.Settings(), **changes), int(rng.integers(2**31))
    made = Case(item, texts, settings, tokenizers(item.model), seed)
    return padded(made, 2) if level == 3 and item.key in {"causal_lm", "sft", "masked_lm", "seq2seq"} else made


def padded(made: Case, pads: int) -> Case:
    """The case with so many pads behind its text (that of the encoder, where there is one)."""
    example = made.build()
    stream = example.output if example.encoder is None else example.encoder
    return replace(made, settings=replace(made.settings, pad_to=len(stream) + pads))


Asked = tuple[Texts, dict[str, Any]]


def _causal(level: int, rng: Random) -> Asked:
    return Texts(pick(SENTENCES, rng)), {"add_eos": level > 1}


def _masked(level: int, rng: Random) -> Asked:
    """Above level 1 random and unchanged tokens come more often than in BERT, so that they are met."""
    shares = {"p_mask": 1.0, "p_random": 0.0} if level == 1 else {"p_mask": 0.4, "p_random": 0.3}
    text = pick(SENTENCES, rng) if level < 3 else pick(SHORT, rng)
    second = pick(SHORT, rng) if level == 3 else None
    return Texts(text, second), {"rate": 0.25, "force_one": True, **shares}


def _packed(level: int, rng: Random) -> Asked:
    first, second = rng.choice(len(SHORT), 2, replace=False)
    return Texts(f"{SHORT[first]}.\n\n{SHORT[second]}."), {"block": 64, "isolate": True}


def _sft(level: int, rng: Random) -> Asked:
    prompt, response = pick(PAIRS, rng)
    return Texts(prompt, target=response), {}


def _prefix(level: int, rng: Random) -> Asked:
    words = pick(SENTENCES if level > 1 else SHORT, rng).split()
    cut = int(rng.integers(1, len(words)))
    return Texts(" ".join(words[:cut]), target=" ".join(words[cut:])), {}


def _denoised(level: int, rng: Random) -> Asked:
    return Texts(pick(SENTENCES, rng)), {"rate": 0.3, "poisson_lambda": 2.0}


def _spans(level: int, rng: Random) -> Asked:
    return Texts(pick(SENTENCES, rng)), {"rate": 0.35, "mean_length": 1.7}


def _pair(level: int, rng: Random) -> Asked:
    source, target = pick(TRANSLATIONS, rng)
    return Texts(source, target=target), {}


_ASKED: dict[str, Callable[[int, Random], Asked]] = {
    "causal_lm": _causal,
    "masked_lm": _masked,
    "packed_lm": _packed,
    "sft": _sft,
    "prefix_lm": _prefix,
    "denoising": _denoised,
    "span_corruption": _spans,
    "seq2seq": _pair,
}
