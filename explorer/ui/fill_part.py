"""BERT's own way to write: gaps filled in an order to choose, all at once or one by one."""

from __future__ import annotations

from functools import lru_cache
from typing import cast

import streamlit as st

from explorer import filling
from explorer.filling import Filling, Order
from explorer.models import runtime, tokenizer
from explorer.models.catalog import catalogue, parts
from explorer.models.places import Progress
from explorer.tokens import visible_pieces
from explorer.types import Message
from explorer.ui.choice import choose
from explorer.ui.generate_lab import HEAD
from explorer.ui.jobs import Job, wait
from explorer.ui.models import NOWHERE
from explorer.ui.words import sentence, t
from explorer.views.fills import fill_table

ORDERS: dict[str, Message] = {
    "left": Message("from the left"),
    "right": Message("from the right"),
    "surest": Message("the surest first"),
    "at once": Message("all at once"),
}
TEXT = "She took the {mask} and the {mask} out of the {mask}."


def fill_part() -> None:
    """Folded until it is opened: a text with gaps, a model with two-sided attention, an order, and every pass."""
    with st.expander(t("How BERT writes: filling gaps"), key="filling", on_change="rerun") as box:
        if box.open:
            _draw()


def _draw() -> None:
    able = [card.name for card in catalogue() if card.stack == "encoder" and HEAD in parts(card.name)]
    if not able:
        st.markdown(sentence(NOWHERE))
        return
    left, right = st.columns([3, 1])
    model = right.selectbox(t("Model"), able, key="gap_model")
    words = tokenizer(model)
    mask = words.piece(words.special.mask) if words.special.mask is not None else "[MASK]"
    text = left.text_input(t("A text with gaps"), TEXT.format(mask=mask), key="gap_text")
    order = choose("gap_order", t("Order"), {name: t(word) for name, word in ORDERS.items()}, "left")
    job, place = _job(model, text, cast(Order, order)), st.empty()
    found = job.within(0.3)
    if found is None:
        wait(job, place)
        return
    begun = filling.start(found.model, text)
    place.html(fill_table(visible_pieces(begun.ids, words), begun.gaps, found.fills, t))
    st.caption(
        t(
            "Each gap is guessed from both sides, and by itself. All at once, the answers need not fit each other; one "
            "by one, another order gives another text; and how many tokens are missing must be known before. That is "
            "why BERT is no generator."
        )
    )


@lru_cache(maxsize=32)
def _job(model: str, text: str, order: Order) -> Job[Filling]:
    def work(tell: Progress) -> Filling:
        found = runtime().identify(model, progress=tell)
        runtime().load(found, tell)
        return filling.fill_all(filling.start(found, text), order)

    return Job(work)
