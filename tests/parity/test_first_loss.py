"""The first loss of fresh models, and the shapes of the reference: B 2, source 10, target 8, V 8000."""

import pytest

from explorer.first_loss import even_guess
from explorer.models.fresh import first_losses
from explorer.models.one_block import one_block


def test_a_fresh_transformer_of_8000_tokens() -> None:
    plain, paper, gpt, mistake = first_losses(8000)
    assert round(even_guess(8000), 3) == 8.987
    assert 9.1 <= plain.loss <= 9.3
    assert plain.shapes == ((2, 10), (2, 10, 512), (2, 8), (2, 8, 512), (2, 8, 8000))
    assert (plain.weights, paper.weights, gpt.weights) == (2 * 8000 * 512 + 8000, 8000 * 512, 8000 * 512)
    assert plain.repeats == 0
    assert paper.repeats == mistake.repeats == 1
    assert plain.loss < gpt.loss < paper.loss < mistake.loss


def test_the_lectures_block_of_8_tokens() -> None:
    found = one_block()
    assert round(found.loss, 4) == 2.1303
    assert round(even_guess(found.vocabulary), 3) == 2.079
    assert found.leak == 0.0


def test_the_same_seed_gives_the_same_loss() -> None:
    assert [each.loss for each in first_losses(100)] == [each.loss for each in first_losses(100)]
    assert first_losses(100)[0].loss == pytest.approx(even_guess(100), abs=0.5)
