"""GPT-1 in small, as the lectures have it: one Post-LN block over a vocabulary of 8, its head tied to the embedding.

Radford et al. 2018, section 4.1: learned positions, GELU, all matrices N(0, 0.02). Alphabet: B batch, T positions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.first_loss import OneBlock
from explorer.masks import causal, hidden

if TYPE_CHECKING:
    import torch

VOCABULARY, WIDE, POSITIONS, PAD, SEED = 8, 16, 16, 0, 42
ROWS = ((1, 4, 5, 6, 2), (1, 4, 7, 2, PAD))


def one_block() -> OneBlock:
    """Its loss before the first update, and what another last token changes in the outputs before it."""
    import torch
    from torch import nn
    from torch.nn.functional import cross_entropy

    with torch.random.fork_rng(devices=[]), torch.inference_mode():
        torch.manual_seed(SEED)
        tokens, positions = nn.Embedding(VOCABULARY, WIDE), nn.Embedding(POSITIONS, WIDE)
        block = nn.TransformerEncoderLayer(WIDE, 2, 4 * WIDE, dropout=0.0, activation="gelu", batch_first=True)
        # The head of the lectures has a matrix of its own until it is tied: it takes its share of the random numbers.
        nn.Linear(WIDE, VOCABULARY, bias=False)
        for weight in (*tokens.parameters(), *positions.parameters(), *block.parameters()):
            if weight.dim() > 1:
                nn.init.normal_(weight, 0.0, 0.02)
        for part in (block.linear1, block.linear2):
            nn.init.zeros_(part.bias)
        future = torch.from_numpy(np.array(hidden(causal(len(ROWS[0])))))

        def logits(ids: torch.Tensor) -> torch.Tensor:
            states = block(tokens(ids) + positions(torch.arange(ids.shape[1])), future)  # (B,T,D)
            said: torch.Tensor = states @ tokens.weight.T  # (B,T,V)
            return said

        ids = torch.tensor(ROWS)
        other = ids.clone()
        other[:, -1] = 3
        said = logits(ids)
        loss = cross_entropy(said[:, :-1].reshape(-1, VOCABULARY), ids[:, 1:].reshape(-1), ignore_index=PAD)
        leak = (logits(other) - said)[:, :-1].abs().max()
    return OneBlock(VOCABULARY, float(loss), float(leak))
