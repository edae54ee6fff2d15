"""What the fields of a place hold when it is entered: one text follows the reader, settings stay with their place.

Fields have public names (`text`, `rate`, `seed` ...) that several pages share, so Streamlit alone would carry the rate
of one objective over to the next. A place is a page, or one objective of a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

import streamlit as st

from explorer.objectives import objectives
from explorer.types import Message

Fields = Mapping[str, object]
"""Field name -> value."""


@dataclass
class Visits:
    """Where the reader is, what each place held when it was last drawn, the texts that places offered, whether this is
    a return to the place, why settings that the URL asked for on coming cannot be used, long texts of a link that has
    just been followed, and what a link to the place takes along beside its fields."""

    place: str = ""
    held: dict[str, Fields] = field(default_factory=dict)
    offered: set[object] = field(default_factory=set)
    returning: bool = False
    refused: tuple[Message, ...] = ()
    linked: Fields = field(default_factory=dict)
    beside: Fields = field(default_factory=dict)


def enter(place: str, start: Fields, by_hand: Fields | None = None) -> bool:
    """Fill the fields of `place` if the reader has just come: as they were left, else from `start`; a text that
    somebody typed comes along, and then fields filled by hand for another text (`by_hand`) are emptied. Call it
    before the fields are drawn. Gives True on coming; what stands in the URL wins over all this."""
    visits = _visits()
    linked, visits.linked = visits.linked, {}
    if visits.place == place:
        st.session_state.update(linked)
        return False
    visits.place, visits.returning, visits.refused, visits.beside = place, place in visits.held, (), {}
    fields = dict(visits.held.get(place, start))
    typed = st.session_state.get("text")
    ready = is_ready(typed)
    visits.offered.add(start.get("text"))
    if "text" in fields and typed and not ready and typed != fields["text"]:
        fields |= {"text": typed, **(by_hand or {})}
    for name, value in {**fields, **linked}.items():
        st.session_state[name] = value
    return True


def bring(texts: Fields) -> None:
    """Long texts of a link, for the fields that are entered next; they win as what stands in the URL does."""
    _visits().linked = texts


def brought() -> bool:
    """Whether a link brings a text that stands packed in it."""
    return bool(_visits().linked)


def held() -> Fields:
    """What the place holds now: its fields, and what a link to it takes along beside them."""
    visits = _visits()
    names = visits.held.get(visits.place, {})
    return {**{name: st.session_state.get(name, value) for name, value in names.items()}, **visits.beside}


def take_along(beside: Fields) -> None:
    """Tell what a link to the place holds beside its fields."""
    _visits().beside = beside


def leave(names: Iterable[str]) -> None:
    """Keep the fields of the place for the next visit: call it when they have been drawn."""
    visits = _visits()
    visits.held[visits.place] = {name: st.session_state[name] for name in names if name in st.session_state}


def offer(texts: Iterable[object]) -> None:
    """Tell which texts are the app's own, not the reader's."""
    _visits().offered.update(texts)


def is_ready(text: object) -> bool:
    """Whether a text is one of the app's own."""
    return text in ready_texts() or text in _visits().offered


def refuse(reasons: Iterable[Message]) -> None:
    """Keep, for as long as the reader stays, why the URL was not followed: the page may be drawn several times before
    anybody can read it."""
    _visits().refused = tuple(reasons)


def refused() -> tuple[Message, ...]:
    """Why settings in the URL cannot be used."""
    return _visits().refused


def returning() -> bool:
    """Whether the reader has been here before."""
    return _visits().returning


@cache
def ready_texts() -> frozenset[str]:
    """The texts that the app itself offers; all others have been typed."""
    return frozenset(example.texts.text for item in objectives().values() for example in item.examples)


def _visits() -> Visits:
    visits = st.session_state.setdefault("visits", Visits())
    assert isinstance(visits, Visits)  # noqa: S101 - for the type checker
    return visits
