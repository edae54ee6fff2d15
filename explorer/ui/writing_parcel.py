"""What there is to take home of a text that is being written."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from explorer.generation import Session
from explorer.models import tokenizer
from explorer.models.in_code import loading
from explorer.records import writing_record
from explorer.tokens import visible_pieces
from explorer.types import Message, SamplingSettings
from explorer.ui.example_parcel import given
from explorer.ui.take_home_part import Parcel
from explorer.views.roles import Say
from explorer.views.tables import steps_table
from explorer.views.writing import written
from explorer.views.writing_code import writing_code

NOTHING = Message("Nothing is written yet, so the table is empty. The code writes the first token.")


def writing_parcel(session: Session, used: Sequence[SamplingSettings]) -> Parcel:
    """used: the settings of each step, or those of the next where there is none yet."""
    made, facts = session.generation, session.facts
    taken = {k: step.chosen for k, step in enumerate(made.steps) if step.by_hand}
    place, source = loading(made.model.name), session.handle.source_ids

    return Parcel(
        "text",
        Message("Generate"),
        made.model.name,
        writing_code(place, session.opening, used, source, taken, limit=facts.limit, dtype=made.model.dtype),
        lambda: {"model": made.model.name, "prompt": made.prompt, **writing_record(made, session.text)},
        partial(steps_table, made.steps),
        partial(_parts, session),
        empty=None if made.steps else NOTHING,
    )


def _parts(session: Session, say: Say) -> list[tuple[str, str]]:
    """The prompt, and the text token by token."""
    made, source = session.generation, session.handle.source_ids
    words = tokenizer(made.model.name)
    controls = frozenset(visible_pieces(sorted(words.special_ids), words))
    read = () if source is None else visible_pieces(source, words)
    begun = visible_pieces(session.opening, words)
    drawn = written(begun, made.steps, say, source=read, controls=controls, more=False)
    heading = say(Message("The text, token by token"))
    return [(say(Message("Prompt")), given(made.prompt)), (heading, drawn + given(session.text))]
