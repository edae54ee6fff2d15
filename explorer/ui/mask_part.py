"""The masks of an Example as a picture; a cell that is clicked says why it is open or closed."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from explorer import masks
from explorer.types import IGNORE, AttentionKind, Example, Message, Role
from explorer.ui.choice import choose
from explorer.ui.clickable import choosable, chosen_cell
from explorer.ui.made import drawn
from explorer.ui.words import literal, sentence, t
from explorer.views.matrix import mask_picture
from explorer.views.roles import Say

KINDS: dict[AttentionKind, Message] = {
    "encoder": Message("Encoder"),
    "decoder": Message("Decoder"),
    "cross": Message("Cross"),
}


@st.fragment
def mask_part(example: Example) -> None:
    """Heading, which attention where there are several, the picture, and words about the chosen cell."""
    st.subheader(t("Who may look at whom"), anchor=False)
    kinds = {kind: t(word) for kind, word in KINDS.items() if getattr(example.masks, kind) is not None}
    kind = choose("mask", t("Attention"), kinds, next(iter(kinds))) if len(kinds) > 1 else next(iter(kinds))
    cell = chosen_cell("mask_cell", *getattr(example.masks, kind).shape)
    choosable(drawn(mask_drawing, example, kind, cell), "mask_cell")
    st.markdown(
        literal(t("Click a cell: it says why it is open or closed.")) if cell is None else _why(example, kind, cell)
    )


def mask_drawing(example: Example, kind: AttentionKind, cell: tuple[int, int] | None, say: Say) -> str:
    """The mask of that kind of attention, with a cell marked."""
    rules = masks.rules_of(example, kind)
    queries = example.encoder if kind == "encoder" else example.decoder
    keys = example.decoder if kind == "decoder" else example.encoder
    assert queries is not None and keys is not None  # noqa: S101 - for the type checker
    answer = np.array([role is Role.RESPONSE for role in queries.roles])
    if kind == "decoder" and answer.any():
        answer |= example.labels != IGNORE
    return mask_picture(
        rules.mask,
        queries.visible,
        keys.visible,
        say,
        answer=answer if kind == "decoder" and answer.any() else None,
        reason=partial(masks.reason, rules),
        clickable=True,
        chosen=cell,
    )


def _why(example: Example, kind: AttentionKind, cell: tuple[int, int]) -> str:
    rules = masks.rules_of(example, kind)
    note = masks.row_note(rules, cell[0])
    return " ".join(sentence(message) for message in (masks.reason(rules, *cell), note) if message is not None)
