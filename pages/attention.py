"""Attention: what each head of each layer looks at."""

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import attention_lab, attention_tabs, frame, head_part
from explorer.ui.jobs import AT_ONCE, wait
from explorer.ui.lessons import lesson_box
from explorer.ui.models import standing
from explorer.ui.words import sentence

frame.page("attention")
frame.question(Message("Which position looks at which, and how much?"))
try:
    asked = attention_lab.ask()
except InputProblem as problem:
    st.error(sentence(problem.message))
    lesson_box("attention")
else:
    job = attention_lab.look(asked)
    seen = None if job is None else job.within(AT_ONCE)
    frame.status(asked.model, standing(asked.model, seen.model if seen else None))
    waiting = head_part.head_part(asked, seen)
    further = st.container()
    lesson_box("attention")
    if job is None:
        attention_lab.lacking(asked, waiting)
    elif seen is None:
        wait(job, waiting)
    else:
        with further:
            attention_tabs.tabs(asked, seen)
