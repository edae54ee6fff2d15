"""How a server stands, as figures and two tables of a fixed shape."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from explorer.standing import ModelStanding, Standing
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute

Rule = tuple[Message, str, Message]
"""What a host decides, the variable that says it, and how it stands."""


def server_figures(standing: Standing, say: Say) -> str:
    """One line: visitors, memory, texts being written, trainings."""
    items = "".join(f"<li><b>{escape(number)}</b> {escape(say(word))}</li>" for number, word in _figures(standing))
    return f'<ul class="xp figures">{items}</ul>'


def _figures(standing: Standing) -> Iterable[tuple[str, Message]]:
    yield f"{standing.visitors}", Message("visitors connected")
    yield "–" if standing.memory is None else _size(standing.memory), Message("of memory in use")
    yield f"{standing.texts}", Message("texts being written ({size})", {"size": _size(standing.text_bytes)})
    yield f"{standing.learning} / {standing.places}", Message("trainings running")
    yield f"{standing.line}", Message("trainings waiting")


def model_table(models: Sequence[ModelStanding], say: Say) -> str:
    """One row a model in memory: where it runs, its bytes, and its line; one empty row where there is none."""
    named = [Message("model"), Message("runs on"), Message("size"), Message("now"), Message("passes waiting")]
    rows = [_row(each, say) for each in models] or [[say(Message("no model in memory")), "–", "–", "–", "–"]]
    return _table("models", [say(name) for name in named], rows, say(Message("Models in memory")))


def _row(each: ModelStanding, say: Say) -> list[str]:
    doing = say(Message("reading") if each.busy else Message("free"))
    where = f"{each.model.device}, {each.model.dtype}"
    return [each.model.name, where, _size(each.bytes), doing, str(each.waiting)]


def rule_table(rules: Sequence[Rule], say: Say) -> str:
    """One row a house rule."""
    named = [Message("what the host decides"), Message("now"), Message("variable")]
    rows = [[say(what), say(how), variable] for what, variable, how in rules]
    return _table("house", [say(name) for name in named], rows, say(Message("House rules")))


def _table(name: str, head: Sequence[str], rows: Sequence[Sequence[str]], label: str) -> str:
    cells = "".join(f'<th scope="col">{escape(each)}</th>' for each in head)
    body = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
    return (
        f'<div class="xp standing {name}" tabindex="0" role="region"{attribute("aria-label", label)}>'
        f"<table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table></div>"
    )


def _size(bytes: int) -> str:
    return f"{bytes / 10**9:.1f} GB" if bytes >= 10**9 else f"{bytes / 10**6:,.0f} MB"
