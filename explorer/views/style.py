"""The one style sheet of all pictures. Colours use light-dark(), so the page's theme decides and nothing is redrawn.

Every picture is HTML without scripts inside an element of class "xp"; the same text works in the page and inside a
component's shadow root, where the sheet has to be given again.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from explorer.views.roles import role_rules

SHEETS = ("style.css",)


@cache
def stylesheet() -> str:
    """The whole CSS text."""
    folder = Path(__file__).parent
    return "\n".join([*((folder / name).read_text(encoding="utf-8") for name in SHEETS), role_rules()])


def attribute(name: str, value: object) -> str:
    """An HTML attribute with a leading space, escaped.

    >>> attribute("title", 'a "b" <c>')
    ' title="a &quot;b&quot; &lt;c&gt;"'
    """
    return f' {name}="{escape(str(value))}"'
