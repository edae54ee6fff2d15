"""Figures: what the bars are measured by, on texts held out from the tiny corpus."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from explorer.objectives import Texts
from explorer.training.baseline import smollm
from explorer.training.card import card
from explorer.training.corpus import Split, read_corpus
from explorer.training.evaluation import Figure, bits_per_byte, figures
from explorer.training.facts import read_facts
from explorer.training.loop import FINAL
from explorer.training.trained import Trained
from explorer.types import InputProblem
from tests.training.conftest import EVERY


@pytest.fixture
def trained(learned):
    return lambda name: Trained(learned(name).plan.recipe, learned(name).plan.out / FINAL)


@pytest.fixture
def held_out(corpus) -> Split:
    return read_corpus(corpus).held_out


@pytest.mark.parametrize("name", EVERY)
def test_every_recipe_is_measured(trained, held_out, name: str) -> None:
    pytest.importorskip("sacrebleu", reason="requirements-train.txt")
    model = trained(name)
    found = figures(model, held_out, lambda texts: 0.8)
    assert len({figure.name for figure in found}) == len(found)
    assert all(np.isfinite(figure.value) for figure in found)
    assert any(figure.bar is not None for figure in found)
    shares = [figure.value for figure in found if figure.name.endswith("share")]
    assert all(0 <= share <= 1 for share in shares)
    text = card(model.recipe, read_facts(model.folder), found)
    assert all(figure.name in text for figure in found)
    assert model.recipe.weak in text


def test_a_figure_knows_its_bar() -> None:
    assert Figure("share", 0.5, 0.5).holds
    assert not Figure("share", 0.49, 0.5).holds
    assert Figure("ratio", 1.05, 1.05, low=True).holds
    assert not Figure("ratio", 1.06, 1.05, low=True).holds
    assert Figure("only told", 3.0).holds


def test_bits_per_byte_count_bytes_and_not_characters() -> None:
    assert bits_per_byte(8 * log(2), ["ab", "가나"]) == pytest.approx(1.0)


def test_ranks_and_losses_are_those_of_the_whole_logits(trained) -> None:
    import torch

    model = trained("gpt")
    examples = model.examples("causal_lm", [Texts("One day Tom went to the park."), Texts("Lily saw a ball.")])
    ranks, losses = model.ranks(examples), model.losses(examples)
    wanted_ranks, wanted_losses = [], []
    for example in examples:
        with torch.no_grad():
            logits = model.model(input_ids=torch.from_numpy(example.output.ids.copy())[None]).logits[0]
        for target in example.targets:
            row = logits[target.position]
            wanted_ranks.append(int((row > row[target.predicts_id]).sum()))
            wanted_losses.append(float(-row.log_softmax(-1)[target.predicts_id]))
    assert ranks.tolist() == wanted_ranks
    assert losses == pytest.approx(wanted_losses, rel=1e-4)


def test_what_is_written_does_not_depend_on_its_neighbours(trained) -> None:
    model = trained("t5")
    short, long = "One day Tom <extra_id_0> the park.", "Lily saw a big red kite there. So Lily <extra_id_0> was happy."
    assert model.write([short, long]) == [*model.write([short]), *model.write([long])]


def test_nothing_held_out_is_told(trained) -> None:
    with pytest.raises(InputProblem, match="holds nothing out"):
        figures(trained("bart"), Split((), (), {}, ()), lambda texts: None)


@pytest.mark.wheels
def test_smollm_needs_less_than_a_bit_and_a_half_a_byte_for_a_plain_story() -> None:
    text = "Once upon a time, there was a little girl named Lily. She liked to play with her red ball in the park."
    assert 0.3 < smollm([text]) < 1.5
