"""The padding mask of cross-attention left out: with it pads change nothing, without it they change everything."""

from __future__ import annotations

import pytest

from explorer.models import Runtime, tokenizer
from explorer.models.left_out import small_left_out
from explorer.objectives import Texts, objective


@pytest.mark.parametrize("pads", [1, 5, 12])
def test_torchs_own_transformer(pads: int) -> None:
    found = small_left_out(pads)
    assert found.change(found.masked) < 1e-5
    assert found.share(found.masked) == 0
    assert found.change(found.bare) > 0.01
    assert 0 < found.share(found.bare) < 1
    assert found.alone.weights.shape == (6, 5)
    assert found.bare.weights.shape == (6, 5 + pads)
    assert found.bare.weights.sum(axis=1) == pytest.approx(1)
    assert found.masked.mean == pytest.approx(found.alone.mean, abs=1e-5)


def test_more_pads_take_more() -> None:
    shares = [found.share(found.bare) for found in map(small_left_out, (1, 5, 12))]
    assert shares == sorted(shares)


@pytest.mark.parametrize("name", ["tiny/marian", "tiny/t5", "tiny/bart"])
def test_models_of_transformers(fresh: Runtime, name: str) -> None:
    item = objective("seq2seq")
    made = item.build(Texts("the cat", target="die katze"), tokenizer(name), item.Settings(), None)
    model = fresh.identify(name)
    found = fresh.left_out(model, made, 6)
    assert found.alone.losses == pytest.approx(fresh.score(model, made).losses, abs=1e-4)
    assert found.change(found.masked) < 1e-3
    assert found.share(found.masked) == 0
    assert found.change(found.bare) > 10 * found.change(found.masked)
    assert found.share(found.bare) > 0
    assert len(found.source) == found.length + 6
