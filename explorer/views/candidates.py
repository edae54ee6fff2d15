"""The candidates of one step: how probable before and after the filters, which filter cut them, in which order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape

from explorer.sampling import Sampled
from explorer.types import Candidate, Message, SamplingSettings
from explorer.views.roles import Say
from explorer.views.style import attribute, clicks

FILTERS: Mapping[str, Message] = {
    "model": Message("the model"),
    "repetition_penalty": Message("repetition penalty"),
    "temperature": Message("temperature"),
    "top_k": Message("top-k"),
    "top_p": Message("top-p"),
    "min_p": Message("min-p"),
    "greedy": Message("greedy"),
}


def filter_name(name: str, settings: SamplingSettings, say: Say) -> str:
    """A filter in words, with its value where it has one: "top-k 8", "top-p 0.80"."""
    value, words = getattr(settings, name, None), say(FILTERS[name])
    if value is None or isinstance(value, bool):
        return words
    return f"{words} {value}" if isinstance(value, int) else f"{words} {value:.2f}"


def candidate_bars(
    candidates: Sequence[Candidate],
    settings: SamplingSettings,
    say: Say,
    *,
    chosen: int | None = None,
    shown: int = 10,
    clickable: bool = False,
) -> str:
    """The first `shown` candidates, and the one chosen, as a table of bars: before in outline, after filled, the cut
    struck through with the name of the filter. clickable: a piece reports "token:464" for id 464."""
    return _Bars(candidates, settings, say, chosen, shown, clickable).html()


@dataclass(frozen=True)
class _Bars:
    candidates: Sequence[Candidate]
    settings: SamplingSettings
    say: Say
    chosen: int | None
    shown: int
    clickable: bool

    def html(self) -> str:
        rows = [one for place, one in enumerate(self.candidates) if place < self.shown or one.id == self.chosen]
        longest = max((max(one.p_model, one.p_final) for one in rows), default=0.0) or 1.0
        head = "".join(f'<th scope="col">{escape(self.say(word))}</th>' for word in self._columns)
        body = "".join(self._row(one, longest) for one in rows)
        caption = escape(self.say(Message("Candidates at this step")))
        return (
            f'<div class="xp candidates"><table><caption class="said">{caption}</caption>'
            f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>"
        )

    @property
    def _columns(self) -> tuple[Message, ...]:
        bars = Message("before (outline) and after (filled)")
        return Message("rank"), Message("token"), bars, Message("before"), Message("after"), Message("cut by")

    def _row(self, one: Candidate, longest: float) -> str:
        kind = "cut" if one.removed_by else "chosen" if one.id == self.chosen else ""
        piece = f"<s>{escape(one.piece)}</s>" if one.removed_by else escape(one.piece)
        click = clicks(f"token:{one.id}") if self.clickable else ""
        widths = f"--before:{one.p_model / longest:.4f};--after:{one.p_final / longest:.4f}"
        reason = filter_name(one.removed_by, self.settings, self.say) if one.removed_by else ""
        return (
            f'<tr class="{kind}"><td>{one.rank or ""}</td>'
            f'<th scope="row"><span{attribute("title", f"{one.piece}  {one.id}")}{click}>{piece}</span></th>'
            f'<td><i class="bar" style="{widths}"></i></td>'
            f"<td>{one.p_model:.3f}</td><td>{one.p_final:.3f}</td><td>{escape(reason)}</td></tr>"
        )


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
