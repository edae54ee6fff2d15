"""Free running as values: where the texts part, and means over the places that both have."""

import numpy as np

from explorer.exposure import FreeRun


def test_means_are_over_the_same_places() -> None:
    found = FreeRun((5, 6, 7, 2), (5, 6, 9, 2), np.array([0.1, 0.3, 2.0, 0.2]), (5, 8, 2), np.array([0.1, 0.3, 5.6]))
    assert round(found.forced_mean, 4) == 0.8
    assert found.own_mean == 2.0
    assert found.parting == 1


def test_a_text_that_never_parts() -> None:
    found = FreeRun((5, 2), (5, 2), np.array([0.1, 0.3]), (5, 2), np.array([0.1, 0.3]))
    assert found.parting is None
    assert found.forced_mean == found.own_mean


def test_a_text_that_ends_too_soon_parts_there() -> None:
    found = FreeRun((5, 6, 7), (5, 6, 7), np.zeros(3), (5, 6), np.zeros(2))
    assert found.parting == 2
