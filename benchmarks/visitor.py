"""One visitor without a browser: speaks Streamlit's websocket protocol, so that only the server's time is measured."""

from __future__ import annotations

import time
from typing import Any

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.sync.client import ClientConnection, connect


class Visitor:
    """Opens a page, edits its text boxes, presses its buttons. boxes, buttons: the ids of the last run's text boxes in
    their order, and of its buttons by key; fragment: the id of the part that draws itself anew."""

    def __init__(self, port: int) -> None:
        address = f"127.0.0.1:{port}"
        self._socket: ClientConnection = connect(
            f"ws://{address}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=f"http://{address}",  # type: ignore[arg-type]
            max_size=None,
        )
        self._page = ""
        self._query = ""
        self.boxes: list[str] = []
        self.buttons: dict[str, str] = {}
        self.fragment = ""
        self.failed = False

    def open(self, page: str, query: str = "") -> float:
        """Open a page by its path; seconds until the server has drawn it."""
        self._page, self._query = page, query
        return self._run({})

    def type(self, text: str, box: int = 0) -> float:
        """Put a text into the page's text box number `box`; seconds until the server has drawn the page again."""
        return self._run({self.boxes[box]: text})

    def press(self, key: str) -> float:
        """Press a button; seconds until the server has drawn the page again."""
        return self._run({}, pressed=self.buttons[key])

    def look(self) -> float:
        """Have the part that draws itself anew drawn, as the browser does; seconds until it is."""
        return self._run({}, fragment=self.fragment)

    def close(self) -> None:
        """Leave."""
        self._socket.close()

    def _run(self, values: dict[str, str], pressed: str | None = None, fragment: str = "") -> float:
        message = BackMsg()
        state = message.rerun_script
        state.page_name, state.query_string, state.fragment_id = self._page, self._query, fragment
        if pressed is not None:
            widget = state.widget_states.widgets.add()
            widget.id, widget.trigger_value = pressed, True
        for id, value in values.items():
            widget = state.widget_states.widgets.add()
            widget.id, widget.string_value = id, value
        began = time.perf_counter()
        self._socket.send(message.SerializeToString())
        boxes: list[str] = []
        while True:
            answer: Any = ForwardMsg()
            answer.ParseFromString(self._socket.recv())
            kind = answer.WhichOneof("type")
            if kind == "delta":
                element = answer.delta.new_element
                if element.WhichOneof("type") == "text_area":
                    boxes.append(element.text_area.id)
                if element.WhichOneof("type") == "button":
                    self.buttons[element.button.id.rpartition("-")[2]] = element.button.id
                self.failed |= element.WhichOneof("type") == "exception"
            elif kind == "auto_rerun":
                self.fragment = answer.auto_rerun.fragment_id
            elif kind == "script_finished":
                self.boxes = boxes or self.boxes
                return time.perf_counter() - began

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
