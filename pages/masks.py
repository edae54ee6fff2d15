"""Masks: any mask, why each cell is open or closed, and attention worked by hand."""

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import frame, mask_lab
from explorer.ui.lessons import lesson_box
from explorer.ui.words import sentence

frame.page("masks")
frame.question(Message("Which position may look at which?"))
try:
    rules = mask_lab.ask_mask()
except InputProblem as problem:
    st.error(sentence(problem.message))
else:
    left, right = st.columns(2, gap="large")
    with left:
        mask_lab.mask_with_reasons(rules)
    with right:
        mask_lab.both_conventions(rules)
mask_lab.worked_example()
lesson_box("masks")
