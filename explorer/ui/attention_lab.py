"""The attention page: what one head of one layer looks at, as a picture with the rows adding up to 1."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.models import runtime
from explorer.models.catalog import card, parts
from explorer.models.checkpoint import Part
from explorer.models.places import Progress
from explorer.objectives import Stack, Texts, objective
from explorer.settings import parse_settings
from explorer.types import Attention, AttentionKind, Example, Message, ModelId
from explorer.ui.choice import choose
from explorer.ui.clickable import choosable, chosen_cell
from explorer.ui.controls import NARROW, model_field
from explorer.ui.jobs import Job, wait
from explorer.ui.made import drawn, example
from explorer.ui.mask_part import KINDS
from explorer.ui.models import models_with, offer
from explorer.ui.texts import text_field
from explorer.ui.visits import enter, leave
from explorer.ui.words import literal, sentence, t
from explorer.views.matrix import weights_picture
from explorer.views.roles import Say

PART: Part = "encoder"
TEXT = "The cat sat on the mat because it was tired."
TARGET = "Die Katze war müde."
PLAIN: dict[Stack, tuple[str, dict[str, str]]] = {
    "encoder": ("masked_lm", {"rate": "0"}),
    "decoder": ("causal_lm", {}),
    "encoder-decoder": ("seq2seq", {}),
}
"""The objective and settings that give each stack a text as it is."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What a model did with an Example."""

    model: ModelId
    attention: dict[AttentionKind, Attention]


@dataclass(frozen=True)
class Asked:
    """What the reader asks for, and the strip of controls, to which layer and head are added once they are known."""

    model: str
    example: Example
    strip: DeltaGenerator


def ask_example() -> Asked:
    """Draw the fields and make what the model reads. Raises InputProblem."""
    models, first = models_with(PART, "encoder")
    start = {"text": TEXT, "text_b": "", "target": TARGET, "model": first, "layer": 0, "head": 0}
    enter("attention", start)
    boxes = st.columns([2, 1])
    strip = st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="medium", key="strip")
    with strip:
        model = model_field(models, first)
    stack = card(model).stack
    texts = _texts(stack, *boxes)
    leave(start)
    key, settings = PLAIN[stack]
    made = example(key, texts, parse_settings(objective(key).Settings, settings), 0, model)
    return Asked(model, made, strip)


def _texts(stack: Stack, left: DeltaGenerator, right: DeltaGenerator) -> Texts:
    with left:
        text = text_field("text", t("Text"), TEXT)
    with right:
        if stack == "encoder-decoder":
            return Texts(text, target=text_field("target", t("What the decoder reads"), TARGET))
        if stack == "encoder":
            return Texts(text, text_b=text_field("text_b", t("Second text (optional)")) or None)
    return Texts(text)


def look(asked: Asked) -> Seen | None:
    """What the model looks at, or None after saying what is missing or waited for."""
    place, model, made = st.empty(), asked.model, asked.example
    if PART not in parts(model):
        offer(model, PART, place, lambda: _job(model, made))
        return None
    job = _job(model, made)
    if job.result is None:
        wait(job, place)
    return job.result


@lru_cache(maxsize=6)
def _job(model: str, made: Example) -> Job[Seen]:
    def work(tell: Progress) -> Seen:
        run = runtime()
        found = run.identify(model, progress=tell)
        run.load(found, tell)
        tell(Message("{model} reads the text", {"model": model}), None)
        return Seen(found, run.attention(found, made))

    return Job(work)


def heads(asked: Asked, seen: Seen) -> None:
    """Which kind, layer and head; the picture; words about the chosen cell."""
    kinds = {kind: t(KINDS[kind]) for kind in seen.attention}
    first = next(iter(kinds))
    with asked.strip:
        kind = choose("attention", t("Attention"), kinds, first) if len(kinds) > 1 else first
        layers, count, *_ = seen.attention[kind].weights.shape
        layer, head = _number("layer", t("Layer"), layers), _number("head", t("Head"), count)
    shape = seen.attention[kind].weights[layer, head].shape
    left, right = st.columns([3, 2], gap="large")
    with left:
        cell = chosen_cell("attention_cell", *shape)
        choosable(drawn(_picture, asked.example, seen, (kind, layer, head), cell), "attention_cell")
    with right:
        _told(seen.attention[kind], layer, head, cell)


def _number(name: str, label: str, count: int) -> int:
    """A number from 0 to `count` - 1."""
    if int(st.session_state.get(name, 0)) >= count:
        st.session_state[name] = count - 1
    return st.number_input(label, 0, count - 1, 0, key=name, bind="query-params", width=NARROW, help=_of(count))


def _of(count: int) -> str:
    return t("Counted from 0; there are {count}.", count=count)


def _picture(
    made: Example, seen: Seen, head: tuple[AttentionKind, int, int], cell: tuple[int, int] | None, say: Say
) -> str:
    kind, *at = head
    found = seen.attention[kind]
    return weights_picture(
        found.weights[tuple(at)],
        found.queries,
        found.keys,
        say,
        mask=getattr(made.masks, kind),
        clickable=True,
        chosen=cell,
    )


def _told(found: Attention, layer: int, head: int, cell: tuple[int, int] | None) -> None:
    """Do the rows add up to 1, and where does the chosen row look most."""
    weights = found.weights[layer, head].astype(np.float64)
    off = {"off": f"{np.abs(weights.sum(axis=1) - 1).max(initial=0.0):.1e}"}
    st.caption(sentence(Message("Each row adds up to 1; the largest difference is {off}.", off)))
    if cell is None:
        st.markdown(literal(t("Click a cell: it says how much that position looks where.")))
        return
    row, column = cell
    told = {
        "query": row,
        "reads": found.queries[row],
        "key": column,
        "piece": found.keys[column],
        "weight": f"{weights[cell]:.4f}",
    }
    st.markdown(
        sentence(Message("Position {query}, {reads}, looks at position {key}, {piece}, with weight {weight}.", told))
    )
    st.markdown(literal(t("It looks most at:")))
    order = np.argsort(-weights[row], kind="stable")[:5].tolist()
    lines = [Message("{key} {piece}: {weight}", _most(found, weights, row, key)) for key in order]
    st.markdown("\n".join(f"- {sentence(line)}" for line in lines))


def _most(found: Attention, weights: np.ndarray, row: int, key: int) -> dict[str, object]:
    return {"key": key, "piece": found.keys[key], "weight": f"{weights[row, key]:.4f}"}
