"""The fields for a layer and a head, counted from 0; an address that asks for one too many is told so."""

from __future__ import annotations

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer.settings import knob, knobs
from explorer.types import InputProblem, Message, check_range
from explorer.ui.controls import NARROW, check_address, report_address
from explorer.ui.visits import Fields
from explorer.ui.words import sentence, t


@dataclass(frozen=True)
class Shape:
    """How many layers a model has, and heads in each."""

    layers: int
    heads: int


@dataclass(frozen=True)
class Place:
    """One head."""

    layer: int = knob(0, Message("Layer"), low=0)
    head: int = knob(0, Message("Head"), low=0)


def head_fields(
    start: Fields, shape: Shape | None, told: DeltaGenerator, *, came: bool, disabled: bool
) -> tuple[int, int]:
    """Draw both fields in the row at hand, and say in `told` what cannot be had. start: what they begin with; shape is
    None while it is not known; came: whether the reader has just come, so that the address counts."""
    if came:
        check_address(Place)
    with told:
        report_address()
    counts = (None, None) if shape is None else (shape.layers, shape.heads)
    layer, head = (
        _field(name, int(str(start[name])), count, told, came=came, disabled=disabled)
        for name, count in zip(knobs(Place), counts, strict=True)
    )
    return layer, head


def _field(name: str, first: int, count: int | None, told: DeltaGenerator, *, came: bool, disabled: bool) -> int:
    last = None if count is None else count - 1
    _keep_inside(name, first, last, st.query_params.get(name, "") if came else "", told)
    return st.number_input(
        t(knobs(Place)[name].label),
        0,
        last,
        first if last is None else min(first, last),
        key=name,
        bind="query-params",
        persist_state="session",
        width=NARROW,
        disabled=disabled,
        help=t("Counted from 0.") if count is None else t("Counted from 0; there are {count}.", count=count),
    )


def _keep_inside(name: str, first: int, last: int | None, address: str, told: DeltaGenerator) -> None:
    """Go on with the nearest layer or head there is; say so in `told`, unless nobody asked for another."""
    value = int(address) if address.isdecimal() else int(st.session_state.get(name, first))
    try:
        check_range(name, value, 0, last)
    except InputProblem as problem:
        if address or value != first:
            told.warning(sentence(problem.message))
        st.session_state[name] = last
