"""What the original Transformer brought beside its objective, below its page: only the open part is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from explorer.types import Example, Message
from explorer.ui.alignment_part import alignment_part
from explorer.ui.choice import choose
from explorer.ui.exposure_part import exposure_part
from explorer.ui.first_loss_part import first_loss_part
from explorer.ui.memory_mask_part import memory_mask_part
from explorer.ui.recipe_parts import rate_part, sinusoid_part, smoothing_part
from explorer.ui.words import t

Part = Literal["smoothing", "rate", "sinusoids", "first", "memory", "alignment", "free"]

PARTS: dict[Part, tuple[Message, Callable[[str, Example], None]]] = {
    "smoothing": (Message("Label smoothing"), smoothing_part),
    "rate": (Message("Learning rate"), rate_part),
    "sinusoids": (Message("Sinusoidal table"), sinusoid_part),
    "first": (Message("First loss"), first_loss_part),
    "memory": (Message("A mask left out"), memory_mask_part),
    "alignment": (Message("Alignment"), alignment_part),
    "free": (Message("Free running"), exposure_part),
}


def transformer_parts(model: str, example: Example) -> None:
    """The names of all parts, and the one that is open."""
    st.divider()
    names = {part: t(word) for part, (word, _) in PARTS.items()}
    part = choose("part", t("More about the Transformer"), names, "smoothing", few=len(names))
    PARTS[part][1](model, example)
