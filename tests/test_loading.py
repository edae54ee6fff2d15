"""Models that several visitors ask for at the same moment."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
import transformers

from explorer.models import loading
from explorer.types import ModelId

NAMES = ("gpt2", "llama", "t5", "bart", "marian", "bert")


def test_models_are_read_one_after_the_other(tiny_models, monkeypatch: pytest.MonkeyPatch) -> None:
    """transformers switches the tying of weights off for all models while it reads one."""
    start, reading, most = Barrier(len(NAMES)), [], []
    read = transformers.PreTrainedModel.from_pretrained.__func__

    def slowly(kind, *given, **more):
        reading.append(kind)
        most.append(len(reading))
        time.sleep(0.02)
        try:
            return read(kind, *given, **more)
        finally:
            reading.remove(kind)

    monkeypatch.setattr(transformers.PreTrainedModel, "from_pretrained", classmethod(slowly))

    def load(name: str) -> loading.Loaded:
        start.wait()
        return loading.load(ModelId(f"tiny/{name}"))

    with ThreadPoolExecutor(len(NAMES)) as threads:
        loaded = dict(zip(NAMES, threads.map(load, NAMES), strict=True))
    assert most == [1] * len(NAMES)
    for name in ("t5", "bart"):
        module = loaded[name].module
        assert module.lm_head.weight is module.get_input_embeddings().weight
