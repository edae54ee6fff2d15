"""The masks of every objective's ready examples follow rules that can be put in words, cell by cell."""

import numpy as np
import pytest

from explorer.masks import reason, rules_of
from explorer.objectives import objectives
from explorer.settings import parse_settings

READY = [(item, ready) for item in objectives().values() for ready in item.examples]


@pytest.mark.models
@pytest.mark.parametrize(("objective", "ready"), READY, ids=[f"{item.key}: {ready.title}" for item, ready in READY])
def test_every_cell_of_a_ready_example_has_its_reason(objective, ready, tokenizer) -> None:
    settings = parse_settings(objective.Settings, ready.settings)
    rng = np.random.default_rng(ready.seed)
    example = objective.build(ready.texts, tokenizer(objective.model), settings, rng)
    for kind in ("encoder", "decoder", "cross"):
        mask = getattr(example.masks, kind)
        if mask is None:
            continue
        rules = rules_of(example, kind)
        assert np.array_equal(rules.mask, mask)
        for i, j in np.ndindex(*mask.shape):
            assert str(reason(rules, i, j)).startswith("Open:" if mask[i, j] else "Closed:")
