"""Batches of different length: what each token counts for, the right way and the wrong one."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.averages import averages, read_batches
from explorer.loss import LossResult
from explorer.types import InputProblem


def test_one_token_of_loss_4_and_three_of_loss_1() -> None:
    found = averages(read_batches("4 | 1 1 1"))
    assert (found.combined.mean, found.combined.mean_of_means, found.combined.n_targets) == (1.75, 2.5, 4)
    assert [each.tolist() for each in found.by_token] == [[0.25], [0.25] * 3]
    assert [each.tolist() for each in found.by_batch] == [[0.5], [1 / 6] * 3]
    assert found.distortion == 3


def test_ignored_tokens_count_for_nothing_in_either_mean() -> None:
    found = averages(read_batches("4 -100 -\n1, 1; 1"))
    assert (found.combined.mean, found.combined.mean_of_means) == (1.75, 2.5)
    assert found.by_token[0].tolist() == [0.25, 0, 0]
    assert found.by_batch[0].tolist() == [0.5, 0, 0]


def test_batches_of_one_length_have_one_mean() -> None:
    found = averages(read_batches("4 2 | 1 3"))
    assert found.combined.mean == found.combined.mean_of_means == 2.5
    assert found.distortion == 1


def test_a_batch_without_targets_is_named_and_adds_nothing() -> None:
    found = averages(read_batches("- - | 2"))
    assert (found.combined.mean, found.combined.mean_of_means) == (2, 2)
    assert str(found.warnings[0]).startswith("Batch 1 has no supervised tokens")
    nothing = averages(read_batches("- | -100"))
    assert nothing.combined.mean is None
    assert len(nothing.warnings) == 2


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "There are no losses"),
        (" | \n", "There are no losses"),
        ("4 | x", "x is no loss"),
        ("-3", "-3 is no loss"),
        ("nan", "nan is no loss"),
        ("inf", "inf is no loss"),
        ("1e308 1", r"loss is 1e\+308, but must lie between 0 and 1000000.0"),
        ("1 " * 201, "There are 201 losses; give at most 200"),
    ],
)
def test_what_is_no_loss_is_said(text: str, words: str) -> None:
    with pytest.raises(InputProblem, match=words):
        read_batches(text)


@given(st.lists(st.lists(st.one_of(st.floats(0, 20), st.just(np.nan)), min_size=1, max_size=6), min_size=1, max_size=6))
def test_losses_weighted_by_their_shares_are_the_means(batches: list[list[float]]) -> None:
    found = averages([LossResult(np.array(batch)) for batch in batches])
    losses = np.nan_to_num(np.concatenate(batches))
    if found.combined.mean is None:
        assert not any(shares.any() for shares in found.by_token)
        return
    for shares, mean in ((found.by_token, found.combined.mean), (found.by_batch, found.combined.mean_of_means)):
        assert np.concatenate(shares).sum() == pytest.approx(1)
        assert np.concatenate(shares) @ losses == pytest.approx(mean)
