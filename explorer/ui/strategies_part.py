"""The same prompt written on in several ways, and one setting drawn from many times."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from explorer import generation
from explorer.generation import Session
from explorer.models.places import Progress
from explorer.strategies import Written, first_tokens, side_by_side, strategies
from explorer.types import Message, SamplingSettings
from explorer.ui.generate_lab import Writing, pressed
from explorer.ui.jobs import Job, wait
from explorer.ui.words import t
from explorer.views.strategies import count_bars, ways

DRAWS = 500


def strategies_part(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    """Side by side once somebody asks for it; the many draws cost no forward pass and are there at once."""
    _ways(writing, session, settings)
    if session.generation.stopped is None:
        _draws(session, settings)


def _ways(writing: Writing, session: Session, settings: SamplingSettings) -> None:
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.slider(t("Tokens each"), 5, 60, 20, 5, key="way_steps", width=200)
        what = (session.generation.ids, count, settings.seed)
        wanted = pressed(writing, "write_ways", t("Write in six ways"), what)
    if not wanted:
        st.caption(t("From where the text is now, with the same seed. The text itself stays as it is."))
        return
    job, place = _job(session, count, settings.seed), st.empty()
    if job.result is None:
        wait(job, place)
    else:
        place.html(ways(job.result, t))


@lru_cache(maxsize=16)
def _job(session: Session, count: int, seed: int) -> Job[tuple[Written, ...]]:
    def work(tell: Progress) -> tuple[Written, ...]:
        found: list[Written] = []
        chosen = strategies(seed)
        for written in side_by_side(session, chosen, count):
            found.append(written)
            tell(Message("{n} of {count} ways", {"n": len(found), "count": len(chosen)}), len(found) / len(chosen))
        return tuple(found)

    return Job(work)


def _draws(session: Session, settings: SamplingSettings) -> None:
    st.header(t("The same step, drawn {n} times", n=DRAWS), anchor=False)
    st.caption(t("Seeds 0 to {last}, with the settings above. The line is what the distribution says.", last=DRAWS - 1))
    sampled = generation.look(session, settings)
    step = generation.coming(session, settings, sampled)
    counts = first_tokens(step, sampled.final, DRAWS, len(session.generation.steps))
    st.html(count_bars(counts, DRAWS, t))
