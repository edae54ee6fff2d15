"""The first loss of a fresh torch.nn.Transformer, built in several ways: it must lie near ln V.

Vaswani et al. 2017: tied embeddings, times the square root of D (section 3.4). Alphabet: B batch, T source, S target,
D width, V vocabulary.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.first_loss import BATCH, SOURCE, TARGET, WAYS, WIDE, FirstLoss, Way

if TYPE_CHECKING:
    import torch


def first_losses(vocabulary: int, seed: int = 0) -> tuple[FirstLoss, ...]:
    """One pass of each way of building, before any update."""
    import torch

    with torch.random.fork_rng(devices=[]), torch.inference_mode():
        return tuple(_first(way, vocabulary, seed) for way in WAYS)


def _first(way: Way, vocabulary: int, seed: int) -> FirstLoss:
    import torch
    from torch import nn
    from torch.nn.functional import cross_entropy

    torch.manual_seed(seed)
    embed = nn.Embedding(vocabulary, WIDE)
    nn.init.normal_(embed.weight, 0.0, way.spread)
    head = nn.Linear(WIDE, vocabulary, bias=not way.tied)
    if way.tied:
        head.weight = embed.weight
    model = nn.Transformer(WIDE, 8, 1, 1, 4 * WIDE, dropout=0.0, batch_first=True).eval()
    source = torch.randint(vocabulary, (BATCH, SOURCE))
    target = torch.randint(vocabulary, (BATCH, TARGET + 1))
    scale = WIDE**0.5 if way.scaled else 1.0
    memory = model.encoder(embed(source) * scale)  # (B,T,D)
    mask = nn.Transformer.generate_square_subsequent_mask(TARGET)
    states = model.decoder(embed(target[:, :-1]) * scale, memory, tgt_mask=mask)  # (B,S,D)
    logits: torch.Tensor = head(states)  # (B,S,V)
    wanted = target[:, 1:].reshape(-1)
    loss = cross_entropy(logits.reshape(-1, vocabulary), wanted, label_smoothing=0.1)
    repeats = float((logits.argmax(-1) == target[:, :-1]).float().mean())
    shapes = tuple(tuple(each.shape) for each in (source, memory, target[:, :-1], states, logits))
    return FirstLoss(way, float(loss), repeats, _weights(embed, head), shapes)


def _weights(embed: Any, head: Any) -> int:
    """Numbers in the embedding and the head, those that are shared counted once."""
    own = {id(each): each.numel() for each in (*embed.parameters(), *head.parameters())}
    return sum(own.values())
