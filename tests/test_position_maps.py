"""The table of sines and cosines, in literal values and by what it is for."""

import numpy as np
import pytest

from explorer.position_maps import likeness, sinusoids


def test_the_first_positions() -> None:
    table = sinusoids(4, 6)
    assert table[0].tolist() == [0, 1, 0, 1, 0, 1]
    assert table[1].round(4).tolist() == [0.8415, 0.5403, 0.0464, 0.9989, 0.0022, 1.0]
    assert table[3].round(4).tolist() == [0.1411, -0.99, 0.1388, 0.9903, 0.0065, 1.0]


def test_each_pair_is_sine_and_cosine_of_one_angle() -> None:
    table = sinusoids(50, 512)
    assert table.shape == (50, 512)
    assert table[:, 0::2] ** 2 + table[:, 1::2] ** 2 == pytest.approx(np.ones((50, 256)))
    assert table[7, 2 * 100] == pytest.approx(np.sin(7 / 10000 ** (200 / 512)))


def test_likeness_depends_on_the_distance_alone() -> None:
    alike = likeness(sinusoids(40, 64))
    for distance in (0, 1, 5, 20):
        assert np.diag(alike, distance) == pytest.approx(np.full(40 - distance, alike[0, distance]))
    assert alike[0, 0] > alike[0, 1] > alike[0, 2]
