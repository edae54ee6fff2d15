"""The lesson plan: links with titles that a teacher arranges, saves as a file and opens again; kept in the session."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from explorer.sharing import Stop, read_plan, write_plan
from explorer.types import InputProblem, Message
from explorer.ui.upload_field import upload_field
from explorer.ui.words import sentence, t
from explorer.uploads import Upload

FILE = "lesson-plan.json"

MOVES = (
    (-1, "arrow_upward", Message("Move up")),
    (1, "arrow_downward", Message("Move down")),
    (0, "close", Message("Remove")),
)
"""Steps of a stop in the plan (0: out of it), with their icons and words."""

Plan = tuple[Stop, ...]


def plan() -> Plan:
    """The stops, in order."""
    found = st.session_state.get("plan", ())
    return tuple(found)


def add(stop: Stop) -> None:
    """One more stop at the end."""
    st.session_state["plan"] = (*plan(), stop)


def plan_box(pages: dict[str, str], link: Callable[[Stop], None]) -> None:
    """The plan with its links, arrows to move them and files. pages: key -> script; link draws one."""
    with st.expander(t("Lesson plan"), expanded=bool(plan())):
        if not plan():
            st.caption(t("Share, at the top of every page, puts its link here. Arrange the links and save the file."))
        for at, stop in enumerate(plan()):
            _stop(at, stop, link)
        with st.container(horizontal=True, vertical_alignment="bottom"):
            if plan():
                data = write_plan(plan())
                st.download_button(t("Save as a file"), data, FILE, "application/json", on_click="ignore")
            given = upload_field("plan_file", t("Open a lesson plan"), ["json"])
        if given is not None and given != st.session_state.get("plan_opened"):
            _open(given, pages)
        if st.session_state.get("plan_problem") is not None:
            st.error(sentence(st.session_state["plan_problem"]))


def _stop(at: int, stop: Stop, link: Callable[[Stop], None]) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"stop_{at}"):
        link(stop)
        for step, icon, words in MOVES:
            st.button(
                t(words),
                key=f"stop_{at}_{icon}",
                icon=f":material/{icon}:",
                type="tertiary",
                disabled=at + step not in range(len(plan())),
                on_click=_change,
                args=(at, step),
            )


def _change(at: int, step: int) -> None:
    stops = [*plan()]
    stop = stops.pop(at)
    if step:
        stops.insert(at + step, stop)
    st.session_state["plan"] = tuple(stops)


def _open(given: Upload, pages: dict[str, str]) -> None:
    """Take the plan of a file in place of the one there is; a file that is none leaves that one as it is."""
    st.session_state["plan_opened"] = given
    st.session_state["plan_problem"] = None
    try:
        st.session_state["plan"] = read_plan(given.text, pages)
    except InputProblem as problem:
        st.session_state["plan_problem"] = problem.message
        return
    st.rerun()
