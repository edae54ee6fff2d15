"""Softmax and cross entropy by hand as tables: one position step by step, then a few positions and their mean;
and attention from scores to weights.

Alphabet: V tokens that could come, N positions.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import numpy as np

from explorer.attend import Attended, Floats
from explorer.by_hand import Positions, Worked
from explorer.types import IGNORE, Message
from explorer.views.roles import Say
from explorer.views.style import attribute


def worked_table(worked: Worked, tokens: Sequence[str], say: Say) -> str:
    """A row for each of the V tokens, a column for each step; the bar is the probability, its outline the target."""
    scored = worked.result.mean is not None
    heads = (
        Message("token"),
        Message("logit"),
        Message("minus the largest"),
        Message("power of e"),
        Message("divided by the sum: p"),
        Message("target"),
        Message("target × −ln p"),
    )
    body = "".join(_worked_row(worked, token, v, scored=scored) for v, token in enumerate(tokens))
    loss = f"{worked.result.mean:.4f}" if worked.result.mean is not None else "–"
    sums = ("", "", f"{worked.total:.4f}", "1.0000", "1.0000" if scored else "–")
    foot = "".join(f"<td>{number}</td>" for number in sums)
    word = escape(say(Message("sum")))
    total = f'<tr><th scope="row">{word}</th>{foot}<td class="loss">{loss}</td></tr>'
    return _table(heads, body, total, Message("One position by hand"), say)


def _worked_row(worked: Worked, token: str, v: int, *, scored: bool) -> str:
    p, target = float(worked.probabilities[v]), float(worked.target[v])
    steps = (worked.logits[v], worked.lowered[v], worked.powers[v])
    numbers = "".join(f"<td>{_signed(float(number))}</td>" for number in steps)
    outline = f'<u style="--v:{target:.4f}"></u>' if scored and target else ""
    bar = f'<span class="bar" aria-hidden="true"><i style="--v:{p:.4f}"></i>{outline}</span>'
    aim, term = (f"{target:.4f}", f"{worked.terms[v]:.4f}") if scored else ("–", "–")
    wanted = ' class="wanted"' if scored and target == worked.target.max() else ""
    name = f'<th scope="row"><b{attribute("title", token)}>{escape(token)}</b></th>'
    return f'<tr{wanted}>{name}{numbers}<td class="p">{bar}{p:.4f}</td><td>{aim}</td><td>{term}</td></tr>'


def positions_table(given: Positions, say: Say) -> str:
    """A row for each of the N positions: its logits, its label, the label's probability, its loss; then the mean."""
    result = given.result
    heads = (Message("position"), Message("logits"), Message("label"), Message("p of the label"), Message("loss"))
    body = "".join(
        _position_row(n, row, label, float(loss))
        for n, (row, label, loss) in enumerate(zip(given.rows, given.labels, result.per_position, strict=True))
    )
    mean = "–" if result.mean is None else f"{result.mean:.6f}"
    words = escape(say(Message("sum {total} / {n} targets", {"total": f"{result.total:.4f}", "n": result.n_targets})))
    name = escape(say(Message("mean")))
    foot = f'<tr><th scope="row">{name}</th><td colspan="3">{words}</td>'
    return _table(heads, body, f'{foot}<td class="loss">{mean}</td></tr>', Message("Positions and their mean"), say)


def _position_row(n: int, row: Sequence[float], label: int, loss: float) -> str:
    numbers = " ".join(f'<b class="at">{_signed(x, 1)}</b>' if v == label else _signed(x, 1) for v, x in enumerate(row))
    ignored = label == IGNORE
    p, told = ("–", "–") if ignored else (f"{np.exp(-loss):.4f}", f"{loss:.4f}")
    quiet = ' class="quiet"' if ignored else ""
    name = f'<th scope="row">{n}</th><td class="logits">{numbers}</td>'
    return f"<tr{quiet}>{name}<td>{_signed(label, 0)}</td><td>{p}</td><td>{told}</td></tr>"


def stages_by_hand(stages: Attended, say: Say) -> str:
    """Attention (Q,K) in three tables: scores, what the mask leaves, weights."""
    titles = (Message("q · k / √8"), Message("after the mask"), Message("softmax of each row"))
    tables = zip(titles, (stages.scores, stages.masked, stages.weights), strict=True)
    return f'<div class="xp stages-by-hand">{"".join(_numbers_table(say(title), each) for title, each in tables)}</div>'


def _numbers_table(title: str, values: Floats) -> str:
    rows = "".join(
        f'<tr><th scope="row">{i}</th>{"".join(_number_cell(value) for value in row)}</tr>'
        for i, row in enumerate(values.tolist())
    )
    head = "".join(f'<th scope="col">{j}</th>' for j in range(values.shape[1]))
    return f"<table><caption>{escape(title)}</caption><tr><td></td>{head}</tr>{rows}</table>"


def _number_cell(value: float) -> str:
    if np.isnan(value):
        return '<td class="odd">NaN</td>'
    return '<td class="closed">−∞</td>' if np.isinf(value) else f"<td>{value:.4f}</td>"


def _table(heads: Sequence[Message], body: str, foot: str, caption: Message, say: Say) -> str:
    head = "".join(f'<th scope="col">{escape(say(word))}</th>' for word in heads)
    label = attribute("aria-label", say(caption))
    return (
        f'<div class="xp worked"><div class="scroll" tabindex="0" role="region"{label}><table>'
        f"<thead><tr>{head}</tr></thead><tbody>{body}</tbody><tfoot>{foot}</tfoot></table></div></div>"
    )


def _signed(value: float, places: int = 4) -> str:
    return f"{value:.{places}f}".replace("-", "−")
