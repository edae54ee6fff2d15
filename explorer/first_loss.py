"""The loss before the first update, as a check of how a model is built.

A fresh model knows nothing, so its loss should be that of an even guess, ln V. It lies above where the logits are
large: behind the last layer norm a state has about the length √D, and through the residuals it still holds the
embedding of the token that was read. A head that is that embedding finds it there, so a tied model begins by repeating
what it reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import log

from explorer.types import Message

WIDE, BATCH, SOURCE, TARGET = 512, 2, 10, 8
"""D, and the shapes of the batch: sources (2,10), targets (2,8)."""


@dataclass(frozen=True)
class Way:
    """How embedding and head are built. spread: of the embedding's random numbers; tied: the head is the embedding;
    scaled: embeddings go in times the square root of D."""

    title: Message
    spread: float
    tied: bool
    scaled: bool


WAYS = (
    Way(Message("a head of its own, as nn.Linear makes it"), 1.0, tied=False, scaled=False),
    Way(Message("tied, spread D^-0.5, times √D on the way in: the paper"), WIDE**-0.5, tied=True, scaled=True),
    Way(Message("tied, spread 0.02: GPT-2"), 0.02, tied=True, scaled=False),
    Way(Message("tied to nn.Embedding as it is, spread 1: a mistake"), 1.0, tied=True, scaled=False),
)


@dataclass(frozen=True)
class FirstLoss:
    """What one way gives: the smoothed loss (0.1), the share of outputs that say the token they have just read, the
    numbers in embedding and head, and the shapes of source, memory, decoder input, states and logits."""

    way: Way
    loss: float
    repeats: float
    weights: int
    shapes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class OneBlock:
    """The lectures' one-block model: its vocabulary, its first loss, and the largest change of any output before the
    last position when the last token is another one: exactly 0 under a causal mask."""

    vocabulary: int
    loss: float
    leak: float


@dataclass(frozen=True)
class Check:
    """All that the page shows of one vocabulary."""

    ways: tuple[FirstLoss, ...]
    small: OneBlock


def even_guess(vocabulary: int) -> float:
    """What guessing evenly costs: ln V, in nats.

    >>> round(even_guess(8000), 3)
    8.987
    """
    return log(vocabulary)
