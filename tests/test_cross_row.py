"""The cross-attention of the newest position is the model's own."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from explorer import generation
from explorer.cross_row import cross_row
from explorer.types import ModelId, SamplingSettings


@pytest.mark.parametrize("family", ["t5", "bart", "marian"])
def test_the_row_is_that_of_the_models_own_plain_attention(family: str, tiny_models: Path) -> None:
    session = generation.start(ModelId(f"tiny/{family}"), "The cat sat")
    session = generation.steps(session, SamplingSettings(greedy=True), 2)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(
        tiny_models / "tiny" / family, attn_implementation="eager"
    ).eval()
    source, answer = (torch.tensor([ids]) for ids in (session.handle.source_ids, session.handle.ids))
    with torch.no_grad():
        output = model(input_ids=source, decoder_input_ids=answer, output_attentions=True)
    expected = np.stack([layer[0, :, -1].numpy() for layer in output.cross_attentions])
    found = cross_row(session.handle)
    assert found is not None
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-5)


def test_a_decoder_alone_has_none(tiny_models: Path) -> None:
    assert cross_row(generation.start(ModelId("tiny/gpt2"), "The cat").handle) is None
