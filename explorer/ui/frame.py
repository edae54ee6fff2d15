"""The frame of every page: title, style, and the sidebar with all pages, language, model and device."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from html import escape
from pathlib import Path
from typing import Literal

import streamlit as st
from streamlit.components.v2.types import ComponentRenderer
from streamlit.errors import StreamlitAPIException
from streamlit.runtime.scriptrunner import get_script_run_ctx

from explorer.host import rules
from explorer.models.glance import glance
from explorer.sharing import PACKED, Stop, unpack
from explorer.types import InputProblem, Message
from explorer.ui.choice import address, shown
from explorer.ui.leaving import arrive
from explorer.ui.share_part import share_part
from explorer.ui.show_part import show_part, show_switch, showing
from explorer.ui.tour import take_stop, tour_part
from explorer.ui.visits import bring
from explorer.ui.words import browser_language, languages, literal, sentence, t
from explorer.views.style import one_line, stylesheet

APP = Message("Pretraining Explorer")

SIDEBAR = 264
"""Pixels that the sidebar takes at first."""

SHEETS = ("frame.css", "show.css", "print.css")


def _unseen(name: str) -> ComponentRenderer:
    """A script of every page that shows nothing."""
    js = Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")
    return st.components.v2.component(f"explorer.{name}", html="<i></i>", js=js, isolate_styles=False)


_whole_characters, _paper = _unseen("whole"), _unseen("print")


@dataclass(frozen=True)
class Page:
    """One page: its script, its title, the heading it stands under in the sidebar, and whether it is for the host:
    such a page stands at the sidebar's end."""

    script: str
    title: Message
    group: Message | None = None
    hosting: bool = False


READ, OBJECTIVES, INSIDE = Message("Read"), Message("Objectives"), Message("Look inside")
PRACTISE = Message("Practise")

PAGES = {
    "home": Page("app.py", APP),
    "tokens": Page("pages/tokens.py", Message("Tokens"), READ),
    "masks": Page("pages/masks.py", Message("Masks"), READ),
    "transformer": Page("pages/transformer.py", Message("Transformer"), OBJECTIVES),
    "bert": Page("pages/bert.py", Message("BERT"), OBJECTIVES),
    "gpt": Page("pages/gpt.py", Message("GPT"), OBJECTIVES),
    "sft": Page("pages/sft.py", Message("SFT"), OBJECTIVES),
    "prefix_lm": Page("pages/prefix_lm.py", Message("Prefix LM"), OBJECTIVES),
    "bart": Page("pages/bart.py", Message("BART"), OBJECTIVES),
    "t5": Page("pages/t5.py", Message("T5"), OBJECTIVES),
    "fine_tuning": Page("pages/fine_tuning.py", Message("Fine-tuning"), OBJECTIVES),
    "attention": Page("pages/attention.py", Message("Attention"), INSIDE),
    "generate": Page("pages/generate.py", Message("Generate"), INSIDE),
    "train": Page("pages/train.py", Message("Train"), INSIDE),
    "loss": Page("pages/loss.py", Message("Loss"), INSIDE),
    "compare": Page("pages/compare.py", Message("Compare"), INSIDE),
    "exercises": Page("pages/exercises.py", Message("Exercises"), PRACTISE),
    "status": Page("pages/status.py", Message("Status"), hosting=True),
}
"""Every page there is, in the order of the sidebar."""


