"""Texts written in several ways side by side, and how often each first token came against how often it should."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape
from typing import Protocol

from explorer.tree import log_probability
from explorer.types import Candidate, Message, Step
from explorer.views.roles import Say
from explorer.views.style import attribute


class Way(Protocol):
    """A way of writing by its name."""

    @property
    def title(self) -> Message: ...


class Text(Protocol):
    """What one way has written."""

    @property
    def strategy(self) -> Way: ...
    @property
    def steps(self) -> tuple[Step, ...]: ...


class Count(Protocol):
    """How often a token came."""

    @property
    def candidate(self) -> Candidate: ...
    @property
    def times(self) -> int: ...
    @property
    def expected(self) -> float: ...


def ways(texts: Sequence[Text], say: Say) -> str:
    """A column for each way: its name, its text shaded as the written text is, log probability and perplexity."""
    return f'<div class="xp ways">{"".join(_way(each, say) for each in texts)}</div>'


def _way(each: Text, say: Say) -> str:
    tokens = "".join(
        f'<b class="own" style="--v:{1 - step.p_model:.3f}"{attribute("title", f"{step.piece}  {step.p_model:.4f}")}>'
        f"{escape(step.piece)}</b>"
        for step in each.steps
    )
    total = log_probability(each.steps)
    mean = -total / len(each.steps) if each.steps else math.inf
    given = {"logp": f"{total:.1f}".replace("-", "−"), "perplexity": f"{math.exp(mean):,.1f}" if mean < 700 else "∞"}
    told = escape(say(Message("log p {logp} · perplexity {perplexity}", given)))
    title = escape(say(each.strategy.title))
    return f'<section class="branch"><h3>{title}</h3><p>{tokens}</p><small>{told}</small></section>'


def count_bars(counts: Sequence[Count], draws: int, say: Say, shown: int = 12) -> str:
    """Bars of how often each token came, a line where its probability says it should end, and the numbers."""
    listed = counts[:shown]
    longest = max((max(each.times, each.expected) for each in listed), default=1) or 1
    words = (Message("token"), Message("came"), Message("times"), Message("expected"))
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in words)
    rows = "".join(
        f'<tr><th scope="row"><span>{escape(each.candidate.piece)}</span></th>'
        f'<td><div class="bar"><i style="--v:{each.times / longest:.4f}"></i>'
        f'<u style="--at:{each.expected / longest:.4f}"></u></div></td>'
        f"<td>{each.times}</td><td>{each.expected:.1f}</td></tr>"
        for each in listed
    )
    rest = draws - sum(each.times for each in listed)
    others = escape(say(Message("{n} draws fell on other tokens.", {"n": rest}))) if rest else ""
    return (
        f'<div class="xp counted"><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>'
        f'<p class="soft">{others}</p></div>'
    )
