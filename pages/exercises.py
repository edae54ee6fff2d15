"""Exercises: tables to fill in, checked by the code that draws them."""

from explorer.types import Message
from explorer.ui import exercise_lab, frame
from explorer.ui.lessons import lesson_box

frame.page("exercises")
frame.question(Message("Do you know what the model is fed, and where its loss lies?"))
exercise_lab.exercises()
lesson_box("exercises")
