"""The mask measured from outside: replace each token and see which outputs change."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st

from explorer.influence import MASKS, Influence, outside, reachable, with_mask
from explorer.models.forward import sides
from explorer.settings import knob, knobs
from explorer.types import Example, Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.choice import choose
from explorer.ui.controls import control
from explorer.ui.files import weights_files
from explorer.ui.measured import measured
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import Wording, weights_picture

NAMES = {"causal": Message("causal"), "prefix": Message("prefix"), "full": Message("full")}
WORDS = Wording(
    Message("How much each output changes when a token is replaced"),
    Message("exactly 0"),
    Message("error: a change where no path is open"),
)
AXES = Message("outputs: measured"), Message("tokens: replaced")


@dataclass(frozen=True)
class PrefixLength:
    """How many first positions see one another under a prefix mask."""

    prefix_length: int = knob(3, Message("Prefix length"), low=1, high=512)


@lru_cache(maxsize=32)
def masked(example: Example, name: str, length: int) -> Example:
    """The example under another mask; the same object for the same question."""
    return with_mask(example, name, length)


def influence_part(asked: Asked, _: Seen) -> None:
    """The picture, what it says about the mask, and its files."""
    st.markdown(
        literal(
            t("Each token in turn is replaced by another of the text. The picture shows how far each output moves.")
            + " "
            + t("Where no path is open, nothing can arrive: this is the mask, measured from outside.")
        )
    )
    example = _example(asked)
    key = ("influence", example, asked.kind)
    found = measured(key, asked.model, lambda run, model, tell: run.influence(model, example, asked.kind, tell))
    if found is None:
        return
    queries, keys = sides(example, asked.kind)
    axes = Axes(queries.visible, keys.visible, words=AXES)
    log = st.toggle(t("Logarithmic scale"), key="influence_log")
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.html(influence_picture(found, example, axes, log=log))
    with right:
        told(found, example)
        weights_files(f"influence_{asked.kind}", found.change, axes, found.change > 0)


def influence_picture(found: Influence, example: Example, axes: Axes, *, log: bool = False) -> str:
    """The changes; those where the example's masks leave no path are wrong."""
    wrong = (found.change > 0) & ~reachable(example.masks, found.kind)
    shown = found.change / (float(found.change.max()) or 1.0) if log else found.change
    picture = weights_picture(shown, axes, t, mask=found.change > 0, wrong=wrong, log=log, words=WORDS)
    return one_head(picture, len(axes.keys))


def _example(asked: Asked) -> Example:
    """The text as it stands, or under the mask that is chosen, where a decoder can take it."""
    if asked.kind != "decoder" or asked.example.encoder is not None:
        return asked.example
    with st.container(horizontal=True, vertical_alignment="bottom"):
        name = choose("run_mask", t("Mask"), {name: t(NAMES[name]) for name in MASKS}, "causal")
        length = control("prefix_length", knobs(PrefixLength)["prefix_length"], PrefixLength) if name == "prefix" else 0
    return masked(asked.example, name, length)


def told(found: Influence, example: Example) -> None:
    """How many cells stay at 0, and whether they are those that the mask closes."""
    closed, beyond, moved = outside(found, example.masks)
    open_cells = found.change.size - closed
    counts = {"closed": closed, "open": open_cells, "moved": moved, "largest": f"{np.max(found.change):.3f}"}
    if beyond > 0:
        st.error(
            sentence(
                Message(
                    "No path is open to {closed} cells, yet the output changes there by up to {beyond}.",
                    {"closed": closed, "beyond": f"{beyond:.3g}"},
                )
            )
        )
    elif closed:
        st.markdown(sentence(Message("No path is open to {closed} cells, and the change there is exactly 0.", counts)))
    else:
        st.markdown(literal(t("Every output can be reached by every token: no cell is closed.")))
    st.markdown(sentence(Message("{moved} of the {open} other cells change; the largest change is {largest}.", counts)))
    st.caption(literal(t("A change is the largest difference in any number that the model puts out at a position.")))
