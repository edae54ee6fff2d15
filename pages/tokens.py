"""Tokens: one text through several tokenizers."""

from explorer.types import Message
from explorer.ui import frame, token_lab
from explorer.ui.lessons import lesson_box

frame.page("tokens")
frame.question(Message("What does a model read instead of your text?"))
token_lab.draw_tokens(*token_lab.ask_tokens())
lesson_box("tokens")
