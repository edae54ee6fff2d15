"""Attention of one position and the logit lens as tables."""

from __future__ import annotations

import numpy as np

from explorer.views.inside import lens_grid, looked_at


def test_a_row_for_each_layer_the_last_on_top(read):
    page = read(looked_at(np.array([[0.25, 0.75], [1.0, 0.0]]), ["a", "<b>"], str))
    assert [cell.text for cell in page.rows[0][1]] == ["layer", "a", "<b>"]
    assert [cells[0].text for _, cells in page.rows[1:]] == ["1", "0"]
    assert [cell.attributes["style"] for cell in page.rows[2][1][1:]] == ["--v:0.250", "--v:0.750"]
    assert page.rows[2][1][2].attributes["title"] == "0.750"


def test_the_lens_tells_the_best_token_of_each_layer(read):
    ids, p = np.array([[7, 8], [9, 7]]), np.array([[0.1, 0.2], [0.5, 0.9]])
    page = read(lens_grid(ids, p, ["x", "y"], {7: "seven", 8: "<eight>", 9: "nine"}, str))
    assert [[cell.text for cell in cells] for _, cells in page.rows[1:]] == [
        ["0", "nine", "seven"],
        ["input", "seven", "<eight>"],
    ]
    assert page.rows[1][1][2].attributes["title"] == "seven  0.900"
