"""Generate: a text written token by token."""

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import frame, generate_lab
from explorer.ui.lessons import lesson_box
from explorer.ui.models import standing
from explorer.ui.words import sentence
from explorer.ui.writing_part import write

frame.page("generate")
frame.question(
    Message("One forward pass gives a distribution; the filters cut it; one draw decides. How does a text come about?")
)
try:
    asked = generate_lab.ask_prompt()
    writing = generate_lab.begin(asked)
except InputProblem as problem:
    st.error(sentence(problem.message))
else:
    frame.status(asked.model, standing(asked.model, writing.session.generation.model if writing else None))
    if writing is not None:
        write()
lesson_box("generate")
