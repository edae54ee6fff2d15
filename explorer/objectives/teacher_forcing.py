"""What all encoder-decoder objectives share: the decoder reads the right answer, moved one place to the right.

Output t has read the true tokens before t, never the model's own guesses (Vaswani et al. 2017, section 3.1: "the output
embeddings are offset by one position"). What stands first is the start token of the model's config, as in transformers.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from explorer import masks
from explorer.objectives.assemble import Row, label, made, remarks
from explorer.objectives.base import require_id
from explorer.tokens import Tokenizer
from explorer.types import Encoding, Example, InputProblem, Masks, Message, Role

AS_TYPED = Message("Text and target are fed as typed, because there is a target.")


def teacher_forced(
    objective: str,
    tokenizer: Tokenizer,
    source: Row,
    target: Row,
    *,
    encodings: Sequence[Encoding],
    start: int | None = None,
    warnings: Sequence[Message] = (),
    notes: Sequence[Message] = (),
) -> Example:
    """An Example with loss on all of `target` (S,); the encoder reads `source` (T,), whose pads nobody looks at.

    encodings: the texts that were read for it, whose notes the example passes on.
    start: the token that the decoder input starts with, the model's own unless given.
    """
    for tokens, what in ((source, Message("encoder input")), (target, Message("target"))):
        _check_length(len(tokens), what, tokenizer)
    if start is None:
        start = require_id(tokenizer, tokenizer.special.decoder_start, Message("decoder start token"))
    first = made([start], tokenizer, Role.SPECIAL)
    encoder, decoder = source.stream(), (first + target[:-1])[: len(target)].stream()
    labels, shown = label(target, np.ones(len(target), dtype=bool))
    told = [remarks(encoding) for encoding in encodings]
    return Example(
        objective,
        tokenizer.name,
        encoder,
        decoder,
        labels,
        shown,
        "decoder_input",
        Masks(
            encoder=masks.padding(encoder.attention_mask),
            decoder=masks.causal(len(decoder)),
            cross=masks.cross(len(decoder), len(encoder), encoder.attention_mask),
        ),
        warnings=(*chain.from_iterable(cuts for cuts, _ in told), *warnings),
        notes=(*notes, _start_note(first, tokenizer), *chain.from_iterable(readings for _, readings in told)),
    )


def _check_length(count: int, what: Message, tokenizer: Tokenizer) -> None:
    """Raises InputProblem where damage made a row longer than the model takes."""
    limit = tokenizer.max_length
    if limit is not None and count > limit:
        raise InputProblem(
            "The {what} has {count} tokens, but {model} takes at most {limit}. Take a shorter text or fewer spans.",
            {"what": what, "count": count, "model": tokenizer.name, "limit": limit},
        )


def _start_note(first: Row, tokenizer: Tokenizer) -> Message:
    """Which token starts the decoder input, and that an end token there is no mistake."""
    given = {"piece": first.visible[0], "id": int(first.ids[0]), "model": tokenizer.name}
    if given["id"] == tokenizer.special.eos:
        return Message(
            "The decoder input starts with {piece} ({id}), the end token, on purpose: {model} was trained so.", given
        )
    return Message("The decoder input is the target moved right by one; it starts with {piece} ({id}).", given)
