"""Plain Python that makes the mask of the masks page, and works its attention by hand again."""

from __future__ import annotations

from explorer.masks import Rules
from explorer.types import Bools

BY_HAND = """

# Attention by hand: queries = keys = x, four positions of eight numbers.
torch.manual_seed(0)
x = torch.randn(1, 1, 4, 8)[0, 0].double()
may = torch.tensor({may}) == 1
scores = x @ x.T / 8**0.5
masked = scores.masked_fill(~may, float("-inf"))
weights = masked.softmax(dim=-1)  # a row without any open cell is not a number
print(weights)
"""


def mask_code(rules: Rules, by_hand: Bools) -> str:
    """The mask of the rules (Q,K) in both conventions, and the worked example under the mask `by_hand` (4,4)."""
    lines = ["import numpy as np", "import torch", "", *mask_lines(rules)]
    lines += [
        "hidden = ~mask  # True = may not be looked at: the bool masks of torch.nn.Transformer",
        'print(mask.astype(int), mask.sum(), "cells are open")',
    ]
    return "\n".join(lines) + BY_HAND.format(may=by_hand.astype(int).tolist())


def mask_lines(rules: Rules) -> list[str]:
    """The lines that make `mask`, True = may attend; rows look, columns are looked at."""
    q, k = rules.queries, rules.keys
    lines = [f"mask = np.ones(({q}, {k}), dtype=bool)  # rows look, columns are looked at; True = may attend"]
    if rules.causal:
        lines.append("mask = np.tril(mask)  # causal: nobody looks ahead")
    if rules.causal and rules.prefix:
        lines.append(f"mask = mask | (np.arange({k}) < {rules.prefix})  # the prefix is read both ways")
    if rules.documents is not None:
        lines.append(f"documents = np.array({rules.documents.tolist()})  # the document of each position")
        lines.append("mask = mask & (documents[:, None] == documents)")
    if rules.keep is not None:
        lines.append(f"keep = np.array({rules.keep.astype(int).tolist()}) == 1  # 0 = padding")
        lines.append("mask = mask & keep")
    return lines
