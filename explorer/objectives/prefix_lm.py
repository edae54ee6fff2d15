"""Prefix language modelling (Raffel et al. 2019, section 3.2.1; Dong et al. 2019, UniLM): one decoder stack, the prefix
is read both ways, the target causally, and the loss lies on the target only. Its first token is predicted at the last
position of the prefix, so the labels are those of SFT; only the mask differs.

Prefix and target are tokenized as one text: a token that straddles the seam belongs to the target.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import masks
from explorer.objectives.assemble import characters, documents, made, read, remarks, room, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import (
    Traps,
    add_eos_knob,
    next_token_example,
    shift_twice_switch,
)
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import Encoding, Example, InputProblem, Message, Role


@dataclass(frozen=True)
class Settings:
    """Settings of prefix_lm."""

    prefix: int = knob(
        0,
        Message("Prefix length"),
        help=Message("In tokens; 0 takes the first text box, or what stands before a blank line, or half of the text."),
        low=0,
    )
    add_eos: bool = add_eos_knob(False)
    shift_twice: bool = shift_twice_switch()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """The tokens after the prefix are targets; the prefix never sees them. Uses no randomness."""
    text, seam = _split(texts, settings.prefix)
    encoding = read(text, tokenizer, max_length=room(tokenizer, int(settings.add_eos)))
    warnings, notes = remarks(encoding)
    length = _prefix_length(encoding, seam, settings.prefix)
    target = np.arange(len(encoding)) >= length
    tokens = row(encoding, Role.PROMPT).paint(target & ~encoding.special, Role.RESPONSE)
    if settings.add_eos:
        tokens += made([require_id(tokenizer, tokenizer.special.eos, Message("end token"))], tokenizer, Role.SPECIAL)
    return next_token_example(
        OBJECTIVE.key,
        tokenizer,
        tokens,
        np.arange(len(tokens)) >= length,
        mask=masks.prefix(len(tokens), length),
        traps=Traps(settings.shift_twice),
        warnings=warnings,
        notes=notes,
    )


def _split(texts: Texts, prefix: int) -> tuple[str, int | None]:
    """The whole text, and the character where the target starts: None if it is to be counted in tokens."""
    parts = [texts.text, texts.target] if texts.target and texts.target.strip() else documents(texts.text)
    if len(parts) < 2 or (prefix and parts[-1] is not texts.target):
        return texts.text, None
    start, rest = parts[0], " ".join(parts[1:])
    between = "" if start[-1:].isspace() or rest[:1].isspace() or not start else " "
    return start + between + rest, None if prefix else len(start)


def _prefix_length(encoding: Encoding, seam: int | None, prefix: int) -> int:
    """How many tokens the prefix has: as asked, or what ends before the seam, or half."""
    if prefix > len(encoding):
        raise InputProblem(
            "prefix is {value}, but the text has only {count} tokens.", {"value": prefix, "count": len(encoding)}
        )
    if seam is None:
        return prefix or (len(encoding) + 1) // 2
    after = np.flatnonzero(characters(encoding)[1] > seam)
    return int(after[0]) if len(after) else len(encoding)


OBJECTIVE = Objective(
    key="prefix_lm",
    title=Message("Prefix language model"),
    question=Message("Having read the whole prefix both ways, how does the text go on?"),
    page="prefix_lm",
    family="Prefix LM",
    stack="decoder",
    paper="Raffel et al. 2019, section 3.2.1",
    boxes=(
        TextBox("text", Message("Prefix")),
        TextBox("target", Message("Target"), optional=True),
    ),
    examples=(
        ReadyExample(Message("A B C | D E"), Texts("A B C", target="D E")),
        ReadyExample(Message("Question and answer"), Texts("Q: What is the capital of France?\nA:", target=" Paris.")),
        ReadyExample(
            Message("Ten tokens, prefix six"),
            Texts("The quick brown fox jumps over the lazy dog."),
            {"prefix": "6"},
        ),
        ReadyExample(Message("Korean, one letter is several tokens"), Texts("나는 밥을", target="먹었다")),
    ),
    Settings=Settings,
    model="openai-community/gpt2",
    build=build,
)
