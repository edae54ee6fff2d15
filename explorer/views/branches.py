"""Branches of a text: the tree of all that was written, one row a branch, and one branch beside another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from explorer.tree import Tree, log_probability
from explorer.types import Message, Step
from explorer.views.roles import Say
from explorer.views.style import attribute, clicks

SHOWN = 200
"""Tokens of a branch that are drawn; of a longer one the last so many."""


def branch_tree(tree: Tree, say: Say, *, clickable: bool = False) -> str:
    """A row for each branch: its number, the log probability of the whole, and the tokens that it does not share with
    the branch above, under the place where they part. clickable: a token reports "node:12"."""
    return _Branches(tree, say, clickable).html()


@dataclass(frozen=True)
class _Branches:
    tree: Tree
    say: Say
    clickable: bool

    def html(self) -> str:
        rows, above = [], -1
        for number, leaf in enumerate(self.tree.leaves, 1):
            rows.append(self._row(leaf, 0 if above < 0 else self.tree.parting(leaf, above), number))
            above = leaf
        words = (Message("branch"), Message("log p"), Message("tokens"))
        head = "".join(f'<th scope="col">{escape(self.say(word))}</th>' for word in words)
        caption = escape(
            self.say(Message("The branches; each begins under the token where it parts from the one above"))
        )
        return (
            f'<div class="xp branches scroll"><table><caption class="said">{caption}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        )

    @cached_property
    def _here(self) -> tuple[int, ...]:
        return self.tree.path()

    def _row(self, leaf: int, own: int, number: int) -> str:
        path = self.tree.path(leaf)
        cells = "".join(map(self._node, path[max(own, len(path) - SHOWN) :]))
        # What is shared with the row above takes the same room, unseen, so that the branch begins under its fork.
        shared = "".join(
            f"<b>{escape(self.tree.nodes[node].step.piece)}</b>" for node in path[max(0, own - SHOWN) : own]
        )
        gap = f'<span class="shared" aria-hidden="true">{shared}</span>' if own else ""
        kind = ' class="here"' if path[: len(self._here)] == self._here else ""
        total = _number(self.tree.log_probability(leaf))
        return f'<tr{kind}><th scope="row">{number}</th><td>{total}</td><td class="line">{gap}{cells}</td></tr>'

    def _node(self, node: int) -> str:
        step = self.tree.nodes[node].step
        given = {"p": f"{step.p_model:.4f}", "total": _number(self.tree.log_probability(node))}
        told = self.say(Message("probability {p}, log p up to here {total}", given))
        marks = (("on", node in self._here), ("end", node == self.tree.at), ("hand", step.by_hand))
        kinds = " ".join(name for name, holds in marks if holds)
        click = clicks(f"node:{node}") if self.clickable else ""
        title = attribute("title", f"{step.piece}\n{told}")
        return f'<b class="{kinds}"{title}{click}>{escape(step.piece)}<small>{step.p_model:.2f}</small></b>'


def branch(steps: Sequence[Step], shared: int, say: Say) -> str:
    """One branch to be compared: what both share is quiet; then its own tokens, deeper the less probable, and figures
    of the whole and of what is its own."""
    cells = "".join(
        f'<b class="{"shared" if k < shared else "own"}" style="--v:{1 - step.p_model:.3f}"'
        f"{attribute('title', f'{step.piece}  {step.p_model:.4f}')}>{escape(step.piece)}</b>"
        for k, step in enumerate(steps)
    )
    own = tuple(steps[shared:])
    rows = [(Message("log p of the whole"), tuple(steps)), (Message("log p of its own tokens"), own)]
    told = "".join(f"<li><b>{_number(log_probability(part))}</b> {escape(say(word))}</li>" for word, part in rows)
    word = escape(say(Message("perplexity of its own tokens")))
    told += f"<li><b>{_perplexity(own)}</b> {word}</li>"
    return f'<div class="xp branch"><p>{cells}</p><ul class="xp figures">{told}</ul></div>'


def _perplexity(steps: tuple[Step, ...]) -> str:
    mean = -log_probability(steps) / len(steps) if steps else math.inf
    return f"{math.exp(mean):,.1f}" if mean < 700 else "–"


def _number(value: float) -> str:
    return f"{value:.1f}".replace("-", "−")
