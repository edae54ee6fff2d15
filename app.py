"""Home: the map of families."""

import streamlit as st

from explorer.types import Message
from explorer.ui import families, frame
from explorer.ui.plan import plan_box
from explorer.ui.tour import tour_box
from explorer.ui.visits import enter
from explorer.ui.words import t

frame.page("home")
frame.question(Message("What each Transformer family is fed in training, and where its loss lies."))
tour_box(frame.field_link, lambda key: t(frame.PAGES[key].title))
st.markdown(t("Two questions tell them apart: who may look at whom, and which outputs have a loss."))
st.caption(t("Filled cells are open; orange outputs are compared with a label."))
for start in (0, 3):
    for column, family in zip(st.columns(3), families.FAMILIES[start : start + 3], strict=True):
        with column.container(border=True, height="stretch"):
            frame.link(family.page)
            st.html(families.card(family))
st.html(families.comparison())
enter("home", {})
plan_box({key: page.script for key, page in frame.PAGES.items()}, frame.stop_link)
