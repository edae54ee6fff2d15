"""One visitor without a browser: speaks Streamlit's websocket protocol, so that only the server's time is measured."""

from __future__ import annotations

import io
import time
from contextlib import suppress
from threading import Condition, Thread
from typing import Any

import pandas as pd
import pyarrow as pa
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

PATIENCE = 600.0
"""Seconds that the server may take for one answer."""

LABELS = "label, as passed"
"""A column of the table that is kept: an objective page's own, not that of the best candidates below it."""


class Visitor:
    """Opens a page, edits its text boxes, presses its buttons. boxes, buttons: the ids of the last run's text boxes in
    their order, and of its buttons by key; fragment: the id of the part that draws itself anew; failed: whether a page
    showed an exception.

    What the server sends is read in a thread of its own, so that its answers are never mixed up with those to an
    earlier question, and nobody waits for one that will not come: that is a TimeoutError.
    """

    def __init__(self, port: int, patience: float = PATIENCE) -> None:
        address = f"127.0.0.1:{port}"
        self._socket: ClientConnection = connect(
            f"ws://{address}/_stcore/stream",
            subprotocols=["streamlit"],  # type: ignore[list-item]
            origin=f"http://{address}",  # type: ignore[arg-type]
            max_size=None,
            open_timeout=patience,
        )
        self._patience = patience
        self._page = ""
        self._query = ""
        self._told, self._begun, self._drawn, self._gone = Condition(), False, False, False
        self._boxes: list[str] = []
        self._table = b""
        self.boxes: list[str] = []
        self.buttons: dict[str, str] = {}
        self.fragments: dict[str, str] = {}
        self.fragment = ""
        self.failed = False
        Thread(target=self._read, daemon=True).start()

    @property
    def has_table(self) -> bool:
        """Whether the page has drawn a table yet."""
        return bool(self._table)

    @property
    def table(self) -> pd.DataFrame:
        """The last table that was drawn."""
        return pa.ipc.open_stream(io.BytesIO(self._table)).read_pandas()

    def open(self, page: str, query: str = "") -> float:
        """Open a page by its path; seconds until the server has drawn it."""
        self._page, self._query = page, query
        return self._run({})

    def type(self, text: str, box: int = 0) -> float:
        """Put a text into the page's text box number `box`; seconds until the server has drawn the page again."""
        return self._run({self.boxes[box]: text})

    def press(self, key: str, *, alone: bool = False) -> float:
        """Press a button; seconds until the server has drawn the page again, or `alone` the part that it is in."""
        return self._run({}, pressed=self.buttons[key], fragment=self.fragments[key] if alone else "")

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
        with self._told:
            self._begun = self._drawn = False
            began = time.perf_counter()
            self._socket.send(message.SerializeToString())
            if not self._told.wait_for(lambda: self._drawn or self._gone, self._patience):
                raise TimeoutError(f"page {self._page or 'home'} was not drawn in {self._patience:.0f} seconds")
        if not self._drawn:
            raise ConnectionError("the server has hung up")
        return time.perf_counter() - began

    def _read(self) -> None:
        with suppress(ConnectionClosed):
            for data in self._socket:
                answer: Any = ForwardMsg()
                answer.ParseFromString(data)
                with self._told:
                    self._take(answer)
        with self._told:
            self._gone = True
            self._told.notify_all()

    def _take(self, answer: Any) -> None:
        kind = answer.WhichOneof("type")
        if kind == "new_session":
            self._begun, self._boxes = True, []
        elif kind == "delta":
            self._see(answer.delta.new_element, answer.delta.fragment_id)
        elif kind == "auto_rerun":
            self.fragment = answer.auto_rerun.fragment_id
        elif kind == "script_finished" and answer.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN:
            # One that was cut short is followed by another, and one begun before the question is no answer to it.
            self.boxes = self._boxes or self.boxes
            self._drawn = self._begun
            self._told.notify_all()

    def _see(self, element: Any, fragment: str) -> None:
        kind = element.WhichOneof("type")
        if kind == "text_area":
            self._boxes.append(element.text_area.id)
        elif kind == "button":
            key = element.button.id.rpartition("-")[2]
            self.buttons[key], self.fragments[key] = element.button.id, fragment
        elif kind == "dataframe":
            drawn = element.dataframe.arrow_data.data
            if LABELS in pa.ipc.open_stream(io.BytesIO(drawn)).schema.names:
                self._table = drawn
        self.failed |= kind == "exception"

    def __enter__(self) -> Visitor:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
