"""The guided tour: stops in five minutes, each a page in a state that shows its point, with one sentence on top.

The stop stands in the link that leads to it and then in the session, so the tour goes along wherever the reader goes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import streamlit as st

from explorer.types import Message
from explorer.ui.visits import bring
from explorer.ui.words import literal, t

FIELD = "tour"
"""Its name in a link: the number of a stop, counted from 1; any other value ends the tour."""

Link = Callable[[str, str, Mapping[str, str], str], None]
"""Draws a link to a page by key, with words, what its address holds, and an icon."""


@dataclass(frozen=True)
class Station:
    """One stop: the page, what to see there, and the fields that show it."""

    page: str
    words: Message
    fields: Mapping[str, object]


STATIONS = (
    Station(
        "tokens",
        Message("A model reads tokens, not letters: each tokenizer cuts the same text in its own way."),
        {"text": "Tokenizers cut unbelievable words into pieces. 나는 밥을 먹었다"},
    ),
    Station(
        "masks",
        Message("A mask says who may look at whom: the causal one closes the future. Click a cell to read why."),
        {"kind": "causal", "length": 5, "pad": 0},
    ),
    Station(
        "bert",
        Message("BERT sees both sides and names the hidden tokens; only they have a loss. Click a token to hide it."),
        {"text": "the cat sat on the mat", "text_b": "", "select": "3"},
    ),
    Station(
        "gpt",
        Message("GPT names every next token: follow a line from an output to the label it is compared with."),
        {"text": "The cat sat on the mat.", "shift_twice": False},
    ),
    Station(
        "sft",
        Message("Fine-tuning reads the prompt and the answer alike, but only the answer has a loss."),
        {"text": "Q: What is the capital of France?\nA:", "target": " Paris.", "prompt_alone": False},
    ),
    Station(
        "t5",
        Message("T5 puts a sentinel in the place of each span, and the decoder writes only what was cut out."),
        {"text": "Thank you for inviting me to your party last week.", "target": "", "spans": "2:4,8:9"},
    ),
    Station(
        "generate",
        Message("Filters cut the distribution and one draw decides: press Step, move a slider, go back."),
        {"text": "Once upon a time", "temperature": 0.8, "top_p": 0.9, "seed": 1},
    ),
    Station(
        "exercises",
        Message("Now you: fill in the labels and press Check; every wrong cell says why it is wrong."),
        {"code": "labels-1-1"},
    ),
)


def take_stop() -> None:
    """Where a link has led to a stop, note it and fill its fields; the address then is that of the page alone. The
    fields are not in the link: on the way from one page to the next Streamlit drops what the page before had under the
    same names."""
    given = st.query_params.get(FIELD)
    if given is None:
        return
    del st.query_params[FIELD]
    at = int(given) if given in {str(number) for number, _ in enumerate(STATIONS, 1)} else None
    st.session_state["tour_at"] = at
    if at is not None:
        bring(STATIONS[at - 1].fields)


def tour_part(page: str, link: Link) -> None:
    """On a tour: the sentence of the stop, the way back and on, and a button that ends it. Away from the stop: the way
    back to it."""
    at = st.session_state.get("tour_at")
    if at is None:
        return
    station, count = STATIONS[at - 1], {"number": at, "count": len(STATIONS)}
    with st.container(border=True, key="tour"):
        heading = literal(t("Tour, stop {number} of {count}", **count))
        st.markdown(f"**{heading}** · {literal(t(station.words))}")
        with st.container(horizontal=True, vertical_alignment="center"):
            if page != station.page:
                _to(at, t("Back to the stop"), "my_location", link)
            else:
                if at > 1:
                    _to(at - 1, t("Back"), "arrow_back", link)
                if at < len(STATIONS):
                    _to(at + 1, t("Next"), "arrow_forward", link)
            st.button(t("End the tour"), key="end_tour", type="tertiary", on_click=_end)


def tour_box(link: Link, title: Callable[[str], str]) -> None:
    """On the home page: where the tour begins, and all its stops. title: that of a page by key."""
    with st.container(horizontal=True, vertical_alignment="center", key="tour_box"):
        words = t("Five-minute tour: {count} stops", count=len(STATIONS))
        _to(1, words, "flag", link)
    with st.expander(t("The stops of the tour")):
        for at, station in enumerate(STATIONS, 1):
            _to(at, f"{at}. {title(station.page)}", "", link)
            st.caption(literal(t(station.words)))


def _to(at: int, words: str, icon: str, link: Link) -> None:
    """A link to a stop."""
    link(STATIONS[at - 1].page, words, {FIELD: str(at)}, icon)


def _end() -> None:
    st.session_state["tour_at"] = None
