"""Status: how the server stands, for whoever teaches with it."""

from explorer.types import Message
from explorer.ui import frame
from explorer.ui.lessons import lesson_box
from explorer.ui.status_part import status_part

frame.page("status")
frame.question(Message("How does this server stand: who is here, what is in memory, who waits?"))
status_part()
lesson_box("status")
