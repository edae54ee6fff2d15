"""The KV cache of the text: its shapes and bytes, what each step feeds, and the time that it saves."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import pandas as pd
import streamlit as st
from numpy.typing import NDArray

from explorer import generation
from explorer.generation import Session
from explorer.models import runtime
from explorer.models.inside import CacheLayer
from explorer.models.places import Progress
from explorer.types import Message, SamplingSettings
from explorer.ui.clickable import clickable
from explorer.ui.generate_lab import Writing, pressed
from explorer.ui.growing_prefix_part import growing_prefix_part
from explorer.ui.jobs import Job, wait
from explorer.ui.tables import table_with_csv
from explorer.ui.words import literal, t
from explorer.views.written_lines import line_picture

STEPS = 24
"""Steps that are timed with the cache and without."""

SHOWN = 20
"""Steps whose tokens are counted on the page."""


@dataclass(frozen=True, eq=False)
class Timed:
    """Milliseconds of each step, with the cache and with none."""

    cached: NDArray[np.float64]
    uncached: NDArray[np.float64]


def cache_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """What is kept, in words and as a table; the ids fed to the model; both times once somebody asks."""
    found, steps = runtime().cache_facts(session.handle), len(session.generation.steps)
    if not found.own:
        st.markdown(literal(t("The cache was given up to make room; the next step reads the whole text again.")))
        return
    layer = found.own[0]
    _, heads, length, size = layer.shape
    told = t(
        "{layers} layers keep keys and values of {heads} heads, {length} positions, {size} numbers each: {kb} KB, and "
        "{more} KB more with every token.",
        layers=len(found.own),
        heads=heads,
        length=length,
        size=size,
        kb=f"{sum(each.bytes for each in found.own) / 1024:,.0f}",
        more=f"{sum(each.bytes for each in found.own) / 1024 / length:,.1f}",
    )
    st.markdown(literal(told))
    if found.cross:
        st.markdown(literal(t("The encoder has run once. What the decoder keeps of it stays as it is.")))
    st.caption(literal(t("Tokens fed to the model: {fed}", fed=_counts([session.begun, *([1] * steps)]))))
    whole = _counts([session.begun + step for step in range(steps + 1)])
    st.caption(literal(t("Without the cache they would be: {fed}", fed=whole)))
    _times(writing, session)
    growing_prefix_part(writing, session)
    with st.expander(t("Each layer"), key="cache_layers", on_change="rerun") as table:
        if table.open:
            table_with_csv(_table(found.own, found.cross), "kv_cache")


def _counts(fed: Sequence[int]) -> str:
    return ", ".join([*map(str, fed[:SHOWN]), *(["…"] if len(fed) > SHOWN else [])])


def _table(own: tuple[CacheLayer, ...], cross: tuple[CacheLayer, ...]) -> pd.DataFrame:
    rows = [(t("own"), own), (t("of the encoder"), cross)]
    return pd.DataFrame(
        [
            {t("cache"): name, t("layer"): number, t("keys"): str(each.shape), t("bytes"): each.bytes}
            for name, layers in rows
            for number, each in enumerate(layers)
        ]
    )


def _times(writing: Writing, session: Session) -> None:
    limit = session.facts.limit
    if session.generation.stopped is not None or (limit is not None and len(session.handle) + STEPS > limit):
        return
    if not pressed(
        writing, "time_cache", t("Time {n} steps with the cache and without", n=STEPS), session.generation.ids
    ):
        return
    job, place = _job(session), st.empty()
    if job.result is None:
        wait(job, place)
        return
    lines = {t("with the cache"): job.result.cached, t("without"): job.result.uncached}
    clickable(line_picture(lines, Message("milliseconds of each step"), t), "cache_times")


@lru_cache(maxsize=16)
def _job(session: Session) -> Job[Timed]:
    def work(tell: Progress) -> Timed:
        tell(Message("{n} steps with the cache", {"n": STEPS}), 0.0)
        cached = _timed(session, forgetting=False)
        tell(Message("{n} steps without", {"n": STEPS}), 0.5)
        return Timed(cached, _timed(session, forgetting=True))

    return Job(work)


def _timed(session: Session, *, forgetting: bool) -> NDArray[np.float64]:
    """Milliseconds of greedy steps beside the text; forgetting: the cache is given up before each."""
    fork, times = generation.beside(session), []
    # The fork has read nothing yet; what it shares with the text is not part of a step.
    fork = generation.step(fork, SamplingSettings(greedy=True))
    for _ in range(STEPS):
        if forgetting:
            generation.close(fork)
        began = time.perf_counter()
        fork = generation.step(fork, SamplingSettings(greedy=True))
        times.append(1000 * (time.perf_counter() - began))
    generation.close(fork)
    return np.array(times)
