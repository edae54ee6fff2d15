"""The attention page up to the weights: texts, ready examples, model and head, and the model's reading of the texts."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.known_heads import PATTERNS, KnownPattern, patterns
from explorer.looking import KINDS, example_for
from explorer.models import runtime, tokenizer
from explorer.models.catalog import card, parts
from explorer.models.checkpoint import Part
from explorer.models.places import Progress
from explorer.objectives import Stack, Texts
from explorer.types import Attention, AttentionKind, Example, InputProblem, Message, ModelId
from explorer.ui.choice import choose
from explorer.ui.controls import model_field
from explorer.ui.head_fields import Shape, head_fields
from explorer.ui.jobs import Job
from explorer.ui.kept import KeptJobs
from explorer.ui.mask_part import KINDS as NAMES
from explorer.ui.models import check_models, introduce, models_with, offer
from explorer.ui.texts import text_field
from explorer.ui.visits import Fields, enter, leave
from explorer.ui.visits import offer as offered
from explorer.ui.words import t

PART: Part = "encoder"
FIRST = PATTERNS["encoder"][0]
TARGET = PATTERNS["encoder-decoder"][0].texts.target or ""

LONGEST = 512
"""The most tokens of one sequence whose weights the page shows: a cell then has a pixel or more."""

FAR = 4 * LONGEST
"""Tokens from which a text is refused and not cut, also for a model that reads only its beginning."""

ROOM = 2**29
"""Bytes of weights that are kept for all readers together, so that another layer or head needs no model."""


@dataclass(frozen=True, eq=False)
class Seen:
    """What a model looked at in an Example."""

    model: ModelId
    attention: dict[AttentionKind, Attention]


@dataclass(frozen=True)
class Asked:
    """What the reader asks for: what the model reads, and the head to show. pattern: the ready example on the page, if
    it is one; first: the model that the page begins with."""

    model: str
    example: Example
    kind: AttentionKind
    layer: int
    head: int
    pattern: KnownPattern | None
    first: str


def ask() -> Asked:
    """Draw the fields and make what the model reads. Raises InputProblem; all that was typed stays."""
    models, first = models_with(PART, "encoder")
    start = {"text_b": "", "target": TARGET, "kind": "encoder", **_fields(FIRST, "encoder", first), "model": first}
    came = enter("attention", start)
    if came:
        check_models("model")
    left, right = st.columns([2, 1])
    with left:
        text = text_field("text", t("Text"), FIRST.texts.text)
    chips, told = st.container(), st.container()
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="medium", key="strip"):
        model = model_field(models, first)
        stack = card(model).stack
        names = {kind: t(NAMES[kind]) for kind in KINDS[stack]}
        kind = choose("kind", t("Attention"), names, KINDS[stack][0]) if len(names) > 1 else KINDS[stack][0]
        shape, lacks = _shapes.get((model, kind)), PART not in parts(model)
        layer, head = head_fields(start, shape, told, came=came, disabled=lacks)
    with right:
        texts = _second_text(stack, text)
    with chips:
        pattern = _chips(stack, model)
    introduce(model)
    leave(start)
    return Asked(model, _example(stack, texts, model), kind, layer, head, pattern, first)


def _second_text(stack: Stack, text: str) -> Texts:
    """The text with the one that this stack reads beside it."""
    if stack == "encoder":
        return Texts(text, text_b=text_field("text_b", t("Second text (optional)")) or None)
    if stack == "encoder-decoder":
        return Texts(text, target=text_field("target", t("What the decoder reads"), TARGET))
    return Texts(text)


@lru_cache(maxsize=64)
def _example(stack: Stack, texts: Texts, model: str) -> Example:
    """Raises InputProblem where there is nothing to read, or too much to show."""
    words = tokenizer(model)
    for text in (texts.text, texts.text_b, texts.target):
        # What is little too long for the model is cut, and that is told; of a whole book too little would be left.
        if text and len(text) > FAR:
            _check_length(len(words.encode(text).ids), FAR)
    made = example_for(stack, texts, words)
    for stream in (made.encoder, made.decoder):
        if stream is not None:
            _check_length(len(stream), LONGEST)
    return made


def _check_length(count: int, most: int) -> None:
    if count > most:
        raise InputProblem(
            "What is read has {count} tokens, but this page shows the attention of at most {limit}. Shorten the text.",
            {"count": count, "limit": LONGEST},
        )


def _chips(stack: Stack, model: str) -> KnownPattern | None:
    """The ready examples; gives the one on the page, which is marked."""
    ready = patterns(stack, model)
    fields = [_fields(pattern, stack, model) for pattern in ready]
    current = next((at for at, each in enumerate(fields) if _on_page(each)), None)
    st.session_state["example"] = current
    offered(pattern.texts.text for pattern in ready)
    st.pills(
        t("Ready examples"),
        range(len(ready)),
        format_func=lambda at: t(ready[at].title),
        key="example",
        label_visibility="collapsed",
        on_change=lambda: st.session_state.update(fields[st.session_state["example"] or 0]),
    )
    return None if current is None else ready[current]


def _fields(pattern: KnownPattern, stack: Stack, model: str) -> Fields:
    """What the fields hold when a ready example is on the page: with the head that shows it, where one is known."""
    layer, head = pattern.heads.get(model, (0, 0))
    texts = pattern.texts
    beside: dict[Stack, Fields] = {
        "encoder": {"text_b": texts.text_b or ""},
        "decoder": {},
        "encoder-decoder": {"target": texts.target or "", "kind": pattern.kind or KINDS[stack][0]},
    }
    return {"text": texts.text, **beside[stack], "layer": layer, "head": head}


def _on_page(fields: Fields) -> bool:
    return all(st.session_state.get(name) == value for name, value in fields.items())


def look(asked: Asked) -> Job[Seen] | None:
    """The model's reading of the Example, begun if need be; None where there are no weights to read it with."""
    return reading(asked.model, asked.example) if PART in parts(asked.model) else None


def lacking(asked: Asked, place: DeltaGenerator) -> None:
    """Say in `place` that there are no weights, and offer a model that has them, or to fetch them."""
    offer(asked.model, PART, place, lambda: reading(asked.model, asked.example), otherwise=asked.first)


_readings: KeptJobs[Seen] = KeptJobs(ROOM, lambda seen: sum(each.weights.nbytes for each in seen.attention.values()))
_shapes: dict[tuple[str, AttentionKind], Shape] = {}
"""How many layers and heads there are, for each model that has read something."""


def reading(model: str, made: Example) -> Job[Seen]:
    """What the model looks at in an Example, begun if need be."""

    def read(tell: Progress) -> Seen:
        run = runtime()
        found = run.identify(model, progress=tell)
        run.load(found, tell)
        tell(Message("{model} reads the text", {"model": model}), None)
        seen = Seen(found, run.attention(found, made))
        _shapes.update({(model, kind): Shape(*each.weights.shape[:2]) for kind, each in seen.attention.items()})
        return seen

    return _readings.get((model, made), read)
