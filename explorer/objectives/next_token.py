"""What all decoder objectives share: labels are the input, the model's loss compares output t with token t+1
(Radford et al. 2018, section 3.1), and two mistakes that people make with it can be switched on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from explorer import masks
from explorer.objectives.assemble import Row, label
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import IGNORE, Bools, Example, Ints, Masks, Message, Role, Stream, read_only


def shift_twice_switch() -> Any:
    """The setting `shift_twice`."""
    return knob(
        False,
        Message("Shift twice"),
        help=Message("Shift the labels by hand although the model shifts them too: it then learns token t+2."),
        trap=True,
    )


def mask_eos_switch() -> Any:
    """The setting `mask_eos`."""
    return knob(
        False,
        Message("Pad = eos masked"),
        help=Message("Use eos as padding and ignore it by its id: the real end is ignored with it."),
        trap=True,
    )


def pad_to_knob() -> Any:
    """The setting `pad_to`."""
    return knob(
        0,
        Message("Pad to"),
        help=Message("Fill up on the right to this length, as in a batch; 0 adds nothing, nor does a longer text."),
        low=0,
        high=2048,
        rare=True,
    )


def add_eos_knob(default: bool) -> Any:
    """The setting `add_eos`."""
    return knob(
        default,
        Message("Add end token"),
        help=Message("Put the end-of-sequence token after the text, so that the model learns where to stop."),
    )


@dataclass(frozen=True)
class Traps:
    """Which mistakes are switched on."""

    shift_twice: bool = False
    mask_eos: bool = False


def next_token_example(
    objective: str,
    tokenizer: Tokenizer,
    row: Row,
    supervised: ArrayLike,
    *,
    mask: Bools | None = None,
    stream: Stream | None = None,
    traps: Traps = Traps(),
    warnings: Sequence[Message] = (),
    notes: Sequence[Message] = (),
) -> Example:
    """An Example for one decoder: labels are the row's own tokens where `supervised` (T,), the loss shifts.

    mask (T,T) is causal, without the pads, unless given; stream is the row's own unless given.
    """
    read = row.stream() if stream is None else stream
    labels, shown, found = _labels(
        row, np.asarray(supervised, dtype=bool) & (read.attention_mask == 1), tokenizer, traps
    )
    if mask is None:
        mask = masks.with_padding(masks.causal(len(row)), read.attention_mask)
    return Example(
        objective,
        tokenizer.name,
        None,
        read,
        labels,
        shown,
        "loss",
        Masks(decoder=mask),
        warnings=(*warnings, *found),
        notes=tuple(notes),
    )


def _labels(
    row: Row, asked: Bools, tokenizer: Tokenizer, traps: Traps
) -> tuple[Ints, tuple[str, ...], Sequence[Message]]:
    """Labels, their pieces, and what the traps did to them or why there is nothing to learn."""
    found = []
    if traps.mask_eos:
        asked, trap = _without_eos(row, asked, tokenizer)
        found.append(trap)
    labels, shown = label(row, asked)
    if traps.shift_twice:
        labels, shown, trap = _shifted(labels, shown)
        found.append(trap)
    if not (labels[1:] != IGNORE).any():
        found.append(
            Message("0 targets: no output has a token to predict, so there is no loss to average (it would be NaN).")
        )
    return labels, shown, found


def _without_eos(row: Row, asked: Bools, tokenizer: Tokenizer) -> tuple[Bools, Message]:
    """The positions asked without every eos, and what that means in words."""
    ends = row.ids == (-1 if tokenizer.special.eos is None else tokenizer.special.eos)
    real = [role is not Role.PAD for role in row.roles]
    count = int((ends & asked & real).sum())
    if not count:
        return asked, Message("Trap: this row asks for no end token, so ignoring eos by its id changes nothing here.")
    return asked & ~ends, Message(
        "Trap: every token with the id of eos ({id}) is ignored as if it were padding, the real end too ({count}). "
        "The model never learns to stop.",
        {"id": tokenizer.special.eos, "count": count},
    )


def _shifted(labels: Ints, shown: tuple[str, ...]) -> tuple[Ints, tuple[str, ...], Message]:
    """The labels moved one place to the left by hand, before the model's loss moves them again."""
    moved = read_only(np.append(labels[1:], IGNORE)[: len(labels)], np.int64)
    words = Message(
        "Trap: the labels were shifted by hand and the model's loss shifts them again, so output t learns token t+2."
    )
    return moved, (*shown[1:], "")[: len(shown)], words
