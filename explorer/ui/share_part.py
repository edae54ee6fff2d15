"""The link to a page as it is now, to be copied or put into the lesson plan; drawn only while it is open."""

from __future__ import annotations

from pathlib import Path

import streamlit as st

from explorer.sharing import IDS, Link, Stop, link
from explorer.types import Message
from explorer.ui.components import component
from explorer.ui.plan import add
from explorer.ui.visits import held
from explorer.ui.words import language, sentence, t

_copy = component(
    "copy",
    "<div class='copy'><input readonly><button type='button'></button></div>",
    Path(__file__).with_name("copy.css").read_text(encoding="utf-8"),
)


WORDS = {
    "label": Message("Link to this page"),
    "copy": Message("Copy link"),
    "copied": Message("Copied"),
    "by_hand": Message("Press Ctrl+C"),
}


@st.fragment
def share_part(page: str, title: Message) -> None:
    """A button that opens the link of `page`; it is made when it is asked for, so it holds what the page holds then."""
    with st.popover(t("Share"), icon=":material/share:", type="tertiary", key="share", on_change="rerun") as box:
        if not box.open:
            return
        made = here()
        words = {name: t(word) for name, word in WORDS.items()}
        _copy("copy_link", {"query": made.query, **words})
        for note in made.notes:
            st.warning(sentence(note))
        st.caption(t("It opens this page with its text, settings, seed and model."))
        if IDS in held():
            st.caption(t("The tokens that were written come along, without other branches."))
        name = st.text_input(t("Title in the lesson plan"), value=t(title), key="stop_title", max_chars=80)
        if st.button(t("Add to the lesson plan"), key="add_stop"):
            add(Stop(name or t(title), page, made.query))
            st.caption(t("Added. The plan stands on the home page."))


def here() -> Link:
    """The link to what the page holds now. After the browser's way back the address lacks what has not been touched
    since, so the fields are asked as well."""
    address = {name: st.query_params.get_all(name) for name in st.query_params}
    return link({**address, **held(), "lang": language()})
