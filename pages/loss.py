"""Loss: from logits to one number."""

from explorer.types import Message
from explorer.ui import frame, loss_lab
from explorer.ui.lessons import lesson_box

frame.page("loss")
frame.question(Message("How do a model's outputs become one number, and what is that number a mean of?"))
loss_lab.loss_lab()
lesson_box("loss")
