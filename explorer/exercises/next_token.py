"""Predict the next token of a text, against a model that predicts it too."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from numpy.typing import NDArray

from explorer import sampling
from explorer.exercises.cases import Random, Tokenizers, pick, random
from explorer.exercises.sentences import SENTENCES
from explorer.exercises.values import Cell, Choice, Code, Exercise, Sheet, place
from explorer.objectives import objective
from explorer.tokens import Tokenizer, encode, visible_pieces
from explorer.types import Candidate, Message, SamplingSettings

Says = Callable[[tuple[int, ...]], NDArray[np.float64]]
"""Ids read so far -> the model's logits (V,) for the token that follows."""

OFFERED = {1: 3, 2: 4, 3: 6}
"""How many tokens there are to choose from."""

MODEL = objective("causal_lm").model
SHOWN = 5


def next_token(code: Code, tokenizers: Tokenizers, says: Says) -> Exercise:
    """The text's own next token among those that the model holds most probable."""
    rng, words = random(code), tokenizers(MODEL)
    ids = encode(pick(SENTENCES, rng), words).ids.tolist()
    at = int(rng.integers(len(ids) // 2, len(ids) - 1))
    real = ids[at]
    told = sampling.apply(says(tuple(ids[:at])), SamplingSettings())
    best = sampling.candidates(told, partial(visible_pieces, tokenizer=words), OFFERED[code.level] + 1, [real])
    offered = _offered(best, real, words, OFFERED[code.level], rng)
    own = next(each for each in best if each.id == real)
    slips = {str(each.id): _less(each, own) for each in offered if each.id != real}
    cell = Cell(place(0, 0), Message("next token"), str(real), _verdict(best[0], own), slips)
    choices = tuple(Choice(str(each.id), each.piece, str(each.id)) for each in offered)
    return Exercise(
        code,
        Message("The text goes on. Which token comes next? The model has made its guess too."),
        sheets=(Sheet((), choices, (cell,)),),
        hints=(
            Message("The model gives the right token the probability {p}.", {"p": f"{own.p_model:.3f}"}),
            Message("In the model's own order it stands at place {rank}.", {"rank": own.rank}),
        ),
        steps=(_verdict(best[0], own), _first(best)),
        words=(words.decode(ids[:at]),),
    )


def _offered(best: tuple[Candidate, ...], real: int, words: Tokenizer, count: int, rng: Random) -> list[Candidate]:
    """The right token and the model's favourites beside it, mixed."""
    own = [each for each in best if each.id == real]
    others = [each for each in best if each.id != real and each.id not in words.special_ids]
    found = own + others[: count - 1]
    return [found[int(i)] for i in rng.permutation(len(found))]


def _less(given: Candidate, own: Candidate) -> Message:
    return Message(
        "The text goes on with {own}. The model gave {given} {p}, and {own} {q}.",
        {"given": given.piece, "own": own.piece, "p": f"{given.p_model:.3f}", "q": f"{own.p_model:.3f}"},
    )


def _verdict(first: Candidate, own: Candidate) -> Message:
    """Whether the model would have been right."""
    given = {"first": first.piece, "own": own.piece, "p": f"{first.p_model:.3f}", "q": f"{own.p_model:.3f}"}
    if first.id == own.id:
        return Message("The text goes on with {own}, and the model guessed it too, with probability {q}.", given)
    return Message("The text goes on with {own} ({q}); the model's first guess was {first} ({p}).", given)


def _first(best: tuple[Candidate, ...]) -> Message:
    """The model's favourites in words."""
    listed = ", ".join(f"{each.piece} {each.p_model:.3f}" for each in best[:SHOWN])
    return Message("The model's favourites: {list}.", {"list": listed})
