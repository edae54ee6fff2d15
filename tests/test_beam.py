"""Beam search: scores by length, and the texts of transformers' own beam search."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from itertools import pairwise, product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
import transformers

from explorer import generation
from explorer.__main__ import main
from explorer.beam import EarlyStopping, Search, length_score, rounds, search
from explorer.models import runtime
from explorer.types import InputProblem, ModelId, SamplingSettings

GPT2 = ModelId("tiny/gpt2")
RULES: dict[EarlyStopping, bool | str] = {"first": True, "likely": False, "never": "never"}
"""Our names, and what transformers calls the same."""


def test_the_prompt_does_not_count_in_the_length() -> None:
    a, b = length_score(-1.0, 1), length_score(-3.0, 4)
    assert (a, b) == (-1.0, -0.75)
    assert b > a
    assert length_score(-1.0, 9) == pytest.approx(-0.111, abs=1e-3)
    assert length_score(-3.0, 4, penalty=0.0) == -3.0


@pytest.mark.parametrize("beams", [2, 4])
@pytest.mark.parametrize("prompt", ["The cat sat", "ab", "Paris is"])
@pytest.mark.parametrize("family", ["gpt2", "llama"])
def test_a_decoder_finds_the_texts_of_generate(family: str, prompt: str, beams: int, tiny_models: Path) -> None:
    model = transformers.AutoModelForCausalLM.from_pretrained(tiny_models / "tiny" / family).eval()
    session = generation.start(ModelId(f"tiny/{family}"), prompt)
    given = torch.tensor([session.generation.prompt_ids])
    expected = model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=12,
        num_beams=beams,
        num_return_sequences=beams,
        do_sample=False,
        pad_token_id=0,
        output_scores=True,
        return_dict_in_generate=True,
    )
    found = search(session, beams, 12)
    ours = [list(each.ids) for each in found]
    theirs = [_until_end(row) for row in expected.sequences[:, given.shape[1] :].tolist()]
    assert ours == theirs
    assert [each.score for each in found] == pytest.approx(expected.sequences_scores.tolist(), abs=1e-4)


def test_one_beam_is_greedy(tiny_models: Path) -> None:
    session = generation.start(GPT2, "The cat sat")
    greedy = generation.steps(session, SamplingSettings(greedy=True), 12)
    assert [each.ids for each in search(session, 1, 12)] == [greedy.generation.ids]


@pytest.mark.parametrize("family", ["bart", "t5", "marian"])
def test_an_encoder_decoder_finds_the_text_of_generate(family: str, tiny_models: Path) -> None:
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(tiny_models / "tiny" / family).eval()
    session = generation.start(ModelId(f"tiny/{family}"), "The cat sat")
    given = torch.tensor([session.generation.prompt_ids])
    expected = model.generate(
        given,
        attention_mask=torch.ones_like(given),
        max_new_tokens=8,
        num_beams=3,
        do_sample=False,
        forced_eos_token_id=None,
    )
    assert list(search(session, 3, 8)[0].ids) == _until_end(expected[0, 1:].tolist())


def _until_end(ids: list[int]) -> list[int]:
    return ids[: ids.index(2) + 1] if 2 in ids else ids


WAYS = [*product((0.0, 1.0, 2.0), RULES)]
"""Length penalties and rules."""


@pytest.mark.parametrize("beams", [1, 2, 4, 8])
@pytest.mark.parametrize("family", ["gpt2", "bart"])
class TestRules:
    def test_nine_prompts_each_under_a_rule_of_its_own(self, family: str, beams: int, tiny_models: Path) -> None:
        for prompt, way in zip(_prompts(beams, len(WAYS)), WAYS, strict=True):
            _compare(tiny_models, family, prompt, beams, [way])

    @pytest.mark.slow
    def test_fifty_prompts_under_every_rule(self, family: str, beams: int, tiny_models: Path) -> None:
        for prompt in _prompts(beams, 50):
            _compare(tiny_models, family, prompt, beams, WAYS)


def _prompts(seed: int, count: int) -> list[str]:
    return ["".join(map(chr, letters)) for letters in np.random.default_rng(seed).integers(97, 123, (count, 4))]


@cache
def _theirs(folder: Path) -> Any:
    kind = transformers.AutoModelForCausalLM if folder.name == "gpt2" else transformers.AutoModelForSeq2SeqLM
    return kind.from_pretrained(folder).eval()


def _compare(folder: Path, family: str, prompt: str, beams: int, ways: list[tuple[float, EarlyStopping]]) -> None:
    """Texts and scores are those of generate. One prompt at a time, so that both read as many rows: in a larger batch
    float32 adds up in another order, which this BART with its large weights shows in the fourth place."""
    session = generation.start(ModelId(f"tiny/{family}"), prompt)
    given = torch.tensor([session.generation.prompt_ids])
    for penalty, early in ways:
        expected = _theirs(folder / "tiny" / family).generate(
            given,
            attention_mask=torch.ones_like(given),
            max_new_tokens=6,
            num_beams=beams,
            num_return_sequences=beams,
            length_penalty=penalty,
            early_stopping=RULES[early],
            do_sample=False,
            forced_eos_token_id=None,
            pad_token_id=0,
            output_scores=True,
            return_dict_in_generate=True,
        )
        found = search(session, beams, 6, penalty, early)
        theirs = [_until_end(row) for row in expected.sequences[:, session.begun :].tolist()]
        assert [list(each.ids) for each in found] == theirs, (prompt, penalty, early)
        if beams > 1:
            assert [each.score for each in found] == pytest.approx(expected.sequences_scores.tolist(), abs=1e-5)


def test_the_rounds_tell_what_became_of_each_text_and_which_rule_ended_it(tiny_models: Path) -> None:
    session = generation.start(GPT2, "The cat")
    found = list(rounds(session, Search(3, 4)))
    assert [len(each.open) for each in found] == [3, 3, 3, 0]
    assert [each.ended is None for each in found] == [True, True, True, False]
    assert str(found[-1].ended) == "It ends because no text may be longer than 4 tokens."
    for before, after in pairwise(found):
        for each in after.continuations:
            assert each.ids[:-1] == before.open[each.parent].ids
            assert each.log_probability <= before.open[each.parent].log_probability
    assert [each.fate for each in found[0].continuations] == ["open"] * 3 + ["pruned"] * 3
    assert found[-1].finished == tuple(search(session, 3, 4))


def test_ends_by_each_rule(tiny_models: Path) -> None:
    """Every second token ends a text here, so that texts finish at once."""
    session = generation.start(GPT2, "The cat")
    many = replace(session, facts=replace(session.facts, ends=frozenset(range(0, len(session.logits), 2))))
    first = list(rounds(many, Search(2, 20, early_stopping="first")))[-1]
    assert str(first.ended) == "It ends because 2 texts are finished, as many as there are beams."
    likely = list(rounds(many, Search(2, 20)))[-1]
    words = "It ends because no open text would score better than the worst of the 2 finished."
    assert str(likely.ended) == words
    never = list(rounds(many, Search(2, 20, early_stopping="never")))
    assert len(never) >= len(list(rounds(many, Search(2, 20)))) >= 1


@pytest.mark.usefixtures("no_caches")
def test_a_search_gives_its_cache_back_even_when_it_is_left(tiny_models: Path) -> None:
    session = generation.start(GPT2, "The cat")
    before = runtime().open_caches
    steps = rounds(session, Search(3, 9))
    next(steps), next(steps)
    assert runtime().open_caches == before + 1
    steps.close()
    assert runtime().open_caches == before


def test_every_score_is_that_of_its_own_text(tiny_models: Path) -> None:
    session = generation.start(GPT2, "The cat")
    for found in search(session, 3, 6):
        steps = generation.follow(session, found.ids).generation.steps
        assert found.log_probability == pytest.approx(sum(np.log(step.p_model) for step in steps), abs=1e-3)
        assert found.score == pytest.approx(found.log_probability / len(found.ids))


def test_a_text_that_was_found_can_be_followed_step_by_step(tiny_models: Path) -> None:
    session = generation.start(GPT2, "The cat")
    best = search(session, 3, 6)[0]
    written = generation.follow(session, best.ids)
    assert written.generation.ids == best.ids
    assert all(step.draw is None and step.by_hand for step in written.generation.steps)
    assert generation.undo(written).generation.ids == best.ids[:-1]


def test_limits(tiny_models: Path) -> None:
    assert search(generation.start(GPT2, "The cat"), 3, 0) == ()
    assert {len(each.ids) for each in search(generation.start(GPT2, "a" * 509), 2, 9)} == {3}
    for beams in (0, 17):
        with pytest.raises(InputProblem, match=f"beams is {beams}, but must lie between 1 and 16"):
            search(generation.start(GPT2, "The cat"), beams, 3)


def test_the_command_line_writes_the_best_text(tiny_models: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["generate", "--model", "tiny/gpt2", "--prompt", "The cat", "--steps", "5", "--beams", "3", "--json"]
    assert main(words) == 0
    found = json.loads(capsys.readouterr().out)
    assert tuple(found["ids"]) == search(generation.start(GPT2, "The cat"), 3, 5)[0].ids
    assert [step["chosen"] for step in found["steps"]] == found["ids"]
    assert main([*words, "--beams", "99"]) == 2
    assert "beams is 99, but must lie between 1 and 16" in capsys.readouterr().err
