"""Several ways from one place, the text itself untouched; counts of many draws; the line that they fall on."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from explorer import generation
from explorer.draw import choose, fallen, line
from explorer.models import runtime
from explorer.strategies import first_tokens, side_by_side, strategies
from explorer.types import ModelId, SamplingSettings

GPT2 = ModelId("tiny/gpt2")


@pytest.mark.usefixtures("no_caches")
def test_each_way_writes_what_it_would_write_alone(tiny_models: Path) -> None:
    session = generation.steps(generation.start(GPT2, "The cat"), SamplingSettings(seed=3), 2)
    kept = runtime().open_caches
    found = list(side_by_side(session, strategies(seed=3), 4))
    assert runtime().open_caches == kept
    assert [str(each.strategy.title) for each in found] == [
        "Greedy", "Temperature 1.0", "Top-k 40", "Top-p 0.9", "Min-p 0.1", "Beam search, 4 beams",
    ]  # fmt: skip
    for each in found[:-1]:
        alone = generation.steps(session, each.strategy.settings, 4)
        assert [step.chosen for step in each.steps] == list(alone.generation.ids[2:])
        assert session.text + each.text == alone.text
    assert len(session.generation.steps) == 2


def test_many_draws_are_those_of_many_seeds(tiny_models: Path) -> None:
    session, settings = generation.start(GPT2, "The cat"), SamplingSettings(top_k=3)
    sampled = generation.look(session, settings)
    counts = first_tokens(generation.coming(session, settings, sampled), sampled.final, 60, 0)
    one_by_one = [choose(sampled.final, seed, 0)[0] for seed in range(60)]
    assert {each.candidate.id: each.times for each in counts} == {
        each.candidate.id: one_by_one.count(each.candidate.id) for each in counts
    }
    assert sum(each.times for each in counts) == 60
    assert sum(each.expected for each in counts) == pytest.approx(60)


def test_the_line_goes_from_the_most_probable_on() -> None:
    order, ends = line(np.array([0.2, 0.5, 0.0, 0.3]))
    assert (order.tolist(), ends.tolist()) == ([1, 3, 0], [0.5, 0.8, 1.0])
    assert fallen(order, ends, [0.0, 0.49, 0.5, 0.79, 0.81]).tolist() == [1, 1, 3, 3, 0]
