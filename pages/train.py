"""Train: a tiny model learns while the class watches."""

from functools import partial

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import frame, live_lab, live_part
from explorer.ui.leak_part import leak_part
from explorer.ui.lessons import lesson_box
from explorer.ui.live_parcel import live_parcel
from explorer.ui.take_home_part import take_home
from explorer.ui.words import sentence

frame.page("train")
frame.question(Message("A tiny model starts from nothing. What does it learn first, and what can go wrong?"))
asked = live_lab.ask()
try:
    examples = live_lab.examples_of(asked.key, asked.text)
except InputProblem as problem:
    st.error(sentence(problem.message))
else:
    run = live_lab.run_of(asked)
    live_part.live_part(asked, run, examples)
    live_part.example_part(asked, examples)
    leak_part(asked, run, examples)
    take_home(partial(live_parcel, asked, run, examples))
lesson_box("train")
