"""Packing: documents, each closed by the end token, run on as one stream that is cut into blocks of one length.

Plain packing (Radford et al. 2019, Brown et al. 2020, section 2.2) lets a document read the ones before it in its
block. Isolated packing closes those cells, starts the positions of each document again, and leaves the first token of a
document out of the loss: its only context would be another document. A document cut by a block goes on in the next
block as if it began there, because a block is all that the model sees.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer import masks
from explorer.objectives.assemble import Row, documents, join, made, remarks, require_text, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import Traps, mask_eos_switch, next_token_example, shift_twice_switch
from explorer.settings import knob
from explorer.tokens import Tokenizer, encode
from explorer.types import Encoding, Example, InputProblem, Ints, Message, Role


@dataclass(frozen=True)
class Settings:
    """Settings of packed_lm."""

    block: int = knob(16, Message("Block length"), help=Message("Tokens in a block."), low=2, high=2048)
    index: int = knob(0, Message("Block shown"), help=Message("Which block, counted from 0."), low=0)
    isolate: bool = knob(
        False,
        Message("Isolate documents"),
        help=Message("A document reads only itself, and its positions start at 0."),
    )
    carry: bool = knob(
        True,
        Message("Carry the rest over"),
        help=Message("What fills no block waits for the next documents; otherwise it is dropped."),
        rare=True,
    )
    shift_twice: bool = shift_twice_switch()
    mask_eos: bool = mask_eos_switch()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """One block of the packed documents. Uses no randomness."""
    limit = tokenizer.max_length
    if limit is not None and settings.block > limit:
        raise InputProblem(
            "block is {value}, but {model} takes at most {limit} tokens.",
            {"value": settings.block, "model": tokenizer.name, "limit": limit},
        )
    require_text(texts.text)
    encodings = [encode(document, tokenizer, add_special=False) for document in documents(texts.text)]
    packed, numbers = _pack(encodings, tokenizer)
    part = _block(len(packed), settings)
    tokens, inside = packed[part], numbers[part] - numbers[part.start]
    first = np.diff(inside, prepend=inside[0]) > 0
    stream = tokens.stream(
        position_ids=masks.document_positions(inside) if settings.isolate else None, documents=inside
    )
    return next_token_example(
        OBJECTIVE.key,
        tokenizer,
        tokens,
        ~first if settings.isolate else np.ones(len(tokens), dtype=bool),
        mask=masks.block(inside) if settings.isolate else masks.causal(len(tokens)),
        stream=stream,
        traps=Traps(settings.shift_twice, settings.mask_eos),
        warnings=[warning for encoding in encodings for warning in remarks(encoding)[0]],
        notes=(_blocks(len(packed), settings), _meeting(int(first.sum()), settings.isolate)),
    )


def _pack(encodings: Sequence[Encoding], tokenizer: Tokenizer) -> tuple[Row, Ints]:
    """All documents as one row, each followed by eos, and the number of its document for each token."""
    end = made([require_id(tokenizer, tokenizer.special.eos, Message("end token"))], tokenizer, Role.SPECIAL)
    rows = [row(encoding) + end for encoding in encodings]
    return join(rows), masks.document_numbers([len(each) for each in rows])


def _block(total: int, settings: Settings) -> slice:
    """The place of the block to show. Raises InputProblem if there is none."""
    full, rest = divmod(total, settings.block)
    count = full + (1 if settings.carry and rest else 0)
    if not count:
        raise InputProblem(
            "The documents have {total} tokens and fill no block of {block}. Take a shorter block, or carry the rest.",
            {"total": total, "block": settings.block},
        )
    if settings.index >= count:
        raise InputProblem(
            "index is {value}, but the blocks are numbered 0 to {last}.", {"value": settings.index, "last": count - 1}
        )
    return slice(settings.index * settings.block, min((settings.index + 1) * settings.block, total))


def _blocks(total: int, settings: Settings) -> Message:
    """What the documents fill, and what becomes of the rest."""
    full, rest = divmod(total, settings.block)
    given = {"total": total, "block": settings.block, "full": full, "rest": rest}
    if not rest:
        return Message("{total} tokens; full blocks of {block}: {full}; nothing is left over.", given)
    if settings.carry:
        return Message(
            "{total} tokens; full blocks of {block}: {full}; carried over, waiting for more documents: {rest}.", given
        )
    return Message("{total} tokens; full blocks of {block}: {full}; dropped, never learned: {rest}.", given)


def _meeting(meetings: int, isolate: bool) -> Message:
    """What happens where one document ends and the next begins, `meetings` times in the block."""
    if not meetings:
        return Message("The block holds tokens of one document only.")
    if isolate:
        return Message(
            "Isolated. Documents that begin inside the block: {count}. Each reads only itself, from position 0 on, and "
            "its first token is no target.",
            {"count": meetings},
        )
    return Message(
        "Not isolated. Documents that begin inside the block: {count}. Each reads what stands before it, and its first "
        "token is predicted from there.",
        {"count": meetings},
    )


OBJECTIVE = Objective(
    key="packed_lm",
    title=Message("Packed documents"),
    question=Message("Several documents share one block. Which token comes next, and who may read whom?"),
    page="gpt",
    family="GPT",
    stack="decoder",
    paper="Brown et al. 2020, section 2.2",
    boxes=(TextBox("text", Message("Documents, separated by a blank line"), rows=4),),
    examples=(
        ReadyExample(Message("Two documents"), Texts("I like cats.\n\nParis is in France."), {"block": "5"}),
        ReadyExample(
            Message("Isolated"),
            Texts("I like cats.\n\nParis is in France."),
            {"block": "10", "isolate": "true"},
        ),
        ReadyExample(
            Message("Rest dropped"),
            Texts("I like cats.\n\nParis is in France."),
            {"block": "5", "index": "1", "carry": "false"},
        ),
        ReadyExample(
            Message("Korean fills a block sooner"), Texts("I ate rice.\n\n나는 밥을 먹었다."), {"isolate": "true"}
        ),
    ),
    Settings=Settings,
    model="openai-community/gpt2",
    build=build,
)
