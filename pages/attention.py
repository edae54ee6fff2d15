"""Attention: what each head of each layer looks at."""

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import attention_lab, frame
from explorer.ui.lessons import lesson_box
from explorer.ui.models import standing
from explorer.ui.words import sentence

frame.page("attention")
frame.question(Message("Who does look at whom?"))
try:
    asked = attention_lab.ask_example()
    seen = attention_lab.look(asked)
except InputProblem as problem:
    st.error(sentence(problem.message))
else:
    frame.status(asked.model, standing(asked.model, seen.model if seen else None))
    if seen is not None:
        attention_lab.heads(asked, seen)
lesson_box("attention")
