"""The one style sheet of all pictures, and how text gets into HTML.

Colours use light-dark(), so the page's theme decides and nothing is redrawn. Every picture is HTML without scripts
inside an element of class "xp"; the same text works in the page and inside a component's shadow root, where the
sheet has to be given again.
"""

from __future__ import annotations

import re
from functools import cache
from html import escape
from pathlib import Path

from explorer.views.columns import width_rules
from explorer.views.roles import role_rules

SHEETS = (
    "base.css",
    "rows.css",
    "matrix.css",
    "candidates.css",
    "written.css",
    "chips.css",
    "heads.css",
    "mosaic.css",
    "lit.css",
    "live.css",
    "exercises.css",
    "compared.css",
    "loss.css",
    "fine_tuning.css",
    "server.css",
    "print.css",
)

MARKS = frozenset("·⏎⇥␍▁Ġ")
"""Signs that stand for white space in visible pieces, not characters of the text."""


@cache
def stylesheet() -> str:
    """The whole CSS text, one line a sheet: every page and every picture sends it anew, and Streamlit looks at each
    line."""
    folder = Path(__file__).parent
    sheets = [(folder / name).read_text(encoding="utf-8") for name in SHEETS]
    return "\n".join(map(one_line, [*sheets, role_rules(), width_rules()]))


def one_line(css: str) -> str:
    r"""CSS without comments and line breaks.

    >>> one_line("/* why */\n.a {\n  color: red;\n}")
    '.a { color: red; }'
    """
    return re.sub(r"\s*\n\s*", " ", re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)).strip()


def attribute(name: str, value: object) -> str:
    """An HTML attribute with a leading space, escaped.

    >>> attribute("title", 'a "b" <c>')
    ' title="a &quot;b&quot; &lt;c&gt;"'
    """
    return f' {name}="{escape(str(value))}"'


def clicks(what: str) -> str:
    """Attributes of an element that reports `what` when clicked or entered with the keyboard."""
    return f'{attribute("data-click", what)} tabindex="0" role="button"'


def bytes_of(visible: str) -> str:
    """The UTF-8 bytes of the characters outside ASCII, in hex; "" where there are only marks.

    >>> bytes_of("·cafe"), bytes_of("·고양")
    ('', '고 ea b3 a0  양 ec 96 91')
    """
    return "  ".join(
        f"{sign} {sign.encode('utf-8', 'replace').hex(' ')}"
        for sign in visible
        if not sign.isascii() and sign not in MARKS
    )
