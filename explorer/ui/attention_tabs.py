"""What else the attention page shows of a model's reading; only the part that is open is worked out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import streamlit as st

from explorer.types import Message
from explorer.ui.atlas_part import atlas_part
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.attention_parcel import attention_parcel
from explorer.ui.bertviz_part import bertviz_part
from explorer.ui.beside_part import beside_part
from explorer.ui.change_part import change_part
from explorer.ui.choice import choose
from explorer.ui.influence_part import influence_part
from explorer.ui.positions_part import positions_part
from explorer.ui.take_home_part import take_home
from explorer.ui.three_masks_part import three_masks_part
from explorer.ui.words import t

Part = Literal["heads", "influence", "change", "mask", "masks", "positions", "bertviz"]

PARTS: dict[Part, tuple[Message, Callable[[Asked, Seen], None]]] = {
    "heads": (Message("What each head does"), atlas_part),
    "influence": (Message("Influence"), influence_part),
    "change": (Message("Change a token"), change_part),
    "mask": (Message("Mask and weights"), beside_part),
    "masks": (Message("Three masks"), three_masks_part),
    "positions": (Message("Position tables"), positions_part),
    "bertviz": (Message("bertviz"), bertviz_part),
}


def tabs(asked: Asked, seen: Seen) -> None:
    """The names of all parts, the one that is open, and what there is to take home."""
    st.divider()
    names = {part: t(word) for part, (word, _) in PARTS.items()}
    part = choose("part", t("More about this reading"), names, "heads", few=len(names))
    PARTS[part][1](asked, seen)
    take_home(lambda: attention_parcel(asked, seen))
