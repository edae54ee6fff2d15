"""Denoising (Lewis et al. 2019, section 2.2): the encoder reads a damaged text, the decoder writes the whole original.

Five kinds of damage, and the recipe that BART was trained with: sentences permuted, then 30% of the tokens infilled.
Positions are drawn among single tokens, where BART's own code draws whole words. A sentence ends at a full stop, as in
the paper, and also at a question or exclamation mark; a stop inside a number or a name, with no space behind it, ends
none. Tokens move as they are, with the space that their piece carries.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from explorer.objectives.assemble import Row, made, read, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.noise import (
    Spans,
    body,
    cover,
    covered,
    independent,
    parse_spans,
    poisson_spans,
    spans_knob,
    spread,
)
from explorer.objectives.teacher_forcing import AS_TYPED, teacher_forced
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import Bools, Encoding, Example, Ints, Message, Role

MASKS, MOVES = (Role.MASKED, Role.INSERTED), ("sentence_permutation", "document_rotation")
STOPS, WIDE_STOPS, CLOSING = ".!?", "。！？", "\"'”’»)]·"


@dataclass(frozen=True)
class Settings:
    """Settings of denoising."""

    kind: str = knob(
        "text_infilling",
        Message("Damage"),
        help=Message("In the final recipe, spans chosen by hand count positions after the permutation."),
        choices={
            "token_masking": Message("token masking"),
            "token_deletion": Message("token deletion"),
            "text_infilling": Message("text infilling"),
            "sentence_permutation": Message("sentence permutation"),
            "document_rotation": Message("document rotation"),
            "final": Message("final recipe: infilling and permutation"),
        },
    )
    rate: float = knob(
        0.3,
        Message("Share damaged"),
        help=Message("Share of the tokens that are masked, deleted or infilled."),
        low=0.0,
        high=1.0,
        step=0.05,
    )
    poisson_lambda: float = knob(
        3.0,
        Message("Mean span length"),
        help=Message("Lambda of the Poisson distribution that span lengths of infilling are drawn from."),
        low=1.0,
        high=20.0,
    )
    spans: str = spans_knob()


@dataclass(frozen=True, eq=False)
class Draw:
    """What a kind of damage works on: the text as tokens, the settings, where the randomness comes from."""

    encoding: Encoding
    tokenizer: Tokenizer
    settings: Settings
    rng: np.random.Generator

    @property
    def by_hand(self) -> bool:
        return bool(self.settings.spans.strip(" ,"))

    def spans(self, tokens: Row, *, empty: bool = False) -> Spans:
        """The spans chosen by hand, as positions in `tokens`."""
        return parse_spans(self.settings.spans, tokens, body(self.encoding), empty=empty)

    def masks(self, count: int, role: Role = Role.MASKED) -> Row:
        mask = require_id(self.tokenizer, self.tokenizer.special.mask, Message("mask token"))
        return made([mask] * count, self.tokenizer, role)


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """A damaged text in, the whole original out. With a target given, text and target are fed as typed."""
    encoding = read(texts.text, tokenizer)
    original = row(encoding)
    if texts.target and texts.target.strip():
        answer = read(texts.target, tokenizer)
        source = original.paint(original.ids == tokenizer.special.mask, Role.MASKED)
        return teacher_forced(
            OBJECTIVE.key, tokenizer, source, row(answer), encodings=(encoding, answer), notes=[AS_TYPED]
        )
    draw = Draw(encoding, tokenizer, settings, rng)
    source = DAMAGES[settings.kind](draw, original)
    return teacher_forced(
        OBJECTIVE.key,
        tokenizer,
        source,
        original,
        encodings=[encoding],
        warnings=_warnings(draw, source),
        notes=_account(source, original),
    )


def _mask(draw: Draw, tokens: Row) -> Row:
    """Each chosen token becomes one mask."""
    at = np.flatnonzero(_chosen(draw, tokens))
    return tokens.put(at, draw.masks(len(at)))


def _delete(draw: Draw, tokens: Row) -> Row:
    """The chosen tokens vanish, and nothing tells where they were."""
    return tokens.take(np.flatnonzero(~_chosen(draw, tokens)))


def _chosen(draw: Draw, tokens: Row) -> Bools:
    """(T,): tokens chosen one by one."""
    if draw.by_hand:
        return covered(len(tokens), draw.spans(tokens))
    return independent(len(tokens), draw.settings.rate, draw.rng) & _ordinary(tokens)


def _infill(draw: Draw, tokens: Row) -> Row:
    """Each span becomes one mask, however many tokens it hides; a span of length 0 inserts one."""
    if draw.by_hand:
        spans = draw.spans(tokens, empty=True)
    else:
        ordinary = _ordinary(tokens)
        count, settings = int(ordinary.sum()), draw.settings
        spans = spread(poisson_spans(count, settings.rate, settings.poisson_lambda, draw.rng), ordinary)
    hiding, inserted = draw.masks(1), draw.masks(1, Role.INSERTED)
    return cover(tokens, spans, [hiding if end > start else inserted for start, end in spans])


def _permute(draw: Draw, tokens: Row) -> Row:
    """The sentences in random order."""
    sentences = sentence_numbers(draw.encoding)
    order = draw.rng.permutation(int(sentences.max(initial=0)) + 1)
    rank = np.argsort(order)
    return _moved(draw.encoding, tokens, rank[sentences], rank[sentences] != sentences)


def _rotate(draw: Draw, tokens: Row) -> Row:
    """The text starts at a random token and goes round."""
    at = np.arange(len(tokens))
    ordinary = np.flatnonzero(_ordinary(tokens))
    start = int(draw.rng.choice(ordinary)) if len(ordinary) else 0
    turned = start > body(draw.encoding).start
    return _moved(draw.encoding, tokens, at < start, np.full(len(tokens), turned))


def _moved(encoding: Encoding, tokens: Row, rank: Ints | Bools, moved: Bools) -> Row:
    """The text's tokens in order of `rank` (T,); the specials around it stay. `moved` (T,) are painted."""
    part, order = body(encoding), np.arange(len(tokens))
    order[part] = part.start + np.argsort(rank[part], kind="stable")
    return tokens.paint(moved & _ordinary(tokens), Role.MOVED).take(order)


