"""Examples of every objective, built with the tokenizer of a model: the ready ones, and those with odd masks."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from explorer.objectives import Texts, objective, objectives
from explorer.settings import parse_settings
from explorer.tokens import Tokenizer
from explorer.types import TASKS, Example, InputProblem

PADDED = {
    "causal_lm": (Texts("I like cats."), {"add_eos": "true", "pad_to": "40"}),
    "masked_lm": (Texts("my dog is hairy", "he likes to play"), {"select": "4,9", "pad_to": "60"}),
    "sft": (Texts("Q: two and two?\nA:", target=" four"), {"pad_to": "60"}),
    "seq2seq": (Texts("translate: good", target="gut"), {"pad_to": "60"}),
}


def make(
    key: str, tokenizer: Tokenizer, texts: Texts, settings: dict[str, str] | None = None, seed: int = 0
) -> Example:
    """The example of one objective."""
    made = objective(key)
    return made.build(texts, tokenizer, parse_settings(made.Settings, settings or {}), np.random.default_rng(seed))


def examples(stack: str, tokenizer: Tokenizer) -> Iterator[tuple[str, Example]]:
    """A name and an example for each ready and each padded example of the objectives with this stack and a language
    model's head.

    Some ready examples need a mask token, sentinels or a longer context; the tokenizer then says so itself.
    """
    for key, each in objectives().items():
        if each.stack != stack or key in TASKS:
            continue
        cases = [(ready.texts, dict(ready.settings), ready.seed) for ready in each.examples]
        cases += [(*PADDED[key], 0)] if key in PADDED else []
        for number, (texts, settings, seed) in enumerate(cases):
            try:
                yield f"{key} {number}", make(key, tokenizer, texts, settings, seed)
            except InputProblem:
                continue
