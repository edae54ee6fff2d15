"""The texts that were written from one prompt, as a tree: every step taken back is still there, until all is reset.

A node is a step and what it follows. The tree only grows, so a node's number stays its name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

from explorer.types import SamplingSettings, Step

ROOT = -1
"""The prompt: what the first steps follow."""


@dataclass(frozen=True)
class Node:
    """A step, the settings that it was made with, and the number of the node before it."""

    step: Step
    settings: SamplingSettings
    parent: int = ROOT


@dataclass(frozen=True)
class Tree:
    """All nodes in the order in which they were written, and the one at which the text ends now."""

    nodes: tuple[Node, ...] = ()
    at: int = ROOT

    def path(self, end: int | None = None) -> tuple[int, ...]:
        """The nodes from the first to `end` (the current one unless given)."""
        found, here = [], self.at if end is None else end
        while here != ROOT:
            found.append(here)
            here = self.nodes[here].parent
        return tuple(reversed(found))

    def steps(self, end: int | None = None) -> tuple[Step, ...]:
        """The text up to `end`, as steps."""
        return tuple(self.nodes[number].step for number in self.path(end))

    def settings(self) -> tuple[SamplingSettings, ...]:
        """What each step of the current text was made with."""
        return tuple(self.nodes[number].settings for number in self.path())

    def grown(self, step: Step, settings: SamplingSettings) -> Tree:
        """The text one step longer. A token that was written here before is the same node, as it was made last."""
        node = Node(step, settings, self.at)
        for number, known in enumerate(self.nodes):
            if known.parent == self.at and known.step.chosen == step.chosen:
                return Tree((*self.nodes[:number], node, *self.nodes[number + 1 :]), number)
        return Tree((*self.nodes, node), len(self.nodes))

    def moved(self, at: int) -> Tree:
        """The same tree, its text ending at another node."""
        return replace(self, at=at)

    def back(self, count: int = 1) -> Tree:
        """The text so many steps shorter, or empty."""
        path = self.path()
        return self.moved(path[-1 - count] if count < len(path) else ROOT)

    @property
    def leaves(self) -> tuple[int, ...]:
        """Where texts end: the nodes that nothing follows, in the order of the tree."""
        return tuple(number for number in self.ordered if number not in self._parents)

    @property
    def ordered(self) -> tuple[int, ...]:
        """All nodes, each before what follows it, a whole branch before the next one."""
        return tuple(self._below(ROOT))

    @property
    def _parents(self) -> frozenset[int]:
        return frozenset(node.parent for node in self.nodes)

    def _below(self, root: int) -> Iterator[int]:
        """Without recursion, which a text of a thousand tokens would exceed."""
        children: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes):
            children.setdefault(node.parent, []).append(number)
        open_ = children.get(root, [])[::-1]
        while open_:
            number = open_.pop()
            yield number
            open_ += children.get(number, [])[::-1]

    def parting(self, one: int, other: int) -> int:
        """How many steps two texts share from the start."""
        pairs = zip(self.path(one), self.path(other), strict=False)
        return next((k for k, (a, b) in enumerate(pairs) if a != b), min(len(self.path(one)), len(self.path(other))))

    def log_probability(self, end: int) -> float:
        """Of the whole text up to a node, in the model, in nats."""
        return log_probability(self.steps(end))


EMPTY = Tree()
"""Nothing is written yet."""


def log_probability(steps: tuple[Step, ...]) -> float:
    """The sum over the steps, in nats; minus infinity where the model rules one out.

    >>> log_probability(())
    0.0
    """
    return sum((math.log(step.p_model) if step.p_model else -math.inf for step in steps), 0.0)
