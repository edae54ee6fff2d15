"""A one-block Post-LN decoder in plain torch, under our causal mask and our loss: the reference values of section 4."""

import numpy as np
import pytest
import torch
from torch import nn

from explorer.loss import cross_entropy
from explorer.masks import causal, hidden
from explorer.types import IGNORE

PAD, VOCABULARY, SIZE, POSITIONS = 0, 8, 16, 16
IDS = torch.tensor([[1, 4, 5, 6, 2], [1, 4, 7, 2, PAD]])


class OneBlock(nn.Module):
    """GPT-1 in small: learned positions, one Post-LN block with GELU, the head tied to the embedding."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens = nn.Embedding(VOCABULARY, SIZE)
        self.positions = nn.Embedding(POSITIONS, SIZE)
        self.block = nn.TransformerEncoderLayer(SIZE, 2, 64, dropout=0.0, activation="gelu", batch_first=True)
        self.head = nn.Linear(SIZE, VOCABULARY, bias=False)
        self.head.weight = self.tokens.weight
        for values in self.parameters():
            if values.dim() > 1:
                nn.init.normal_(values, 0.0, 0.02)
        for part in (self.block.linear1, self.block.linear2):
            nn.init.zeros_(part.bias)

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        length = ids.shape[1]
        x = self.tokens(ids) + self.positions(torch.arange(length))  # (B,T,D)
        return self.head(self.block(x, torch.from_numpy(hidden(causal(length)))))  # (B,T,V)


@pytest.fixture
def model() -> OneBlock:
    torch.manual_seed(42)
    return OneBlock()


def test_the_loss_before_the_first_update(model: OneBlock) -> None:
    with torch.no_grad():
        logits = model(IDS)[:, :-1].reshape(-1, VOCABULARY).numpy()
    labels = IDS[:, 1:].reshape(-1).numpy()
    result = cross_entropy(logits, np.where(labels == PAD, IGNORE, labels))
    assert result.n_targets == 7
    assert round(result.mean, 4) == 2.1303
    assert result.mean == pytest.approx(np.log(VOCABULARY), abs=0.1)


@pytest.mark.parametrize("position", range(5))
def test_changing_an_input_changes_no_earlier_output(model: OneBlock, position: int) -> None:
    changed = IDS.clone()
    changed[:, position] = 3
    with torch.no_grad():
        difference = (model(changed) - model(IDS)).abs().amax(dim=(0, 2))
    assert difference[:position].tolist() == [0.0] * position
    assert difference[position] > 0
