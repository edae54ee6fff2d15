"""One text through several tokenizers: why perplexities cannot be compared, and bits per byte can.

A tokenizer that cuts a text into fewer tokens leaves more to say at each of them. Bits per byte divide the same total
by what does not depend on the tokenizer.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, inf, log

from explorer.types import Encoding


@dataclass(frozen=True)
class Reading:
    """targets: tokens of a text that are predicted, all but the first; bytes: UTF-8 bytes that they stand for; nats:
    the sum of their losses, None where no model has said."""

    model: str
    targets: int
    bytes: int
    nats: float | None = None

    @property
    def mean(self) -> float | None:
        """Nats a token."""
        return None if self.nats is None or not self.targets else self.nats / self.targets

    @property
    def perplexity(self) -> float | None:
        """Exp of the mean; infinite where that overflows."""
        return None if self.mean is None else _exp(self.mean)

    @property
    def bits_per_byte(self) -> float | None:
        """The same total over the bytes."""
        return None if self.nats is None or not self.bytes else self.nats / log(2) / self.bytes

    def perplexity_at(self, bits: float) -> float:
        """The perplexity of a model that needs `bits` a byte for this text, with these tokens.

        >>> Reading("", 2, 8).perplexity_at(1.0), Reading("", 4, 8).perplexity_at(1.0)
        (16.0, 4.0)
        """
        # A power of 2 and not of e, so that round numbers stay round.
        bits_a_token = bits * self.bytes / self.targets if self.targets else 0.0
        return float(2**bits_a_token) if bits_a_token < 1000 else inf


def reading(model: str, encoding: Encoding, nats: float | None = None) -> Reading:
    """What a tokenizer makes of a text: the first token is only read, all others are predicted."""
    first = 0 if encoding.spans is None or len(encoding) < 2 else int(encoding.spans[1, 0])
    return Reading(model, max(0, len(encoding) - 1), len(encoding.text[first:].encode()), nats)


def _exp(value: float) -> float:
    return exp(value) if value < 700 else inf
