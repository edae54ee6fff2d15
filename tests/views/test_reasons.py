"""Why a position has loss or none: one test for each reason that a role, a label and a shift can give."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from explorer.reasons import why, why_label
from explorer.types import IGNORE, Example, Role


def told(example: Example) -> list[str]:
    return [str(why(example, t)) for t in range(len(example.output))]


def with_roles(example: Example, roles: list[Role], labels: list[int]) -> Example:
    stream = replace(example.output, roles=tuple(roles))
    return replace(example, decoder=stream, labels=np.array(labels))


def test_masked_positions(masked):
    assert told(masked) == [
        "No loss: a special token is never chosen; its label is -100 and is ignored.",
        "No loss: this token was not chosen, so its label is -100 and is ignored.",
        "Loss here: the mask hides cat, and the output must name it.",
        "No loss: this token was not chosen, so its label is -100 and is ignored.",
        "Loss here: a random token stands here, and the output must name the original, on.",
        "Loss here: mat was chosen but left as it is; the output must name it all the same.",
        "No loss: a special token is never chosen; its label is -100 and is ignored.",
    ]


def test_decoder_beside_an_encoder(taught):
    assert told(taught)[2] == ("Loss here: the output has read the decoder input up to this token and must say </s>.")
    ignored = replace(taught, labels=np.array([9, 10, IGNORE]))
    assert told(ignored)[2] == "No loss: the label is -100 and is ignored."


@pytest.mark.parametrize(
    ("following", "reason"),
    [
        (Role.PROMPT, "No loss: the next token belongs to the prompt; its label is -100 and is ignored."),
        (Role.PAD, "No loss: the next position is padding; its label is -100 and is ignored."),
        (Role.RESPONSE, "No loss: the label of the next token is -100 and is ignored."),
    ],
)
def test_what_follows_decides_when_the_loss_shifts(sft, following: Role, reason: str):
    roles = [Role.RESPONSE, Role.RESPONSE, Role.RESPONSE, Role.RESPONSE, following]
    assert told(with_roles(sft, roles, [1, 2, 3, 4, IGNORE]))[3] == reason


def test_padding_in_place(masked):
    stream = replace(masked.encoder, roles=(*masked.encoder.roles[:-1], Role.PAD))
    assert told(replace(masked, encoder=stream))[6] == "No loss: this is padding; its label is -100 and is ignored."


def test_labels_as_passed(sft, masked):
    assert str(why_label(sft, 0)) == "No loss: the label is -100 and is ignored."
    assert str(why_label(sft, 2)) == "·Paris is what the loss compares with output 1, one place to the left."
    assert str(why_label(masked, 2)) == "Loss here: the mask hides cat, and the output must name it."


def test_shifted_twice_says_what_is_really_asked(sft):
    twice = replace(
        sft, labels=np.array([25, 6342, 13, 50256, IGNORE]), label_visible=(":", "·Paris", ".", "<eos>", "")
    )
    assert told(twice)[0] == "Loss here: the output has read up to this token and must say ·Paris."
