"""The translation model of the app, where it is there: what the Transformer page says of it."""

from __future__ import annotations

import pytest

from explorer.alignment import align
from explorer.models import places, tokenizer
from explorer.models.caches import Caches
from explorer.models.free_running import free_run
from explorer.models.pool import Pool
from explorer.models.runtime import Runtime
from explorer.objectives import Texts, objective
from explorer.types import Example, ModelId

NAME = "explorer/transformer"


@pytest.fixture(scope="module")
def run() -> Runtime:
    """One of its own: other tests put small random models in the place of those of the app."""
    return Runtime(Pool(), Caches())


@pytest.fixture
def model(run: Runtime) -> ModelId:
    if not (places.bundled() / "transformer" / "model.safetensors").is_file():
        pytest.skip("the translation model of the app is not here")
    return run.identify(NAME)


def pair(source: str, target: str) -> Example:
    item = objective("seq2seq")
    return item.build(Texts(source, target=target), tokenizer(NAME), item.Settings(), None)


def test_cross_attention_is_an_alignment(run: Runtime, model: ModelId) -> None:
    made = pair(">>de<< The house is small.", "Das Haus ist klein.")
    found = align(run.attention(model, made)["cross"].weights[-1], made, hide_special=True)
    assert len(found.source) == len(found.target) - 1 == 5
    assert sum(best == at for at, best in enumerate(found.best[:5])) >= 4


def test_pads_that_cross_attention_sees_cost_much(run: Runtime, model: ModelId) -> None:
    found = run.left_out(model, pair(">>de<< The house is small.", "Das Haus ist klein."), 5)
    assert found.change(found.masked) < 1e-3
    assert found.masked.mean == pytest.approx(found.alone.mean, abs=1e-4)
    assert found.bare.mean > 2 * found.alone.mean


def test_its_own_words_lead_it_astray(run: Runtime, model: ModelId) -> None:
    found = free_run(
        run, model, pair(">>de<< Tom has a big red car.", "Tom hat ein großes rotes Auto."), lambda *_: None
    )
    assert found.parting is not None
    assert found.own_mean > found.forced_mean
