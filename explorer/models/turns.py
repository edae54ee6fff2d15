"""Whose turn it is with a model: one pass at a time, in the order of asking, and what can be read together is.

Whoever has had a turn stands behind all others with what else they ask for, so nobody has two turns while somebody
waits. A pass that can be made for several at once takes along all who wait for one of its kind.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from threading import Event, Lock, get_ident
from typing import Any, TypeVar

R = TypeVar("R")
A = TypeVar("A")

TELL = 0.5
"""Seconds between two words to somebody who waits."""

MOST = 32
"""How many go together at most."""


@dataclass(frozen=True)
class Asker:
    """Who asks for passes. told: called in the thread that waits, about every `TELL` seconds, with the number of other
    people who come first, and with 0 when the waiting is over; it leaves the line by raising an exception."""

    who: Hashable
    told: Callable[[int], None]


_asker: ContextVar[Asker | None] = ContextVar("asker", default=None)


@contextmanager
def asking(asker: Asker) -> Iterator[None]:
    """What this thread asks for in the block, it asks for in the name of `asker`."""
    before = _asker.set(asker)
    try:
        yield
    finally:
        _asker.reset(before)


@dataclass(eq=False)
class _Ticket:
    """One pass that is asked for. request: what it reads, where it may go together with others."""

    who: Hashable
    request: Any = None
    answer: Any = None
    problem: Exception | None = None
    called: Event = field(default_factory=Event)


class Turns:
    """The line before one model. As a context it is a lock that the thread which has it may take again."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting: list[_Ticket] = []
        self._having: list[_Ticket] = []
        self._thread, self._depth = 0, 0

    @property
    def waiting(self) -> int:
        """How many passes wait."""
        with self._lock:
            return len(self._waiting)

    @property
    def busy(self) -> bool:
        """Whether a pass is being made."""
        return bool(self._having)

    def __enter__(self) -> Turns:
        if self._thread != get_ident():
            self._wait(_Ticket(_who()))
        self._depth += 1
        return self

    def __exit__(self, *_: object) -> None:
        self._depth -= 1
        if not self._depth:
            self._pass_on()

    def together(self, request: R, serve: Callable[[Sequence[R]], Sequence[A]]) -> A:
        """The answer to a request, which `serve` may give to several at once: it is called once, in the thread of the
        first, with the requests of all who wait here. Raises what `serve` raises, for each of them."""
        if self._thread == get_ident():
            return serve([request])[0]
        ticket = _Ticket(_who(), request)
        if self._wait(ticket):
            with self:
                self._serve(serve)
        if ticket.problem is not None:
            raise ticket.problem
        answer: A = ticket.answer
        return answer

    def _serve(self, serve: Callable[[Sequence[Any]], Sequence[Any]]) -> None:
        with self._lock:
            others = [each for each in self._waiting if each.request is not None][: MOST - 1]
            self._waiting = [each for each in self._waiting if each not in others]
            self._having = [*self._having, *others]
            tickets = self._having
        try:
            for ticket, answer in zip(tickets, serve([each.request for each in tickets]), strict=True):
                ticket.answer = answer
        except Exception as problem:
            for ticket in tickets:
                ticket.problem = problem

    def _wait(self, ticket: _Ticket) -> bool:
        """Stand in the line until the ticket is called; whether this thread is to make the pass. False: it was made."""
        asker = _asker.get()
        with self._lock:
            self._waiting.append(ticket)
            self._call()
        try:
            told = False
            while not ticket.called.wait(TELL):
                if asker is not None:
                    asker.told(self._before(ticket))
                    told = True
            if asker is not None and told:
                asker.told(0)
        except BaseException:
            self._leave(ticket)
            raise
        if ticket is not self._first:
            return False
        self._thread = get_ident()
        return True

    @property
    def _first(self) -> _Ticket | None:
        return self._having[0] if self._having else None

    def _before(self, ticket: _Ticket) -> int:
        """How many other people come first."""
        with self._lock:
            if ticket not in self._waiting:
                return 0
            ahead = [*self._having, *self._waiting[: self._waiting.index(ticket)]]
            return len({each.who for each in ahead} - {ticket.who})

    def _leave(self, ticket: _Ticket) -> None:
        with self._lock:
            if ticket in self._waiting:
                self._waiting.remove(ticket)
        if ticket is self._first:
            self._pass_on()

    def _call(self) -> None:
        """Call the next one, where nobody has the model."""
        if self._waiting and not self._having:
            self._having = [self._waiting.pop(0)]
            self._having[0].called.set()

    def _pass_on(self) -> None:
        with self._lock:
            done, self._having, self._thread = self._having, [], 0
            served = {each.who for each in done}
            self._waiting.sort(key=lambda each: each.who in served)
            self._call()
        for each in done[1:]:
            each.called.set()


def _who() -> Hashable:
    """The asker, or the thread where nobody has given a name."""
    asker = _asker.get()
    return get_ident() if asker is None else asker.who
