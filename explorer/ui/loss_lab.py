"""The loss page: one position by hand from sliders, then parts of which only the open one is worked out."""

from __future__ import annotations

from collections.abc import Callable
from math import log
from typing import Literal

import streamlit as st

from explorer.by_hand import Worked, work
from explorer.types import IGNORE, Message
from explorer.ui.across_part import across_part
from explorer.ui.batches_part import batches_part
from explorer.ui.choice import choose
from explorer.ui.controls import chips
from explorer.ui.joint_part import joint_part
from explorer.ui.loss_parcel import Further, loss_parcel
from explorer.ui.positions_by_hand import positions_part
from explorer.ui.take_home_part import take_home
from explorer.ui.validation_part import validation_part
from explorer.ui.visits import Fields, enter, leave
from explorer.ui.words import literal, sentence, t
from explorer.views.by_hand import worked_table

TOKENS = ("mat", "rug", "sofa", "hat", "sky")
NARROW = 150
"""Pixels of a field."""

FIRST = (2.0, 1.0, 0.1, 0.5, 0.3)
"""Logits to begin with, those of the lectures: softmax .659 .242 .099 for the first three."""

Part = Literal["positions", "batches", "tokenizers", "joint", "file"]

PARTS: dict[Part, tuple[Message, Callable[[], Further | None]]] = {
    "positions": (Message("Positions and −100"), positions_part),
    "batches": (Message("Batches"), batches_part),
    "tokenizers": (Message("Across tokenizers"), across_part),
    "joint": (Message("Joint loss"), joint_part),
    "file": (Message("Validate a file"), validation_part),
}


def _fields(logits: tuple[float, ...], label: str = "0", smoothing: float = 0.0) -> Fields:
    """What the fields hold for an example by hand."""
    values = (*logits, *FIRST[len(logits) :])
    numbers = {f"logit_{v}": value for v, value in enumerate(values)}
    return {"count": len(logits), **numbers, "label": label, "smoothing": smoothing}


EXAMPLES = (
    (Message("Three tokens"), _fields(FIRST[:3])),
    (Message("Sure and right"), _fields((6.0, 0.0, -1.0))),
    (Message("Sure and wrong"), _fields((6.0, 0.0, -1.0), "1")),
    (Message("No idea"), _fields((0.0, 0.0, 0.0))),
    (Message("Smoothed"), _fields(FIRST, "0", 0.1)),
    (Message("Ignored"), _fields(FIRST[:3], str(IGNORE))),
)
"""Ready examples; "No idea" costs ln V."""

START: Fields = {**EXAMPLES[0][1], "part": "positions"}


def loss_lab() -> None:
    """The fields and the table of one position, then the parts."""
    enter("loss", START)
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="medium", key="strip"):
        worked, given = _ask()
    for name, value in START.items():
        # Streamlit forgets a slider that is not drawn.
        st.session_state.setdefault(name, value)
    chips([title for title, _ in EXAMPLES], [fields for _, fields in EXAMPLES])
    st.caption(literal(t("“The cat sat on the …”: what comes next?")))
    st.html(worked_table(worked, TOKENS[: len(worked.logits)], t))
    st.markdown(_told(worked))
    leave(START)
    st.divider()
    names = {part: t(word) for part, (word, _) in PARTS.items()}
    part = choose("part", t("From one position to a whole text"), names, "positions", few=len(names))
    further = PARTS[part][1]()
    tokens = TOKENS[: len(worked.logits)]
    take_home(lambda: loss_parcel(worked, given, tokens, (part, PARTS[part][0]), further))


def _ask() -> tuple[Worked, tuple[int, float]]:
    """Sliders for the logits, the label and the smoothing; label and smoothing beside what comes of them."""
    words = t("Tokens that could come")
    count = st.number_input(words, 2, len(TOKENS), 3, key="count", bind="query-params", width=NARROW)
    logits = [
        st.slider(
            literal(t("logit of {token}", token=TOKENS[v])),
            *(-6.0, 8.0, FIRST[v], 0.1),
            key=f"logit_{v}",
            bind="query-params",
            width=NARROW,
        )
        for v in range(count)
    ]
    labels = {str(v): TOKENS[v] for v in range(count)} | {str(IGNORE): t("−100: no loss")}
    label = int(choose("label", t("Label"), labels, "0", width=NARROW, few=0))
    smoothing = st.slider(t("Label smoothing"), 0.0, 0.5, 0.0, 0.05, key="smoothing", bind="query-params", width=NARROW)
    return work(logits, label, smoothing), (label, smoothing)


def _told(worked: Worked) -> str:
    """What the loss says, in one or two sentences."""
    if worked.result.mean is None:
        return sentence(worked.result.warnings[0])
    label = int(worked.target.argmax())
    given = {
        "token": TOKENS[label],
        "loss": worked.result.mean,
        "even": log(len(worked.logits)),
        "count": len(worked.logits),
    }
    if worked.target.max() < 1:
        plain = work(worked.logits.tolist(), label)
        given |= {"plain": plain.result.mean, "share": float(worked.target.min())}
        return sentence(
            Message(
                "Every token gets at least {share:.3f} of the target, so each adds to the loss: {loss:.4f}. Without "
                "smoothing it is {plain:.4f}.",
                given,
            )
        )
    return sentence(
        Message(
            "The loss is the surprise at the right token: −ln p({token}) = {loss:.4f}. An even guess over {count} "
            "tokens costs ln {count} = {even:.4f}.",
            given,
        )
    )
