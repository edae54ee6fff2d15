"""Span corruption (Raffel et al. 2019, section 3.1.4): about 15% of the tokens are taken out in spans of mean length 3.

Each span leaves one sentinel in the input, a new one each time; the target lists each sentinel with the tokens that it
stands for, then one last sentinel and the end token. Input and target together hold the text exactly once. Sentinels
are numbered from the left, and their ids fall: <extra_id_0> is 32099, <extra_id_1> is 32098.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer.objectives.assemble import Row, join, made, read, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.noise import Spans, body, cover, parse_spans, random_spans, spans_knob, spread
from explorer.objectives.teacher_forcing import AS_TYPED, teacher_forced
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import Bools, Encoding, Example, InputProblem, Message, Role


@dataclass(frozen=True)
class Settings:
    """Settings of span_corruption."""

    rate: float = knob(
        0.15,
        Message("Share removed"),
        help=Message("Share of the tokens that are taken out; above 0, at least one token is."),
        low=0.0,
        high=1.0,
        step=0.05,
    )
    mean_length: float = knob(
        3.0,
        Message("Mean span length"),
        help=Message("In tokens; longer spans need fewer sentinels."),
        low=1.0,
        high=20.0,
    )
    spans: str = spans_knob()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """Spans -> sentinels in the input; the target is what they stand for. With a target given, both are as typed."""
    encoding = read(texts.text, tokenizer)
    if texts.target and texts.target.strip():
        return _as_typed(encoding, texts.target, tokenizer)
    text = row(encoding)
    _check_sentinels(text, tokenizer)
    spans = _spans(encoding, text, settings, rng)
    sentinels = _sentinels(len(spans) + 1, tokenizer)
    hidden = [text[start:end] for start, end in spans]
    end = made([require_id(tokenizer, tokenizer.special.eos, Message("end token"))], tokenizer, Role.SPECIAL)
    pairs = [part for k, removed in enumerate(hidden) for part in (sentinels[k : k + 1], removed)]
    return teacher_forced(
        OBJECTIVE.key,
        tokenizer,
        cover(text, spans, [sentinels[k : k + 1] for k in range(len(spans))]),
        join([*pairs, sentinels[-1:], end]),
        encodings=[encoding],
        warnings=() if spans else (_nothing(),),
        notes=(_account(sum(map(len, hidden)), int((~encoding.special).sum()), len(spans)),),
    )


def _spans(encoding: Encoding, text: Row, settings: Settings, rng: np.random.Generator) -> Spans:
    """By hand, or by chance over the ordinary tokens."""
    if settings.spans.strip(" ,"):
        return parse_spans(settings.spans, text, body(encoding), empty=False)
    ordinary = ~encoding.special
    return spread(random_spans(int(ordinary.sum()), settings.rate, settings.mean_length, rng), ordinary)


def _sentinel(k: int, tokenizer: Tokenizer) -> int | None:
    return tokenizer.id(f"<extra_id_{k}>")


def _sentinels(count: int, tokenizer: Tokenizer) -> Row:
    """The first `count` sentinels. Raises InputProblem where the vocabulary has not so many."""
    require_id(tokenizer, _sentinel(0, tokenizer), Message("sentinel tokens"))
    ids = [id for k in range(count) if (id := _sentinel(k, tokenizer)) is not None]
    if len(ids) < count:
        raise InputProblem(
            "{spans} spans and the end of the target need {count} sentinels, but {model} has {found}. Take a lower "
            "share, longer spans or a shorter text.",
            {"spans": count - 1, "count": count, "model": tokenizer.name, "found": len(ids)},
        )
    return made(ids, tokenizer, Role.SENTINEL)


def _is_sentinel(tokens: Row) -> Bools:
    """(T,): which tokens are sentinels, by the vocabulary's own name for them."""
    return np.array([piece.startswith("<extra_id_") for piece in tokens.pieces], dtype=np.bool_)


def _check_sentinels(text: Row, tokenizer: Tokenizer) -> None:
    """Raises InputProblem where the text already holds sentinels: those of the damage would not be told from them."""
    typed = np.flatnonzero(_is_sentinel(text))
    if len(typed):
        raise InputProblem(
            "The text already holds {piece}. Type what it stands for as the target, or take it out of the text.",
            {"piece": text.pieces[typed[0]]},
        )


def _as_typed(encoding: Encoding, target: str, tokenizer: Tokenizer) -> Example:
    """A text that was damaged by hand, and its target; a warning where their sentinels do not match."""
    answer = read(target, tokenizer)
    rows = [row(encoding), row(answer)]
    sentinels = [_is_sentinel(each) for each in rows]
    asked, given = (each.ids[where].tolist() for each, where in zip(rows, sentinels, strict=True))
    matching = given[: len(asked)] == asked and len(given) == len(asked) + 1
    source, wanted = (each.paint(where, Role.SENTINEL) for each, where in zip(rows, sentinels, strict=True))
    return teacher_forced(
        OBJECTIVE.key,
        tokenizer,
        source,
        wanted,
        encodings=(encoding, answer),
        warnings=() if matching else (_mismatch(len(asked)),),
        notes=(AS_TYPED,),
    )


def _mismatch(count: int) -> Message:
    return Message(
        "The target should list the {count} sentinels of the text in the same order, and one more as its end.",
        {"count": count},
    )


def _nothing() -> Message:
    return Message("Nothing is taken out, so the target is the last sentinel and the end token only.")


def _account(removed: int, count: int, spans: int) -> Message:
    return Message(
        "{removed} of {count} tokens ({share}) are taken out. Spans: {spans}.",
        {"removed": removed, "count": count, "share": f"{removed / max(count, 1):.0%}", "spans": spans},
    )


OBJECTIVE = Objective(
    key="span_corruption",
    title=Message("Span corruption"),
    question=Message("Some spans are taken out and marked by sentinels. Which tokens stood there?"),
    page="t5",
    family="T5",
    stack="encoder-decoder",
    paper="Raffel et al. 2019, section 3.1.4",
    boxes=(
        TextBox("text", Message("Text")),
        TextBox("target", Message("Target, if the text is damaged by hand"), optional=True),
    ),
    examples=(
        ReadyExample(
            Message("Two spans by hand"),
            Texts("Thank you for inviting me to your party last week."),
            {"spans": "2:4,8:9"},
        ),
        ReadyExample(
            Message("Damaged by hand"),
            Texts(
                "Thank you <extra_id_0> me to your party <extra_id_1> week.",
                target="<extra_id_0> for inviting <extra_id_1> last <extra_id_2>",
            ),
        ),
        ReadyExample(
            Message("15% by chance"),
            Texts(
                "Attention lets every word look at every other word, so that a long sentence is read as a whole and "
                "not one word at a time, from the left to the right."
            ),
        ),
        ReadyExample(
            Message("Korean, unknown to this vocabulary"), Texts("나는 어제 친구와 함께 밥을 먹었다."), {"rate": "0.3"}
        ),
    ),
    Settings=Settings,
    model="google-t5/t5-small",
    build=build,
    chance=True,
)
