"""Perplexity and bits per byte across tokenizers on the loss page, measured where a model has weights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import streamlit as st

from explorer.across import Reading, reading
from explorer.models import tokenizer
from explorer.models.cards import Card
from explorer.models.catalog import catalogue, parts, state
from explorer.models.in_code import loading
from explorer.objectives import Texts, objective
from explorer.pieces import replace_surrogates
from explorer.tokens import encode
from explorer.types import Example, InputProblem
from explorer.ui.loss_parcel import Further
from explorer.ui.made import example
from explorer.ui.measured import measured
from explorer.ui.models import NOWHERE
from explorer.ui.texts import text_field
from explorer.ui.words import literal, sentence, t
from explorer.views.across import across_table
from explorer.views.loss_code import across_code

TEXT = "The quick brown fox jumps over the lazy dog. 나는 학교에 갑니다."

MOST = 2000
"""Characters: every decoder here reads them, and a long text would keep all of them busy for minutes."""


def across_part() -> Further | None:
    """The text, how good all models are taken to be, and the table. Gives what is to take home of it."""
    text = text_field("text", t("Text"), TEXT, most=MOST)
    bits = st.slider(t("Bits per byte"), 0.2, 4.0, 1.0, 0.1, key="bits", bind="query-params", width=320)
    cards = _cards()
    if not cards:
        st.info(sentence(NOWHERE))
        return None
    try:
        readings = list(_readings(cards, text))
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return None
    st.html(across_table(readings, bits, t))
    st.caption(
        literal(
            t(
                "Taken to need the same bits for each byte, all models are equally good, yet the one with the longest "
                "tokens has the highest perplexity. What is measured is the loss of every token but the first; only "
                "decoders with weights on this machine have it."
            )
        )
    )
    return _further(cards, readings, text, bits)


def _further(cards: Sequence[Card], readings: Sequence[Reading], text: str, bits: float) -> Further:
    given = replace_surrogates(text)
    places = {card.title: loading(card.name, weights=False) for card in cards}
    told = zip(cards, readings, strict=True)
    measured = {
        card.title: (_made(card.name, text), loading(card.name)) for card, each in told if each.nats is not None
    }
    names = ("targets", "bytes", "mean", "perplexity", "bits_per_byte")
    record = {
        each.model: {name: getattr(each, name) for name in names} | {"perplexity_at": each.perplexity_at(bits)}
        for each in readings
    }
    return Further(
        across_code(given, bits, places, measured),
        {"text": given, "bits": bits, "readings": record},
        partial(across_table, readings, bits),
    )


def _cards() -> list[Card]:
    """One model of each family whose tokenizer is here, and every decoder with weights: those first."""
    here = [each for each in catalogue() if state(each.name) != "absent"]
    able = [each for each in here if _scores(each)]
    families = {each.family for each in able}
    rest = [each for each in here if each.family not in families]
    first = {each.family: each for each in reversed(rest)}
    others = [each for each in rest if first[each.family] is each]
    cut_otherwise = [each for each in here if each.family in families and each not in able][:1]
    return [*able, *cut_otherwise, *others]


def _scores(card: Card) -> bool:
    return card.stack == "decoder" and "language model" in parts(card.name)


def _readings(cards: list[Card], text: str) -> Iterator[Reading]:
    """Raises InputProblem for a text that nothing can be made of."""
    for card in cards:
        scored = _scores(card)
        nats = _nats(card.name, _made(card.name, text)) if scored else None
        yield reading(card.title, encode(text, tokenizer(card.name), add_special=scored), nats)


def _made(model: str, text: str) -> Example:
    item = objective("causal_lm")
    return example(item.key, Texts(text), item.Settings(), 0, model)


def _nats(model: str, made: Example) -> float | None:
    if not made.n_targets:
        return None
    found = measured(("score", made), model, lambda run, loaded, _: run.score(loaded, made))
    return None if found is None else float(np.sum(found.losses))
