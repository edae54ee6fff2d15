"""Masked language modelling with next-sentence prediction (Devlin et al. 2018, section 3.1 and appendix A.1).

Positions are chosen one by one with probability `rate`, as in transformers, so a short text may choose none; BERT's own
script takes round(15%) of them, at least one. Whole words are told by word ids, so that they work for every tokenizer.
A random id is drawn from all ordinary tokens, the original included. BERT draws from the whole vocabulary; we leave the
control tokens out, because a stray [SEP] or pad would change the form of the input and not only a word.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from explorer import masks
from explorer.objectives.assemble import Row, label, made, read, remarks, row, token_types
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import pad_to_knob
from explorer.settings import BOXES, knob
from explorer.tokens import Tokenizer
from explorer.types import Encoding, Example, InputProblem, Ints, Masks, Message, Role

WAYS = {"mask": Role.MASKED, "random": Role.RANDOM, "keep": Role.UNCHANGED}
"""The words of the setting `replace`, and the role of a token treated so."""

Choice = dict[int, Role]
"""The chosen positions, in order, with what happens to each."""


@dataclass(frozen=True)
class Settings:
    """Settings of masked_lm."""

    rate: float = knob(
        0.15,
        Message("Share chosen"),
        help=Message("Each ordinary token is chosen with this probability."),
        low=0.0,
        high=1.0,
        step=0.05,
    )
    whole_word: bool = knob(
        False, Message("Whole words"), help=Message("Choose all pieces of a word together or none of them.")
    )
    is_next: bool = knob(
        True, Message("B follows A"), help=Message("With a second text: the next-sentence label, 0 if B follows A.")
    )
    select: str = knob(
        "",
        Message("Positions chosen by hand"),
        help=Message("For instance 2,3,12, counted from 0 with [CLS]; empty chooses by rate and seed."),
        rare=True,
        bound=BOXES,
    )
    replace: str = knob(
        "",
        Message("What happens to them"),
        help=Message("mask, random or keep: one for all, or one for each position chosen by hand, in order."),
        rare=True,
        bound=BOXES,
    )
    p_mask: float = knob(0.8, Message("Share masked"), low=0.0, high=1.0, step=0.05, rare=True)
    p_random: float = knob(0.1, Message("Share random"), low=0.0, high=1.0, step=0.05, rare=True)
    force_one: bool = knob(
        False,
        Message("At least one"),
        help=Message("A departure from BERT's plain 15%: where chance chooses none, choose one position all the same."),
        rare=True,
    )
    pad_to: int = pad_to_knob()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """Chosen positions are damaged in the input and keep their own id as label; nobody shifts."""
    mask_id = require_id(tokenizer, tokenizer.special.mask, Message("mask token"))
    pair, encoding = _read(texts, tokenizer)
    original = row(encoding)
    by_hand = bool(settings.select.strip(" ,"))
    choice = _by_hand(encoding, settings) if by_hand else _by_chance(encoding, settings, rng)
    stream = (
        _damaged(original, choice, mask_id, tokenizer, rng)
        .pad(settings.pad_to, tokenizer)
        .stream(token_types=token_types(encoding) if tokenizer.token_types else None)
    )
    warnings, notes = remarks(encoding)
    labels, shown = label(original.pad(settings.pad_to, tokenizer), np.isin(np.arange(len(stream)), list(choice)))
    return Example(
        OBJECTIVE.key,
        tokenizer.name,
        stream,
        None,
        labels,
        shown,
        "none",
        Masks(encoder=masks.padding(stream.attention_mask)),
        extra={} if pair is None else {"next_sentence_label": 0 if settings.is_next else 1},
        warnings=warnings if choice else (*warnings, _nothing(encoding, settings)),
        notes=notes if pair is None else (_next_sentence(settings.is_next), *notes),
    )


def toggle(texts: Texts, tokenizer: Tokenizer, settings: Settings, example: Example, position: int) -> Settings:
    """Settings by hand in which the token at `position`, or its whole word, changes sides: chosen or not. All else
    stays as it is in `example`; special tokens and pads are never chosen."""
    _, encoding = _read(texts, tokenizer)
    if position >= len(encoding) or encoding.special[position]:
        return settings
    units = _units(encoding)
    moved = np.flatnonzero(units == units[position]).tolist() if settings.whole_word else [position]
    choice = {i: role for i, role in enumerate(example.output.roles) if role in WAYS.values()}
    others = {i: role for i, role in choice.items() if i not in moved}
    chosen = sorted((others if position in choice else others | dict.fromkeys(moved, Role.MASKED)).items())
    names = {role: name for name, role in WAYS.items()}
    ways = [names[role] for _, role in chosen]
    return replace(
        settings,
        select=",".join(str(i) for i, _ in chosen),
        replace="" if set(ways) <= {"mask"} else ",".join(ways),
    )


def _read(texts: Texts, tokenizer: Tokenizer) -> tuple[str | None, Encoding]:
    """The second text, if there is one, and both as tokens."""
    pair = texts.text_b if texts.text_b and texts.text_b.strip() else None
    return pair, read(texts.text, tokenizer, pair)


def _by_chance(encoding: Encoding, settings: Settings, rng: np.random.Generator) -> Choice:
    """Each ordinary token, or word, chosen with probability `rate`. A higher rate only adds positions."""
    given = _ways(settings.replace)
    if len(given) > 1:
        raise InputProblem(
            "replace names {count} ways, but no positions are chosen by hand. Name one way for all, or fill in select.",
            {"count": len(given)},
        )
    if settings.p_mask + settings.p_random > 1 + 1e-9:
        raise InputProblem(
            "p_mask {p_mask} and p_random {p_random} are shares of the chosen tokens, but add up to more than 1.",
            {"p_mask": settings.p_mask, "p_random": settings.p_random},
        )
    chance, fate = rng.random((2, len(encoding)))
    chance = np.where(encoding.special, np.inf, chance[_units(encoding)] if settings.whole_word else chance)
    chosen = chance < settings.rate
    if settings.force_one and not chosen.any():
        chosen = (chance == chance.min(initial=np.inf)) & ~encoding.special
    shares = [fate < settings.p_mask, fate < settings.p_mask + settings.p_random]
    drawn = np.select(shares, ["mask", "random"], "keep")
    return {int(i): given[0] if given else WAYS[drawn[i]] for i in np.flatnonzero(chosen)}


def _by_hand(encoding: Encoding, settings: Settings) -> Choice:
    """The positions of `select`, masked unless `replace` says otherwise; with whole words, their neighbours too."""
    positions = _positions(settings.select, encoding)
    given = _ways(settings.replace) or [Role.MASKED]
    if len(given) not in (1, len(positions)):
        raise InputProblem(
            "replace names {count} ways for {chosen} positions. Name one for all, or one for each.",
            {"count": len(given), "chosen": len(positions)},
        )
    roles = given * len(positions) if len(given) == 1 else given
    choice = dict(zip(positions, roles, strict=True))
    if settings.whole_word:
        units = _units(encoding)
        of_word = {int(units[i]): choice[i] for i in reversed(positions)}
        choice = {i: of_word[int(unit)] for i, unit in enumerate(units) if int(unit) in of_word} | choice
    return dict(sorted(choice.items()))


def _positions(select: str, encoding: Encoding) -> list[int]:
    """The positions that `select` lists. Raises InputProblem with the one that cannot be chosen."""
    try:
        positions = [int(part) for part in select.split(",") if part.strip()]
    except ValueError:
        raise InputProblem(
            "select is {value}, but must be positions separated by commas, such as 2,3,12.", {"value": select}
        ) from None
    for place, position in enumerate(positions):
        if not 0 <= position < len(encoding):
            raise InputProblem(
                "select names position {position}, but the text has positions 0 to {last}.",
                {"position": position, "last": len(encoding) - 1},
            )
        given = {"position": position, "piece": encoding.visible[position]}
        if encoding.special[position]:
            raise InputProblem("select names position {position}, {piece}: special tokens are never chosen.", given)
        if position in positions[:place]:
            raise InputProblem("select names position {position}, {piece}, twice.", given)
    return positions


def _ways(replace: str) -> list[Role]:
    """The roles that `replace` lists; none if it is empty."""
    names = [part.strip() for part in replace.split(",") if part.strip()]
    for name in names:
        if name not in WAYS:
            raise InputProblem(
                "replace is {value}, but must be made of: {names}.", {"value": replace, "names": ", ".join(WAYS)}
            )
    return [WAYS[name] for name in names]


def _units(encoding: Encoding) -> Ints:
    """(T,): for each token the position where its word starts; the words of text and pair stay apart, and a special
    token is a word of its own."""
    at = np.arange(len(encoding))
    words = np.where(
        (encoding.words < 0) | encoding.special, -1 - at, encoding.sequences * len(encoding) + encoding.words
    )
    _, first, which = np.unique(words, return_index=True, return_inverse=True)
    return np.asarray(first[which], dtype=np.int64)


def _damaged(original: Row, choice: Choice, mask_id: int, tokenizer: Tokenizer, rng: np.random.Generator) -> Row:
    """The row as the model sees it. Uses `rng` only if a random id is called for."""
    masked = [i for i, role in choice.items() if role is Role.MASKED]
    random = [i for i, role in choice.items() if role is Role.RANDOM]
    kept = [i for i, role in choice.items() if role is Role.UNCHANGED]
    damaged = original.put(masked, made([mask_id] * len(masked), tokenizer, Role.MASKED))
    if random:
        drawn = _ordinary_ids(tokenizer, len(original), rng)[random]
        damaged = damaged.put(random, made(drawn, tokenizer, Role.RANDOM))
    return damaged.paint(np.isin(np.arange(len(original)), kept), Role.UNCHANGED)


def _ordinary_ids(tokenizer: Tokenizer, count: int, rng: np.random.Generator) -> Ints:
    """(count,) ids drawn evenly from the tokens that are not special."""
    special = sorted(id for id in tokenizer.special_ids if id < tokenizer.size)
    ids = rng.integers(tokenizer.size - len(special), size=count)
    for id in special:
        ids += ids >= id
    return ids


def _nothing(encoding: Encoding, settings: Settings) -> Message:
    """Why there are 0 targets."""
    ordinary = ~encoding.special
    if not ordinary.any():
        return Message("0 targets: the text has special tokens only, and they are never chosen.")
    count = len(np.unique(_units(encoding)[ordinary])) if settings.whole_word else int(ordinary.sum())
    return Message(
        "0 targets: chance chose none of {count} (this happens with probability {probability}), so there is no loss to "
        "average (it would be NaN). Take another seed or a higher share, or choose positions by hand.",
        {"count": count, "probability": f"{(1 - settings.rate) ** count:.3f}"},
    )


def _next_sentence(is_next: bool) -> Message:
    """The next-sentence label in words; 0 means yes, which surprises many."""
    if is_next:
        return Message("next_sentence_label 0: B follows A (IsNext). The first of the two NSP logits says so.")
    return Message("next_sentence_label 1: B is a random sentence (NotNext). The second of the two NSP logits says so.")


OBJECTIVE = Objective(
    key="masked_lm",
    title=Message("Masked language model"),
    question=Message("Some tokens are hidden or changed. Which ones stood there, seen from both sides?"),
    page="bert",
    family="BERT",
    stack="encoder",
    paper="Devlin et al. 2018, section 3.1",
    boxes=(
        TextBox("text", Message("Sentence A")),
        TextBox("text_b", Message("Sentence B"), optional=True),
    ),
    examples=(
        ReadyExample(
            Message("Three chosen by hand"),
            Texts("my dog is hairy and he likes to play fetch in the park every morning"),
            {"select": "2,3,12"},
        ),
        ReadyExample(
            Message("Sentence pair"),
            Texts("my dog is hairy", "he likes to play"),
            {"select": "4,9", "replace": "mask,keep"},
        ),
        ReadyExample(
            Message("Whole words"),
            Texts("unbelievably good tokenization needs no fingerprinting"),
            {"whole_word": "true", "rate": "0.3"},
            seed=4,
        ),
        ReadyExample(
            Message("Korean, letter by letter"),
            Texts("나는 학교에 갑니다"),
            {"whole_word": "true", "rate": "0.3"},
            seed=3,
        ),
    ),
    Settings=Settings,
    model="google-bert/bert-base-uncased",
    build=build,
    toggle=toggle,
    chance=True,
)
