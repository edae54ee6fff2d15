"""Next-token prediction (Radford et al. 2018, section 3.1): labels are the input, T tokens give T-1 targets.

The shift is the loss's (as in transformers), never ours. Pads are told from the real end by position, not by id.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.objectives.assemble import made, read, remarks, room, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import (
    Traps,
    add_eos_knob,
    mask_eos_switch,
    next_token_example,
    pad_to_knob,
    shift_twice_switch,
)
from explorer.tokens import Tokenizer
from explorer.types import Example, Message, Role


@dataclass(frozen=True)
class Settings:
    """Settings of causal_lm."""

    add_eos: bool = add_eos_knob(False)
    pad_to: int = pad_to_knob()
    shift_twice: bool = shift_twice_switch()
    mask_eos: bool = mask_eos_switch()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """Every token but the first is a target. Uses no randomness."""
    encoding = read(texts.text, tokenizer, max_length=room(tokenizer, int(settings.add_eos)))
    tokens = row(encoding)
    if settings.add_eos:
        tokens += made([require_id(tokenizer, tokenizer.special.eos, Message("end token"))], tokenizer, Role.SPECIAL)
    warnings, notes = remarks(encoding)
    if len(tokens) == 1:
        warnings += (Message("The text is one token, and one token alone has no next token."),)
    tokens = tokens.pad(settings.pad_to, tokenizer)
    traps = Traps(settings.shift_twice, settings.mask_eos)
    everywhere = np.ones(len(tokens), dtype=bool)
    return next_token_example(OBJECTIVE.key, tokenizer, tokens, everywhere, traps=traps, warnings=warnings, notes=notes)


OBJECTIVE = Objective(
    key="causal_lm",
    title=Message("Next-token prediction"),
    question=Message("Having read the text so far, which token comes next?"),
    page="gpt",
    family="GPT",
    stack="decoder",
    paper="Radford et al. 2018, section 3.1",
    boxes=(TextBox("text", Message("Text")),),
    examples=(
        ReadyExample(Message("Quick brown fox"), Texts("The quick brown fox jumps over the lazy dog")),
        ReadyExample(Message("Shifted twice"), Texts("Mary had a little lamb"), {"shift_twice": "true"}),
        ReadyExample(Message("Padding and the real end"), Texts("I like cats."), {"add_eos": "true", "pad_to": "8"}),
        ReadyExample(Message("Korean in bytes"), Texts("나는 밥을 먹었다")),
    ),
    Settings=Settings,
    model="openai-community/gpt2",
    build=build,
)
