"""What there is to take home of the fine-tuning page: the Example, and what the head says of it."""

from __future__ import annotations

from dataclasses import replace

from explorer.models.in_code import loading
from explorer.types import Example, Scores
from explorer.ui.controls import Asked
from explorer.ui.example_parcel import example_parcel
from explorer.ui.head_says import said_so_far
from explorer.ui.take_home_part import Parcel
from explorer.views.head_code import chances_code, own_head_code


def head_parcel(asked: Asked, made: Example, scores: Scores | None) -> Parcel:
    """As of any objective, and the output of the model's own head or of the one that was trained here."""
    parcel = example_parcel(asked, made, scores)
    known = said_so_far(asked, made)
    if known is None:
        return parcel
    said, own = known
    code = own_head_code(made, own, loading(made.model)) if own else parcel.code + chances_code(made)
    head = {"names": said.names, "logits": said.logits, "probabilities": said.probabilities}

    def record() -> dict[str, object]:
        return {**parcel.record(), "head": head}

    return replace(parcel, code=code, record=record)