def _final(draw: Draw, tokens: Row) -> Row:
    """BART's own recipe. Spans chosen by hand count positions after the permutation."""
    return _infill(draw, _permute(draw, tokens))


DAMAGES: dict[str, Callable[[Draw, Row], Row]] = {
    "token_masking": _mask,
    "token_deletion": _delete,
    "text_infilling": _infill,
    "sentence_permutation": _permute,
    "document_rotation": _rotate,
    "final": _final,
}


def _ordinary(tokens: Row) -> Bools:
    return np.array([role is not Role.SPECIAL for role in tokens.roles], dtype=np.bool_)


def sentence_numbers(encoding: Encoding) -> Ints:
    """(T,): the number of the sentence that each token belongs to, counted from 0; 0 for the specials around."""
    part = body(encoding)
    ends = [_ends_sentence(encoding, i) for i in range(part.start, part.stop - 1)]
    numbers = np.zeros(len(encoding), dtype=np.int64)
    numbers[part] = np.cumsum([0, *ends])[: part.stop - part.start]
    return numbers


def _ends_sentence(encoding: Encoding, i: int) -> bool:
    """Whether the token is a stop, quotes aside, and what follows is a space or, for a wide stop, anything."""
    stop = encoding.visible[i].strip(CLOSING)
    if encoding.special[i] or not stop or stop.strip(STOPS + WIDE_STOPS):
        return False
    if stop[-1] in WIDE_STOPS or encoding.spans is None:
        return True
    end = int(encoding.spans[i, 1])
    return encoding.text[end : end + 1].isspace()


def _warnings(draw: Draw, source: Row) -> list[Message]:
    """What is odd about the damage: there is none, or the text or the settings are not what they seem."""
    found, kind, same = [], draw.settings.kind, np.array_equal(source.ids, draw.encoding.ids)
    if draw.tokenizer.special.mask in draw.encoding.ids:
        found.append(
            Message("The text itself holds a mask, so the model must write a mask. Type the original as the target.")
        )
    if draw.by_hand and kind in MOVES:
        found.append(Message("spans is not used here: sentences and rotation are drawn by the seed."))
    if draw.encoding.special.all():
        found.append(Message("Nothing is damaged: there is no ordinary token to damage."))
    elif kind == "sentence_permutation" and not sentence_numbers(draw.encoding).any():
        found.append(Message("The text is one sentence, so there is nothing to permute."))
    elif same and kind in MOVES:
        found.append(Message("Nothing is moved: chance left the order as it is. Take another seed."))
    elif same:
        found.append(Message("Nothing is damaged: chance left the text as it is. Take another seed or a higher share."))
    return found


def _account(source: Row, original: Row) -> list[Message]:
    """How much of the text is damaged: in tokens covered, not in masks."""
    count, masks = int(_ordinary(original).sum()), sum(role in MASKS for role in source.roles)
    moved, gone = source.roles.count(Role.MOVED), len(original) - len(source) + masks
    inserted, share = source.roles.count(Role.INSERTED), f"{gone / max(count, 1):.0%}"
    values = {"gone": gone, "count": count, "share": share, "masks": masks, "moved": moved, "inserted": inserted}
    found = []
    if masks:
        found.append(
            Message(
                "{gone} of {count} tokens ({share}) are hidden. Masks in the text: {masks}; inserted ones, which hide "
                "nothing: {inserted}.",
                values,
            )
        )
    elif gone:
        found.append(Message("{gone} of {count} tokens ({share}) are deleted, and nothing tells where.", values))
    if moved:
        found.append(Message("{moved} of {count} tokens moved.", values))
    return found


OBJECTIVE = Objective(
    key="denoising",
    title=Message("Denoising"),
    question=Message("The text is damaged. What did the whole original say?"),
    page="bart",
    family="BART",
    stack="encoder-decoder",
    paper="Lewis et al. 2019, section 2.2",
    boxes=(
        TextBox("text", Message("Text")),
        TextBox("target", Message("Original, if the text is damaged by hand"), optional=True),
    ),
    examples=(
        ReadyExample(
            Message("Five tokens behind one mask"),
            Texts("UN Chief Says There Is No Plan to Stop Chemical Weapons in Syria"),
            {"spans": "7:12"},
        ),
        ReadyExample(
            Message("A hidden span and an inserted mask"),
            Texts("The quick brown fox jumps over the lazy dog"),
            {"spans": "3:6,8:8"},
        ),
        ReadyExample(
            Message("Final recipe"),
            Texts("The cat sat on the mat. It looked at the door. Nobody came in all day."),
            {"kind": "final"},
            seed=2,
        ),
        ReadyExample(
            Message("Korean, sentences permuted"),
            Texts("나는 밥을 먹었다. 친구는 학교에 갔다. 우리는 저녁에 만났다."),
            {"kind": "sentence_permutation"},
            seed=2,
        ),
        ReadyExample(
            Message("Damaged by hand"),
            Texts(
                "UN Chief Says There Is No <mask> in Syria",
                target="UN Chief Says There Is No Plan to Stop Chemical Weapons in Syria",
            ),
        ),
    ),
    Settings=Settings,
    model="facebook/bart-base",
    build=build,
    chance=True,
)
