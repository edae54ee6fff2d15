"""The status page: how the server stands, drawn anew every few seconds."""

from __future__ import annotations

import os

import streamlit as st

from explorer.host import TEXT, forbidden, rules
from explorer.models import runtime
from explorer.models.catalog import others_allowed
from explorer.models.places import offline
from explorer.standing import Standing, memory
from explorer.types import Message
from explorer.ui.leaving import visitors
from explorer.ui.words import sentence, t
from explorer.views.server import Rule, model_table, rule_table, server_figures

EVERY = 3.0
"""Seconds between two pictures."""

ALLOWED, OFF = Message("allowed"), Message("switched off")


def status_part() -> None:
    """All of it, or why there is nothing."""
    if not rules().status:
        st.info(sentence(forbidden(Message("The status page"), "EXPLORER_STATUS")))
        return
    st.fragment(_watch, run_every=EVERY)()
    st.header(t("House rules"), anchor=False)
    st.html(rule_table(house_rules(), t))


def standing() -> Standing:
    """How the server stands now."""
    from explorer.training.live.run import PLACES, SERVER

    learning, line = SERVER.counts
    run = runtime()
    return Standing(visitors(), memory(), run.standing, run.open_caches, run.cache_bytes, learning, line, PLACES)


def house_rules() -> tuple[Rule, ...]:
    """What the host allows, and which variable says so."""
    own, usual = rules(), Message("as the app has it")
    room = os.environ.get("EXPLORER_MEMORY")
    longest = Message("{n} characters", {"n": f"{own.longest:,}"}) if own.longest < TEXT else usual
    return (
        (Message("models outside the list"), "EXPLORER_ANY_MODEL", _said(others_allowed())),
        (Message("asking the Hugging Face Hub"), "EXPLORER_OFFLINE", _said(not offline())),
        (Message("uploading files"), "EXPLORER_UPLOADS", _said(own.uploads)),
        (Message("training in the page"), "EXPLORER_TRAINING", _said(own.training)),
        (Message("longest text"), "EXPLORER_LONGEST_TEXT", longest),
        (Message("memory for models"), "EXPLORER_MEMORY", Message("{n} GB", {"n": room}) if room else usual),
    )


def _said(allowed: bool) -> Message:
    return ALLOWED if allowed else OFF


def _watch() -> None:
    now = standing()
    st.html(server_figures(now, t))
    st.header(t("Models in memory"), anchor=False)
    st.html(model_table(now.models, t))
