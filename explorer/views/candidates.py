"""The candidates of one step on their way through the filters: how probable, what was cut where, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from html import escape

from explorer.cuts import Cut, cuts
from explorer.sampling import Floats, Sampled
from explorer.types import Bools, Candidate, Message, SamplingSettings
from explorer.views.roles import Say
from explorer.views.style import attribute, clicks

FILTERS: Mapping[str, Message] = {
    "model": Message("the model"),
    "repetition_penalty": Message("repetition penalty"),
    "temperature": Message("temperature"),
    "top_k": Message("top-k"),
    "top_p": Message("top-p"),
    "min_p": Message("min-p"),
    "typical_p": Message("typical-p"),
    "greedy": Message("greedy"),
}


def filter_name(name: str, settings: SamplingSettings, say: Say) -> str:
    """A filter in words, with its value where it has one: "top-k 8", "top-p 0.80"."""
    value, words = getattr(settings, name, None), say(FILTERS[name])
    if value is None or isinstance(value, bool):
        return words
    return f"{words} {value}" if isinstance(value, int) else f"{words} {value:.2f}"


def step_picture(
    candidates: Sequence[Candidate],
    sampled: Sampled,
    settings: SamplingSettings,
    say: Say,
    *,
    chosen: int | None = None,
    shown: int = 10,
    clickable: bool = False,
) -> str:
    """The first `shown` candidates, and the one chosen, through the filters: a column of bars for the model, for each
    filter in the order applied, and for what the token is drawn from. A filter that cuts shows what it found, the line
    that a bar must reach, and in grey what it cut. clickable: a piece reports "token:464" for id 464."""
    rows = [one for place, one in enumerate(candidates) if place < shown or one.id == chosen]
    columns = _columns(sampled, settings, say)
    return _Picture(rows, columns, say, chosen, clickable).html()


@dataclass(frozen=True, eq=False)
class _Column:
    """One distribution (V,) as bars; cut: what the filter of this column did with it, None where it is no filter."""

    title: str
    bars: Floats
    kept: Bools
    cut: Cut | None = None


def _columns(sampled: Sampled, settings: SamplingSettings, say: Say) -> list[_Column]:
    """The model's distribution; for each filter what it cuts from, or what it makes of it; what is left in the end."""
    distributions = [stage.probabilities for stage in sampled.stages]
    columns = [_Column(say(FILTERS["model"]), distributions[0], distributions[0] > 0)]
    for number, cut in enumerate(cuts(sampled, settings), 1):
        bars = distributions[number] if cut.low is None else distributions[number - 1]
        kept = distributions[number] > 0
        columns.append(_Column(filter_name(cut.name, settings, say), bars, kept, cut))
    return [*columns, _Column(say(Message("drawn from")), distributions[-1], distributions[-1] > 0)]


@dataclass(frozen=True)
class _Picture:
    rows: Sequence[Candidate]
    columns: Sequence[_Column]
    say: Say
    chosen: int | None
    clickable: bool

    def html(self) -> str:
        words = [self.say(each) for each in (Message("rank"), Message("token"))]
        head = "".join(f'<th scope="col">{escape(word)}</th>' for word in words)
        head += "".join(map(self._head, self.columns))
        body = "".join(map(self._row, self.rows))
        caption = escape(self.say(Message("The candidates through the filters, in the order applied")))
        return (
            f'<div class="xp candidates" style="--columns:{len(self.columns)}">'
            f'<table><caption class="said">{caption}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    @cached_property
    def _longest(self) -> float:
        """The probability of a full bar, the same in every column."""
        return max((float(column.bars[one.id]) for column in self.columns for one in self.rows), default=1.0) or 1.0

    def _head(self, column: _Column) -> str:
        title, cut = escape(column.title), column.cut
        if cut is None:
            return f'<th scope="col">{title}</th>'
        if cut.low is None:
            return f'<th scope="col"><b>{title}</b></th>'
        given = {"n": f"{cut.left:,}", "mass": f"{cut.mass:.2f}"}
        words = escape(self.say(Message("{n} left, {mass} cut", given)))
        strip = f'<i class="mass" style="--cut:{100 * cut.mass:.2f}%"></i>'
        return f'<th scope="col"><b>{title}</b>{strip}<small>{words}</small></th>'

    def _row(self, one: Candidate) -> str:
        kind = "cut" if one.removed_by else "chosen" if one.id == self.chosen else ""
        piece = f"<s>{escape(one.piece)}</s>" if one.removed_by else escape(one.piece)
        click = clicks(f"token:{one.id}") if self.clickable else ""
        bars = "".join(self._bar(column, one.id) for column in self.columns)
        return (
            f'<tr class="{kind}"><td>{one.rank or ""}</td>'
            f'<th scope="row"><span{attribute("title", f"{one.piece}  {one.id}")}{click}>{piece}</span></th>{bars}</tr>'
        )

    def _bar(self, column: _Column, id: int) -> str:
        """A bar with its line; only the first and the last column have numbers, the others tell them on hover."""
        p, cut = float(column.bars[id]), column.cut
        if p == 0 and cut is not None:
            return "<td></td>"
        lines = () if cut is None else (cut.low, cut.high)
        drawn = "".join(
            f'<u style="--at:{at / self._longest:.4f}"></u>' for at in lines if at is not None and at <= self._longest
        )
        gone = "" if column.kept[id] or cut is None else " gone"
        number = f"<span>{escape(_short(p))}</span>" if cut is None else ""
        told = attribute("title", f"{p:.4f}")
        return f'<td{told}><div class="bar{gone}"><i style="--v:{p / self._longest:.4f}"></i>{drawn}</div>{number}</td>'


def _short(p: float) -> str:
    """Three places; what is there but too little for them is told from what is not."""
    return "<0.001" if 0 < p < 0.0005 else f"{p:.3f}"


def stages_line(sampled: Sampled, settings: SamplingSettings, say: Say) -> str:
    """What each filter left, in the order applied: logits, then the filters, then the draw."""
    parts = [escape(say(Message("{n} logits", {"n": f"{len(sampled.logits):,}"})))]
    steps = zip(sampled.stages[:-1], sampled.stages[1:], sampled.removed_mass[1:], strict=True)
    for before, after, mass in steps:
        words = f"<b>{escape(filter_name(after.name, settings, say))}</b>"
        if len(after.kept) < len(before.kept):
            left = {"n": f"{len(after.kept):,}", "mass": f"{mass:.2f}"}
            words += " " + escape(say(Message("{n} left, mass cut {mass}", left)))
        parts.append(words)
    drawn = sampled.stages[-1].name != "greedy"
    parts.append(escape(say(Message("draw") if drawn else Message("take the most probable"))))
    return f'<ol class="xp stages">{"".join(f"<li>{part}</li>" for part in parts)}</ol>'
