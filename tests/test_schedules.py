"""Learning rates: the paper's formula in literal values, and its two companions."""

import numpy as np
import pytest

from explorer.schedules import inverse_root, learning_rate, rates
from explorer.types import InputProblem


def test_the_learning_rate_rises_to_step_4000_and_falls_with_the_square_root() -> None:
    peak = learning_rate(4000)
    assert round(peak, 9) == 0.000698771
    assert peak == pytest.approx(512**-0.5 * 4000**-0.5)
    assert learning_rate(1) == pytest.approx(peak / 4000)
    assert learning_rate(16000) == pytest.approx(peak / 2)
    assert 1 + int(inverse_root(np.arange(1, 10001), 512, 4000).argmax()) == 4000


def test_step_0_is_refused() -> None:
    with pytest.raises(InputProblem, match="step is 0, but must be at least 1"):
        learning_rate(0)


def test_the_inverse_root_with_a_peak_is_the_papers() -> None:
    steps = np.arange(1, 20001)
    asked = rates("inverse root", steps, peak=learning_rate(4000), warmup=4000, last=20000)
    assert asked == pytest.approx(inverse_root(steps, 512, 4000))


@pytest.mark.parametrize("kind", ["inverse root", "linear", "cosine"])
def test_every_schedule_warms_up_in_a_straight_line(kind) -> None:
    assert rates(kind, [1, 50, 100], peak=1.0, warmup=100, last=1000).round(9).tolist() == [0.01, 0.5, 1.0]


def test_linear_and_cosine_end_with_0() -> None:
    steps = [100, 325, 550, 775, 1000, 2000]
    straight = rates("linear", steps, peak=1.0, warmup=100, last=1000)
    assert straight.tolist() == [1.0, 0.75, 0.5, 0.25, 0.0, 0.0]
    curved = rates("cosine", steps, peak=1.0, warmup=100, last=1000)
    assert curved.round(4).tolist() == [1.0, 0.8536, 0.5, 0.1464, 0.0, 0.0]
    assert rates("inverse root", steps, peak=1.0, warmup=100, last=1000)[-1] == pytest.approx(20**-0.5)
