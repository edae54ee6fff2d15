"""Mistakes that people make when they train, as changes of the right Example or batch, each with its symptom.

What is measured on held-out texts is always the right thing, so a mistake shows as a gap between the two curves or as
rubbish in what the model writes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from explorer.collation import Batch
from explorer.influence import with_mask
from explorer.learning import NONE
from explorer.types import IGNORE, Example, Message, read_only


@dataclass(frozen=True)
class Mistake:
    """title: what is done wrong; symptom: what will be seen; example: the Example with the mistake; pads: whether the
    pads of a batch get labels."""

    title: Message
    symptom: Message
    example: Callable[[Example, int], Example] = lambda example, end: example
    pads: bool = False


def _see_the_future(example: Example, end: int) -> Example:
    return with_mask(example, "full", 0)


def _shift_twice(example: Example, end: int) -> Example:
    """The labels moved to the left by hand, though the loss moves them too."""
    return replace(example, labels=read_only(np.append(example.labels[1:], IGNORE), np.int64))


def _without_end(example: Example, end: int) -> Example:
    return replace(example, labels=read_only(np.where(example.labels == end, IGNORE, example.labels), np.int64))


def _flipped(example: Example, end: int) -> Example:
    return replace(example, extra={"next_sentence_label": 1 - example.extra["next_sentence_label"]})


MISTAKES: dict[str, Mistake] = {
    NONE: Mistake(Message("no mistake"), Message("The two curves fall together.")),
    "causal_mask_off": Mistake(
        Message("causal mask off"),
        Message(
            "The training loss falls to almost 0, for each position sees the token that it must predict. In writing "
            "there is no future to copy from: what is written is rubbish, and the held-out loss, which hides the "
            "future, rises."
        ),
        _see_the_future,
    ),
    "double_shift": Mistake(
        Message("labels shifted twice"),
        Message(
            "The training loss falls as always, but each position learns the token after the next one: in writing "
            "every other token is left out."
        ),
        _shift_twice,
    ),
    "pads_in_loss": Mistake(
        Message("padding in the loss"),
        Message(
            "The training loss looks better than it is: padding is easy to predict and brings the mean down. The "
            "held-out loss, which counts real targets only, lies above it."
        ),
        pads=True,
    ),
    "next_sentence_flipped": Mistake(
        Message("next-sentence labels flipped"),
        Message(
            "The loss falls as always, for the labels are learned as they are. But the head says the opposite of the "
            "truth: it is right in fewer than half of the pairs."
        ),
        _flipped,
    ),
    "end_masked": Mistake(
        Message("end token ignored"),
        Message(
            "The loss falls as always, but nothing was learned about where to stop: what is written begins well and "
            "does not end."
        ),
        _without_end,
    ),
}


def with_pads(batch: Batch, pad: int) -> Batch:
    """The batch with a label at every pad of the stack that predicts, as if padding were text."""
    decoder = batch.inputs.get("decoder_input_ids")
    longest = (batch.compared if decoder is None else decoder).shape[1]
    at = np.arange(longest)[None, :]
    last = longest - 1 - (batch.compared[:, ::-1] != IGNORE).argmax(axis=1)  # (B,): the last real target
    return replace(batch, compared=np.where(at > last[:, None], pad, batch.compared))
