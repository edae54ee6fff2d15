"""Cross entropy against torch.nn.functional.cross_entropy, position by position and as a mean."""

import numpy as np
import pytest
import torch
from torch.nn.functional import cross_entropy as torch_cross_entropy

from explorer.loss import cross_entropy, log_softmax
from explorer.types import IGNORE


def drawn(seed: int, length: int, size: int, ignored: float) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    labels = rng.integers(size, size=length)
    labels[rng.random(length) < ignored] = IGNORE
    return rng.normal(0, 5, (length, size)), labels


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.5, 1.0])
@pytest.mark.parametrize("ignored", [0.0, 0.4])
def test_losses_equal_those_of_torch(smoothing: float, ignored: float) -> None:
    logits, labels = drawn(11, 200, 37, ignored)
    found = cross_entropy(logits, labels, smoothing)
    given = torch.from_numpy(logits), torch.from_numpy(labels)
    each = torch_cross_entropy(*given, ignore_index=IGNORE, label_smoothing=smoothing, reduction="none")
    mean = torch_cross_entropy(*given, ignore_index=IGNORE, label_smoothing=smoothing)
    assert np.allclose(np.nan_to_num(found.per_position), each.numpy(), atol=1e-12)
    assert found.mean == pytest.approx(mean.item(), abs=1e-12)
    assert found.n_targets == int((labels != IGNORE).sum())


def test_log_softmax_equals_that_of_torch_far_from_zero_and_with_impossible_tokens() -> None:
    logits = np.array([[1e4, -1e4, 0.0], [-np.inf, 3.0, 2.0], [-1e4, -1e4, -np.inf]])
    assert np.allclose(log_softmax(logits), torch.log_softmax(torch.from_numpy(logits), -1).numpy(), atol=1e-12)


def test_a_fresh_transformer_with_smoothing_costs_a_little_more_than_an_even_guess() -> None:
    """Reference: 9.1 to 9.3 with V = 8000 and smoothing 0.1, where ln 8000 = 8.987."""
    torch.manual_seed(0)
    size, vocabulary = 512, 8000
    embed, head = torch.nn.Embedding(vocabulary, size), torch.nn.Linear(size, vocabulary)
    model = torch.nn.Transformer(size, 8, 1, 1, 2048, dropout=0.0, batch_first=True)
    source, target = torch.randint(vocabulary, (2, 10)), torch.randint(vocabulary, (2, 8))
    with torch.no_grad():
        logits = head(model(embed(source), embed(target))).numpy()
    labels = np.random.default_rng(0).integers(vocabulary, size=16)
    assert 9.1 < cross_entropy(logits.reshape(16, -1), labels, smoothing=0.1).mean < 9.4
