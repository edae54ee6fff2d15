"""How the next token is chosen: a slider for each filter, in the order in which they are applied; greedy, the seed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import streamlit as st

from explorer import sampling
from explorer.settings import Knob, knob, knobs, parse_settings
from explorer.types import InputProblem, Message, SamplingSettings
from explorer.ui.controls import control
from explorer.ui.words import t

SLIDER, WIDE = 116, 156
"""Pixels of one slider, and of one with a long name."""


RARE = ("min_p", "typical_p")
"""Filters that are folded away."""


@dataclass(frozen=True)
class SamplingFields:
    """The fields, what they start with, and how far they go."""

    repetition_penalty: float = knob(
        1.0,
        Message("Repetition penalty"),
        help=Message("Makes tokens that are already there less probable; 1 is off."),
        low=1.0,
        high=2.0,
        step=0.05,
    )
    temperature: float = knob(
        0.8,
        Message("Temperature"),
        help=Message("Divides the logits; 1 is off, 0 takes the most probable token."),
        low=0.0,
        high=2.0,
        step=0.05,
    )
    top_k: int = knob(
        0,
        Message("Top-k"),
        help=Message("Keeps so many of the most probable tokens; 0 is off."),
        low=0,
        high=100,
        step=1,
    )
    top_p: float = knob(
        0.9,
        Message("Top-p"),
        help=Message("Keeps the most probable tokens until they have this much of the probability; 1 is off."),
        low=0.0,
        high=1.0,
        step=0.05,
    )
    min_p: float = knob(
        0.0,
        Message("Min-p"),
        help=Message("Keeps tokens with at least this share of the probability of the most probable one; 0 is off."),
        low=0.0,
        high=1.0,
        step=0.05,
    )
    typical_p: float = knob(
        1.0,
        Message("Typical-p"),
        help=Message(
            "Keeps the tokens that are about as surprising as the model expects, until they have this much of the "
            "probability; 1 is off."
        ),
        low=0.05,
        high=1.0,
        step=0.05,
    )
    greedy: bool = knob(False, Message("Greedy"), help=Message("Always the most probable token; nothing is drawn."))
    seed: int = knob(
        0,
        Message("Seed"),
        help=Message("Another seed, another draw; the same seed, the same text."),
        low=0,
        high=2**31,
    )


@dataclass(frozen=True)
class Pace:
    """How fast tokens are written that nobody presses for."""

    pause: float = knob(
        0.0,
        Message("Seconds for each token"),
        help=Message("How long a token stands alone while the text writes itself; 0 is as fast as the model."),
        low=0.0,
        high=2.0,
        step=0.25,
    )


@dataclass(frozen=True)
class Weights:
    """How exactly the model's numbers are kept."""

    precision: str = knob(
        "automatic",
        Message("Precision"),
        help=Message("With 16 bits a number takes half the memory, and the probabilities are less exact."),
        choices={
            "automatic": Message("by itself: float32 where it fits"),
            "float32": Message("float32"),
            "bfloat16": Message("bfloat16"),
            "float16": Message("float16"),
        },
    )


def ask_precision() -> str | None:
    """Draw the field, folded away; None where the app is to choose."""
    with st.popover(t("Precision")):
        chosen = control("precision", knobs(Weights)["precision"], Weights)
    return None if chosen == Weights.precision else str(chosen)


DRAWING = ("temperature", *sampling.CUTS)
"""What has an effect only where a token is drawn."""


def begins_greedy(stack: str) -> bool:
    """Whether the most probable token is taken at first. An encoder-decoder answers what it has read, with a
    translation say, and nobody wants that drawn; unless something of the draw is set, in the address or by hand."""
    return stack == "encoder-decoder" and not any(map(_is_set, DRAWING))


def _is_set(name: str) -> bool:
    default = getattr(SamplingFields, name)
    try:
        given = getattr(parse_settings(SamplingFields, {name: st.query_params[name]}), name)
    except (KeyError, InputProblem):
        given = st.session_state.get(name, default)
    return bool(given != default)


def suit_greedy(before: str, now: str) -> None:
    """A model with other stacks was chosen: the field begins as suits it, unless it stands as somebody has set it."""
    greedy = st.session_state["greedy"]
    chosen = st.session_state.get("greedy_chosen", False) or greedy != begins_greedy(before)
    st.session_state.update(greedy_chosen=chosen, greedy=greedy if chosen else begins_greedy(now))


def ask_sampling(stack: str) -> tuple[SamplingSettings, Pace]:
    """Draw the fields for a model of these stacks. A filter that has no effect, because the most probable token is
    taken, cannot be moved."""
    hows = knobs(SamplingFields)
    greedy, temperature = (st.session_state.get(name) for name in ("greedy", "temperature"))
    idle = {"temperature": bool(greedy), **dict.fromkeys(sampling.CUTS, bool(greedy) or temperature == 0)}
    with st.container(border=True, horizontal=True, vertical_alignment="center", gap="small", key="strip"):
        values: dict[str, Any] = {}
        for name, how in hows.items():
            if name == "greedy":
                first = begins_greedy(stack)
                values[name] = st.toggle(t(how.label), first, key=name, help=t(how.help or ""), bind="query-params")
            elif name == "seed":
                values[name] = control(name, how, SamplingFields)
            elif name not in RARE:
                values[name] = _slider(name, how, SamplingFields, disabled=idle.get(name, False))
        with st.popover(t("More")):
            values |= {name: _slider(name, hows[name], SamplingFields, disabled=idle[name]) for name in RARE}
            pace = Pace(**{name: _slider(name, how, Pace, disabled=False) for name, how in knobs(Pace).items()})
    return SamplingSettings(**values), pace


def _slider(name: str, how: Knob, kind: type, *, disabled: bool) -> Any:
    """The slider of one filter; whole numbers where its default is one."""
    default = getattr(kind, name)
    low, high, step = (type(default)(bound) for bound in (how.low, how.high, how.step) if bound is not None)
    return st.slider(
        t(how.label),
        low,
        high,
        default,
        step,
        key=name,
        help=t(how.help) if how.help else None,
        bind="query-params",
        disabled=disabled,
        width=WIDE if name in {"repetition_penalty", *RARE, *knobs(Pace)} else SLIDER,
    )
