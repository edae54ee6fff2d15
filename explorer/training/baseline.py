"""What a larger model that others trained reaches on the same texts: the measure for our own language model."""

from __future__ import annotations

from explorer.models import runtime, tokenizer
from explorer.objectives import Texts, objective
from explorer.training.evaluation import bits_per_byte
from explorer.types import InputProblem

MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"


def smollm(texts: list[str]) -> float | None:
    """Bits per byte of SmolLM2-135M-Instruct; None where its package is not installed."""
    import numpy as np

    asked, rng = objective("causal_lm"), np.random.default_rng(0)
    try:
        model, words = runtime().identify(MODEL), tokenizer(MODEL)
    except InputProblem:
        return None
    examples = (asked.build(Texts(text), words, asked.Settings(), rng) for text in texts)
    return bits_per_byte(sum(float(runtime().score(model, each, 1).losses.sum()) for each in examples), texts)
