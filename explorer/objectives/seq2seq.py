"""Teacher forcing on pairs of texts (Vaswani et al. 2017, section 3.1), and text to text (Raffel et al. 2019, section
2.4): every position of the target is a target, the decoder input is the target moved right by one.

The tokenizer's template closes both texts. BART's target also opens with <s>, behind the decoder's start token </s>;
with `start` at bos it is left out, and the decoder reads <s> and the words, as the Transformer's own figure has it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.objectives.assemble import read, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import pad_to_knob
from explorer.objectives.teacher_forcing import teacher_forced
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import Example, InputProblem, Message


@dataclass(frozen=True)
class Settings:
    """Settings of seq2seq."""

    pad_to: int = pad_to_knob()
    start: str = knob(
        "model",
        Message("Decoder starts with"),
        help=Message("The token before the target: the one this model was trained with, or the start of a sentence."),
        choices={"model": Message("the model's own token"), "bos": Message("the start-of-sentence token")},
        rare=True,
    )


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """Source -> target; `pad_to` pads the source, which cross-attention must then not look at. Uses no randomness."""
    source = read(texts.text, tokenizer)
    if not (texts.target and texts.target.strip()):
        raise InputProblem("There is no target. Type what the model should answer.")
    answer = read(texts.target, tokenizer)
    target, start = row(answer), None
    if settings.start == "bos":
        start = require_id(tokenizer, tokenizer.special.bos, Message("start-of-sentence token"))
        opened = len(answer) > 0 and answer.ids[0] == start and not answer.typed[0]
        target = target[1:] if opened else target
    return teacher_forced(
        OBJECTIVE.key,
        tokenizer,
        row(source).pad(settings.pad_to, tokenizer),
        target,
        encodings=(source, answer),
        start=start,
    )


OBJECTIVE = Objective(
    key="seq2seq",
    title=Message("Teacher forcing"),
    question=Message("Having read the source and the right answer so far, which token of the answer comes next?"),
    page="transformer",
    family="Transformer",
    stack="encoder-decoder",
    paper="Vaswani et al. 2017, section 3.1",
    boxes=(
        TextBox("text", Message("Source")),
        TextBox("target", Message("Target")),
    ),
    examples=(
        ReadyExample(
            Message("Translation"), Texts("translate English to German: That is good.", target="Das ist gut.")
        ),
        ReadyExample(Message("Summary"), Texts("summarize: The cat sat on the mat all day.", target="A cat rested.")),
        ReadyExample(
            Message("Source with padding"),
            Texts("cola sentence: The course is jumping well.", target="unacceptable"),
            {"pad_to": "16"},
        ),
        ReadyExample(
            Message("Korean, unknown to this vocabulary"),
            Texts("translate English to Korean: I ate an apple.", target="나는 사과를 먹었다."),
        ),
    ),
    Settings=Settings,
    model="google-t5/t5-small",
    build=build,
)
