"""Start and end of an answer as two rows of bars over and under the tokens; spans and windows as tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from explorer.types import Bools, HeadOutput, Message
from explorer.views.roles import Say
from explorer.views.style import attribute


@dataclass(frozen=True)
class Span:
    """First and last token of a span that stands out in the picture."""

    first: int
    last: int


def score_bars(
    pieces: Sequence[str], said: HeadOutput, inside: Bools, say: Say, *, best: Span | None, wanted: Span | None
) -> str:
    """A column for each token (T): the probability to be the start above it, to be the end below. best: the span to
    mark as found, wanted: as right; what is not `inside` the context is quiet."""
    rows = said.probabilities
    highest = rows.max(axis=0)
    starts, ends = (
        "".join(
            _bar(f"{at} {piece}", p / most, p, x) for at, (piece, p, x) in enumerate(zip(pieces, *column, strict=True))
        )
        for most, *column in zip(highest, rows.T, said.logits.T, strict=True)
    )
    tokens = "".join(_token(at, piece, bool(inside[at]), best, wanted) for at, piece in enumerate(pieces))
    numbers = "".join(f'<th scope="col">{at}</th>' for at in range(len(pieces)))
    names = [escape(say(word)) for word in (Message("start"), Message("token"), Message("end"), Message("position"))]
    caption = escape(say(Message("How probable each token is as the start and as the end of the answer")))
    marks = [(Message("best span under the rules"), "found"), (Message("right answer"), "right")]
    legend = "".join(
        f'<li><i class="key {kind}" aria-hidden="true"></i>{escape(say(word))}</li>' for word, kind in marks
    )
    return (
        f'<div class="xp ends"><div class="scroll" tabindex="0" role="region" aria-label="{caption}"><table>'
        f'<caption class="said">{caption}</caption><tr class="starts"><th scope="row">{names[0]}</th>{starts}</tr>'
        f'<tr class="text"><th scope="row">{names[1]}</th>{tokens}</tr>'
        f'<tr class="stops"><th scope="row">{names[2]}</th>{ends}</tr>'
        f'<tr class="numbers"><th scope="row">{names[3]}</th>{numbers}</tr></table></div>'
        f'<ul class="legend">{legend}</ul></div>'
    )


def _bar(name: str, height: float, probability: float, logit: float) -> str:
    told = attribute("title", f"{name}\n{probability:.4f}  ({logit:+.2f})")
    number = f"{probability:.2f}".removeprefix("0") if probability >= 0.05 else ""
    return f'<td style="--v:{height:.3f}"{told}><i></i><small>{number}</small></td>'


def _token(at: int, piece: str, inside: bool, best: Span | None, wanted: Span | None) -> str:
    kinds = [] if inside else ["quiet"]
    kinds += [name for name, span in (("found", best), ("right", wanted)) if span and span.first <= at <= span.last]
    return f'<td class="{" ".join(kinds)}"{attribute("title", f"{at} {piece}")}><span>{escape(piece)}</span></td>'


def words_to_mark(words: Sequence[str], chosen: Sequence[bool], caption: str) -> str:
    """The words of a context to click; each reports its number, as "word:3". chosen: whether it is in the answer."""
    buttons = "".join(
        f'<button class="token" data-click="word:{at}" aria-pressed="{str(pressed).lower()}">{escape(word)}</button>'
        for at, (word, pressed) in enumerate(zip(words, chosen, strict=True))
    )
    label = escape(caption)
    return (
        f'<div class="xp lit"><p class="soft">{label}</p>'
        f'<div class="tokens" role="group" aria-label="{label}">{buttons}</div></div>'
    )