def page(key: str) -> None:
    """Start a page: call it first. The page's title is drawn; what it asks comes from `question`."""
    arrive()
    glance()
    _take_back_step()
    st.html(f"<style>{_style()}</style>")
    code = _language()
    broken, presented = _take_texts(key), showing()
    take_stop()
    title = t(PAGES[key].title)
    st.set_page_config(
        page_title=title if key == "home" else f"{title} · {t(APP)}",
        page_icon=Path(__file__).with_name("icon.svg"),
        layout="wide",
        initial_sidebar_state=SIDEBAR,
        menu_items={"About": t("What each Transformer family is fed in training, and where its loss lies.")},
    )
    _whole_characters(key="whole")
    _paper(key="paper")
    with st.sidebar:
        _sidebar(key, code)
    with st.container(horizontal=True, horizontal_alignment="distribute", vertical_alignment="center", key="top"):
        st.title(title, anchor=False, width="content")
        with st.container(horizontal=True, width="content", vertical_alignment="center"):
            if presented:
                show_part()
            share_part(key, PAGES[key].title)
    tour_part(key, field_link)
    if broken is not None:
        st.warning(sentence(broken))


def _take_texts(page: str) -> Message | None:
    """Long texts that stand packed in a link go to their fields; why they cannot, as long as the page is looked at."""
    code = st.query_params.get(PACKED)
    if code is not None:
        del st.query_params[PACKED]
        try:
            bring(unpack(code))
        except InputProblem as problem:
            st.session_state["broken_link"] = (page, problem.message)
    about, reason = st.session_state.get("broken_link", ("", None))
    return reason if about == page else None


def _take_back_step() -> None:
    """Following a link empties the address of the page that is left, and on the way back Streamlit takes what the
    address lacks for the default. An ordinary run takes it from the session, where the reader left it."""
    run = get_script_run_ctx()
    if run is not None and run.is_history_navigation:
        st.rerun()


def _language() -> str:
    """The reader's language: what the switch shows, or what it was on the page before, which Streamlit alone forgets on
    the way from a link with ?lang=."""
    kept = st.session_state.get("lang_shown") or st.session_state.get("language")
    if kept is not None:
        st.session_state["lang"] = kept
    code = address("lang", browser_language(), languages())
    st.session_state["language"] = code
    return code


def question(message: Message) -> None:
    """The one sentence under the title."""
    st.html(f'<p class="xp question">{escape(t(message))}</p>')


def status(name: str, device: str) -> None:
    """The last line of the sidebar: which model is looked at, and where it runs."""
    st.sidebar.html(f'<p class="xp soft status">{escape(name)} · {escape(device)}</p>')


def _sidebar(key: str, code: str) -> None:
    group = None
    for item in (item for item in PAGES.values() if not item.hosting):
        if item.group is not None and item.group != group:
            group = item.group
            _heading(group)
        _draw_link(item)
    _heading(Message("Settings"))
    shown("lang", t("Language"), languages(), code)
    show_switch()
    if rules().status:
        _draw_link(PAGES["status"])


def _heading(message: Message) -> None:
    st.html(f'<p class="xp group">{escape(t(message))}</p>')


def link(key: str, width: Literal["stretch", "content"] = "stretch") -> None:
    """A link to a page by its title."""
    _draw_link(PAGES[key], width)


def stop_link(stop: Stop) -> None:
    """A link of a lesson plan."""
    st.page_link(PAGES[stop.page].script, label=literal(stop.title), query_params=stop.fields, width="stretch")


def field_link(key: str, words: str, fields: Mapping[str, str], icon: str) -> None:
    """A link to a page with some of its fields filled in; icon: the name of a symbol, or nothing."""
    symbol = f":material/{icon}:" if icon else None
    try:
        st.page_link(PAGES[key].script, label=literal(words), icon=symbol, query_params=dict(fields), width="content")
    except StreamlitAPIException:
        # As in _draw_link.
        st.html(f'<p class="xp">{escape(words)}</p>')


def _draw_link(item: Page, width: Literal["stretch", "content"] = "stretch") -> None:
    try:
        st.page_link(item.script, label=t(item.title), width=width)
    except StreamlitAPIException:
        # A page script that is run by itself, as tests do, knows no other pages.
        st.html(f'<p class="xp">{escape(t(item.title))}</p>')


@cache
def _style() -> str:
    sheets = [Path(__file__).with_name(name).read_text(encoding="utf-8") for name in SHEETS]
    return "\n".join([stylesheet(), *map(one_line, sheets)])
