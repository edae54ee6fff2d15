"""Masks: any mask, why each cell is open or closed, and attention worked by hand."""

from functools import partial

import streamlit as st

from explorer.masks import Rules
from explorer.types import InputProblem, Message
from explorer.ui import frame, mask_lab
from explorer.ui.lessons import lesson_box
from explorer.ui.take_home_part import take_home
from explorer.ui.words import sentence

frame.page("masks")
frame.question(Message("Which position may look at which?"))
try:
    rules: Rules | None = mask_lab.ask_mask()
except InputProblem as problem:
    rules = None
    st.error(sentence(problem.message))
else:
    left, right = st.columns(2, gap="large")
    with left:
        mask_lab.mask_with_reasons(rules)
    with right:
        mask_lab.both_conventions(rules)
case = mask_lab.worked_example()
if rules is not None:
    take_home(partial(mask_lab.mask_parcel, rules, case))
lesson_box("masks")
