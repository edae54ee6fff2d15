"""Generate: a text written token by token."""

import streamlit as st

from explorer.types import InputProblem, Message
from explorer.ui import frame, generate_lab
from explorer.ui.fill_part import fill_part
from explorer.ui.lessons import lesson_box
from explorer.ui.models import standing
from explorer.ui.words import sentence
from explorer.ui.writing_part import writing_part

frame.page("generate")
frame.question(
    Message("One forward pass gives a distribution; the filters cut it; one draw decides. How does a text come about?")
)
try:
    writing = generate_lab.begin(generate_lab.ask())
    place = writing_part(writing)
except InputProblem as problem:
    st.error(sentence(problem.message))
    lesson_box("generate")
else:
    fill_part()
    lesson_box("generate")
    frame.status(writing.asked.model, standing(writing.asked.model, writing.running))
    generate_lab.finish(writing, place)
