"""The masks of an Example as a picture; a cell that is clicked says why it is open or closed."""

from __future__ import annotations

from functools import partial

import numpy as np
import streamlit as st

from explorer import masks
from explorer.models.forward import sides
from explorer.types import IGNORE, AttentionKind, Bools, Example, Message, Role
from explorer.ui.choice import choose
from explorer.ui.clickable import choosable, chosen_cell
from explorer.ui.files import File, picture_files
from explorer.ui.made import drawn
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.matrix import mask_picture
from explorer.views.painting import Painting, mask_painting
from explorer.views.roles import Say

KINDS: dict[AttentionKind, Message] = {
    "encoder": Message("Encoder"),
    "decoder": Message("Decoder"),
    "cross": Message("Cross"),
}

WHOM = Message("Who may look at whom")


@st.fragment
def mask_part(example: Example) -> None:
    """Heading, which attention where there are several, the picture, and words about the chosen cell."""
    st.header(t(WHOM), anchor=False)
    kinds = {kind: t(KINDS[kind]) for kind in mask_kinds(example)}
    kind = choose("mask", t("Attention"), kinds, next(iter(kinds))) if len(kinds) > 1 else next(iter(kinds))
    cell = chosen_cell("mask_cell", *getattr(example.masks, kind).shape)
    choosable(drawn(mask_drawing, example, kind, cell), "mask_cell")
    st.markdown(
        literal(t("Click a cell: it says why it is open or closed.")) if cell is None else _why(example, kind, cell)
    )


def mask_drawing(example: Example, kind: AttentionKind, cell: tuple[int, int] | None, say: Say) -> str:
    """The mask of that kind of attention, with a cell marked."""
    rules = masks.rules_of(example, kind)
    queries, keys = sides(example, kind)
    return mask_picture(
        rules.mask,
        queries.visible,
        keys.visible,
        say,
        answer=_answer(example, kind),
        reason=partial(masks.reason, rules),
        clickable=True,
        chosen=cell,
    )


def mask_files(example: Example, kind: AttentionKind, say: Say) -> list[File]:
    """The same mask as files."""
    rules = masks.rules_of(example, kind)
    queries, keys = sides(example, kind)
    name = f"{example.objective}_mask_{kind}"

    def paint() -> Painting:
        axes, title = Axes(queries.visible, keys.visible), f"{say(WHOM)}: {say(KINDS[kind])}"
        reason = partial(masks.reason, rules)
        return mask_painting(rules.mask, axes, title, say, reason, answer=_answer(example, kind))

    return picture_files(name, paint)


def mask_kinds(example: Example) -> list[AttentionKind]:
    """The masks that the Example has."""
    return [kind for kind in KINDS if getattr(example.masks, kind) is not None]


def _answer(example: Example, kind: AttentionKind) -> Bools | None:
    """(S,): the positions of the target or response of a decoder, None where there is none."""
    if kind != "decoder" or example.decoder is None:
        return None
    answer = np.array([role is Role.RESPONSE for role in example.decoder.roles])
    return np.asarray(answer | (example.labels != IGNORE)) if answer.any() else None


def _why(example: Example, kind: AttentionKind, cell: tuple[int, int]) -> str:
    rules = masks.rules_of(example, kind)
    note = masks.row_note(rules, cell[0])
    return " ".join(sentence(message) for message in (masks.reason(rules, *cell), note) if message is not None)
