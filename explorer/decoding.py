"""Values of looking inside and of writing: models, attention weights, sampling settings, steps, generations.

Alphabet: V vocabulary, L layers, H heads, Q queries, K keys.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from explorer.messages import Message
from explorer.streams import Ints, freeze

AttentionKind = Literal["encoder", "decoder", "cross"]


@dataclass(frozen=True, eq=False)
class Attention:
    """weights (L,H,Q,K) float32, rows sum to 1; queries (Q) and keys (K) readable pieces."""

    weights: NDArray[np.float32]
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    kind: AttentionKind

    def __post_init__(self) -> None:
        freeze(self, weights=np.float32)


@dataclass(frozen=True, eq=False)
class Scores:
    """What a model says at the targets of one Example, in the order of `example.targets` (N of them).

    losses (N,) in nats; top_ids and top_probabilities (N,k) with the model's most probable tokens, top_pieces the
    same readable; next_sentence: probabilities of (is next, random) where the example and the model have them,
    next_sentence_loss its cross entropy. squared: the losses are squared errors, not cross entropies, and the best
    guess is a number.
    """

    model: ModelId
    losses: NDArray[np.float64]
    top_ids: Ints
    top_probabilities: NDArray[np.float64]
    top_pieces: tuple[tuple[str, ...], ...]
    next_sentence: tuple[float, float] | None = None
    next_sentence_loss: float | None = None
    squared: bool = False

    def __post_init__(self) -> None:
        freeze(self, losses=np.float64, top_ids=np.int64, top_probabilities=np.float64)

    @property
    def mean(self) -> float | None:
        """Mean loss over the targets, None where there are none."""
        return float(self.losses.mean()) if len(self.losses) else None

    @property
    def perplexity(self) -> float | None:
        """Exp of the mean loss; None for squared errors."""
        return None if self.mean is None or self.squared else float(np.exp(self.mean))


ENDS = ("start", "end")
"""Names of the columns of a head that looks for an answer."""


@dataclass(frozen=True, eq=False)
class HeadOutput:
    """What a head of fine-tuning says: logits (C,) of the classes of a text, (T,C) of the tags of its tokens, or (T,2)
    for the start and the end of an answer; names: of the columns; of: the model, or what else the head belongs to."""

    of: str
    logits: NDArray[np.float32]
    names: tuple[str, ...]

    def __post_init__(self) -> None:
        freeze(self, logits=np.float32)

    @property
    def probabilities(self) -> NDArray[np.float64]:
        """The same shape: a softmax over the classes, or, for an answer, over the positions."""
        axis = 0 if self.names == ENDS else -1
        raised = np.exp(self.logits.astype(np.float64) - self.logits.max(axis=axis, keepdims=True))
        return np.asarray(raised / raised.sum(axis=axis, keepdims=True))


@dataclass(frozen=True)
class ModelId:
    """The whole cache key of a loaded model."""

    name: str
    device: str = "cpu"
    dtype: str = "float32"


@dataclass(frozen=True)
class SamplingSettings:
    """How one token is chosen. top_k 0, top_p 1, min_p 0, typical_p 1 and repetition_penalty 1 mean "off";
    temperature 0 is greedy. `order` names the filters in the order in which they are applied."""

    temperature: float = 1.0
    top_k: int = 0
    top_p: float = 1.0
    min_p: float = 0.0
    repetition_penalty: float = 1.0
    greedy: bool = False
    seed: int = 0
    order: tuple[str, ...] = ("repetition_penalty", "temperature", "top_k", "top_p", "min_p", "typical_p")
    typical_p: float = 1.0


@dataclass(frozen=True, eq=False)
class Stage:
    """The distribution after one filter: kept ids in ascending order, probabilities (V,) with 0 for what is cut."""

    name: str
    kept: Ints
    probabilities: NDArray[np.float64]


@dataclass(frozen=True)
class Candidate:
    """One token that could come next: its probability in the model, after all filters, which filter cut it, and its
    place in the model's own distribution (1 is the most probable, 0 where nobody has counted)."""

    id: int
    piece: str
    p_model: float
    p_final: float
    removed_by: str | None = None
    rank: int = 0


@dataclass(frozen=True)
class Step:
    """One token written: entropy in nats of the model's own distribution; draw: the uniform number that chose, or
    None when nothing was drawn; text: what the step adds to the decoded text (may be empty while bytes are
    pending); by_hand: whether a person chose the token."""

    chosen: int
    piece: str
    text: str
    entropy: float
    p_model: float
    p_final: float
    draw: float | None
    candidates: tuple[Candidate, ...]
    milliseconds: float = 0.0
    by_hand: bool = False


@dataclass(frozen=True)
class Generation:
    """A text being written: the model, the prompt's ids, what has been chosen so far, and why it stopped."""

    model: ModelId
    prompt: str
    prompt_ids: tuple[int, ...]
    steps: tuple[Step, ...] = ()
    stopped: Message | None = None
    notes: tuple[Message, ...] = ()

    @property
    def ids(self) -> tuple[int, ...]:
        """The ids written after the prompt."""
        return tuple(step.chosen for step in self.steps)
