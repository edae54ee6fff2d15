"""What there is to take home of the loss page: the position by hand, and the part that is open."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from explorer.by_hand import Worked
from explorer.records import loss_record
from explorer.types import Message
from explorer.ui.take_home_part import Parcel
from explorer.views.by_hand import worked_table
from explorer.views.loss_code import worked_code
from explorer.views.roles import Say
from explorer.views.tables import worked_frame


@dataclass(frozen=True)
class Further:
    """What an open part adds: its code, which goes on where that of the position ends, its numbers, and its HTML."""

    code: str
    record: Mapping[str, object]
    html: Callable[[Say], str]


def loss_parcel(
    worked: Worked, given: tuple[int, float], tokens: Sequence[str], part: tuple[str, Message], further: Further | None
) -> Parcel:
    """given: label and smoothing; part: key and title of the open part."""

    def parts(say: Say) -> list[tuple[str, str]]:
        own = (say(Message("One position by hand")), worked_table(worked, tokens, say))
        return [own] if further is None else [own, (say(part[1]), further.html(say))]

    return Parcel(
        "loss",
        Message("Loss"),
        "",
        worked_code(worked, *given) + ("" if further is None else further.code),
        lambda: _record(worked, given) | ({} if further is None else {part[0]: further.record}),
        partial(worked_frame, worked, tokens),
        parts,
    )


def _record(worked: Worked, given: tuple[int, float]) -> dict[str, object]:
    return {
        "logits": worked.logits,
        "label": given[0],
        "smoothing": given[1],
        "lowered": worked.lowered,
        "powers": worked.powers,
        "probabilities": worked.probabilities,
        "target": worked.target,
        "terms": worked.terms,
        **loss_record(worked.result),
    }
