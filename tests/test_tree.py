"""Branches by hand: growing, going back, what is kept, where two texts part."""

from __future__ import annotations

import math

import pytest

from explorer.tree import ROOT, Tree, log_probability
from explorer.types import SamplingSettings, Step

PLAIN = SamplingSettings()


def step(chosen: int, p: float = 0.5) -> Step:
    return Step(chosen, f"t{chosen}", f"t{chosen}", 1.0, p, p, 0.3, ())


def grown(tree: Tree, *chosen: int) -> Tree:
    for id in chosen:
        tree = tree.grown(step(id), PLAIN)
    return tree


def ids(tree: Tree, end: int | None = None) -> list[int]:
    return [each.chosen for each in tree.steps(end)]


def test_a_text_grows_and_goes_back() -> None:
    tree = grown(Tree(), 5, 6, 7)
    assert (ids(tree), tree.at, tree.path()) == ([5, 6, 7], 2, (0, 1, 2))
    assert ids(tree.back()) == [5, 6]
    assert ids(tree.back(3)) == ids(tree.back(9)) == []
    assert tree.back(3).at == ROOT


def test_what_was_taken_back_is_still_there() -> None:
    tree = grown(grown(Tree(), 5, 6, 7).back(2), 8, 9)
    assert ids(tree) == [5, 8, 9]
    assert [ids(tree, leaf) for leaf in tree.leaves] == [[5, 6, 7], [5, 8, 9]]
    assert tree.ordered == (0, 1, 2, 3, 4)
    assert ids(tree.moved(2)) == [5, 6, 7]


def test_the_same_token_in_the_same_place_is_the_same_node() -> None:
    tree = grown(Tree(), 5, 6).back()
    again = tree.grown(step(6, 0.25), SamplingSettings(seed=3))
    assert (len(again.nodes), again.at) == (2, 1)
    assert (again.nodes[1].step.p_model, again.settings()) == (0.25, (PLAIN, SamplingSettings(seed=3)))


def test_branches_of_branches_stand_below_where_they_part() -> None:
    tree = grown(Tree(), 1, 2, 3)  # nodes 0 1 2
    tree = grown(tree.moved(0), 4)  # node 3 after node 0
    tree = grown(tree.moved(1), 5)  # node 4 after node 1
    assert tree.ordered == (0, 1, 2, 4, 3)
    assert [ids(tree, leaf) for leaf in tree.leaves] == [[1, 2, 3], [1, 2, 5], [1, 4]]
    assert (tree.parting(2, 4), tree.parting(2, 3), tree.parting(1, 2)) == (2, 1, 2)


def test_probabilities_multiply() -> None:
    tree = Tree().grown(step(1, 0.5), PLAIN).grown(step(2, 0.25), PLAIN)
    assert tree.log_probability(1) == pytest.approx(math.log(0.125))
    assert log_probability((step(1, 0.0),)) == -math.inf


def test_a_very_long_text_is_no_trouble() -> None:
    tree = grown(Tree(), *range(3000))
    assert len(tree.ordered) == len(tree.path()) == 3000
    assert tree.leaves == (2999,)
