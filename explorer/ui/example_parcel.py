"""What there is to take home of one Example: from the page of its objective."""

from __future__ import annotations

from functools import partial
from html import escape

from explorer.models.in_code import loading
from explorer.records import record
from explorer.types import Example, Message, Scores
from explorer.ui.controls import Asked
from explorer.ui.files import File, strip_files
from explorer.ui.mask_part import KINDS, WHOM, mask_drawing, mask_files, mask_kinds
from explorer.ui.take_home_part import Parcel
from explorer.ui.words import language, say_in, t
from explorer.views.figures import figures_line
from explorer.views.roles import Say, legend
from explorer.views.rows import roles_shown, token_rows
from explorer.views.strip import rows_strip
from explorer.views.tables import example_table

ROWS = Message("Input, labels and loss, position by position")


def example_parcel(asked: Asked, made: Example, scores: Scores | None) -> Parcel:
    """Everything of the Example that the page shows."""
    mask_rows = [
        (f"{t(WHOM)}: {t(KINDS[kind])}", mask_files(made, kind, say_in(language()))) for kind in mask_kinds(made)
    ]
    return Parcel(
        made.objective,
        asked.objective.title,
        made.model,
        made.code(loading(made.model)),
        lambda: record(made, asked.settings, asked.seed, scores),
        partial(example_table, made, scores=scores),
        lambda say: _parts(asked, made, scores, say),
        [rows_files(made, scores), *mask_rows],
    )


def _parts(asked: Asked, made: Example, scores: Scores | None, say: Say) -> list[tuple[str, str]]:
    """Texts, rows, figures and masks, as they are on the page."""
    texts = [(box.label, getattr(asked.texts, box.name)) for box in asked.objective.boxes]
    drawings = [(f"{say(WHOM)}: {say(KINDS[kind])}", mask_drawing(made, kind, None, say)) for kind in mask_kinds(made)]
    return [*((say(label), given(text)) for label, text in texts if text), rows_part(made, say, scores), *drawings]


def rows_part(made: Example, say: Say, scores: Scores | None = None) -> tuple[str, str]:
    """The token rows with their legend and figures."""
    rows = token_rows(made, say, scores=scores) + legend(roles_shown(made), say, loss=made.n_targets > 0)
    return say(ROWS), rows + figures_line(made, say, scores=scores)


def rows_files(made: Example, scores: Scores | None = None) -> tuple[str, list[File]]:
    """The token rows as pictures."""
    title, say = f"{made.objective} · {made.model}", say_in(language())
    return t(ROWS), strip_files(f"{made.objective}_rows", lambda: rows_strip(made, title, say, scores))


def given(text: str) -> str:
    """A text as somebody wrote it."""
    return f'<p class="given">{escape(text)}</p>'
