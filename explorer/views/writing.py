"""A text being written, drawn: what has been written so far and how sure the model was, and the draw of one token."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from html import escape

from explorer.types import Candidate, Message, Step
from explorer.views.roles import Say
from explorer.views.style import attribute, clicks
from explorer.whole_text import Loop, rank

HAND = Message("taken by hand")
CONTROL = Message("control token")

ROOM = 0.07
"""Share of the line from which a piece has room for its name."""


SEEN = 1e-6
"""The least share of the line that is drawn."""

SHOWN = 600
"""Tokens that are drawn of a text; of a longer one the last so many."""


def written(
    prompt: Sequence[str],
    steps: Sequence[Step],
    say: Say,
    *,
    source: Sequence[str] = (),
    controls: Collection[str] = (),
    more: bool = True,
    clickable: bool = False,
) -> str:
    """The prompt's pieces, then each token written with its probability in the model: the deeper the colour, the less
    probable. source: what an encoder has read, above the rest. controls: pieces that are control tokens, drawn apart
    from words. more: a box for the token to come. clickable: a token reports "step:3" for the fourth. A long text is
    drawn from its end, which stays in sight."""
    told = [_token(k, step, say, clickable=clickable, control=step.piece in controls) for k, step in enumerate(steps)]
    read, before = ([_read(piece, say, piece in controls) for piece in pieces] for pieces in (prompt, source))
    lines = _tail([*read, *told], say)
    if source:
        between = '<li class="end line" aria-hidden="true"></li>'
        lines = _tail(before, say) + between + lines
    open_end = escape(say(Message("next?")))
    following = f'<li class="next"><b>{open_end}</b></li>' if more else ""
    label = attribute("aria-label", say(Message("The text, token by token")))
    return f'<div class="xp written"><ol{label}>{lines}{following}</ol></div>'


def _tail(tokens: Sequence[str], say: Say) -> str:
    """The last tokens of a text, after how many there are before them."""
    left_out = len(tokens) - SHOWN
    if left_out <= 0:
        return "".join(tokens)
    words = escape(say(Message("{n} tokens before this", {"n": f"{left_out:,}"})))
    return f'<li class="before">{words}</li>{"".join(tokens[left_out:])}'


def _read(piece: str, say: Say, control: bool) -> str:
    apart = f' class="control"{attribute("title", say(CONTROL))}' if control else ""
    return f"<li{apart}><b>{escape(piece)}</b></li>{_line_end(piece)}"


def figures(steps: Sequence[Step], say: Say) -> str:
    """One line: how many steps, how long the last one took, how probable the whole is in the model."""
    if not steps:
        nothing = say(Message("no step yet"))
        return f'<p class="xp pace">{escape(nothing)}</p>'
    logs = [math.log(step.p_model) if step.p_model else -math.inf for step in steps]
    given = {
        "n": len(steps),
        "ms": f"{steps[-1].milliseconds:.0f}",
        "logp": f"{sum(logs):.1f}".replace("-", "−"),
        "perplexity": _short(-sum(logs) / len(logs)),
    }
    words = Message("step {n} · {ms} ms · log p {logp} · perplexity {perplexity}", given)
    return f'<p class="xp pace">{escape(say(words))}</p>'


def _short(loss: float) -> str:
    """The perplexity of a mean loss; without places where it is large."""
    perplexity = math.exp(loss) if loss < 700 else math.inf
    return f"{perplexity:,.0f}" if perplexity >= 1000 else f"{perplexity:.1f}"


SHADES: dict[str, Message] = {
    "probability": Message("probability"),
    "rank": Message("rank"),
    "entropy": Message("entropy"),
}
"""What the colour of a written token may tell: how probable it was, its place among all, how open the choice was."""


def shaded(steps: Sequence[Step], say: Say, shade: str, vocabulary: int, again: Sequence[Loop] = ()) -> str:
    """The tokens written, each over the figure that its colour tells: the deeper, the less probable, the lower in
    rank, the more open. vocabulary: how many tokens there are to choose from. again: loops, underlined."""
    inside = {k for loop in again for k in range(loop.start, loop.end)}
    told = [
        _token(k, step, say, shade=shade, most=math.log(vocabulary), again=k in inside) for k, step in enumerate(steps)
    ]
    if not told:
        return figures((), say)
    label = attribute("aria-label", say(Message("The text, token by token")))
    return f'<div class="xp shaded"><ol{label}>{_tail(told, say)}</ol></div>'


def _token(
    k: int,
    step: Step,
    say: Say,
    *,
    clickable: bool = False,
    shade: str = "probability",
    most: float = 1.0,
    again: bool = False,
    control: bool = False,
) -> str:
    place = rank(step)
    told = {"id": step.chosen, "p": f"{step.p_model:.4f}", "rank": place, "entropy": f"{step.entropy:.2f}"}
    words = say(Message("id {id}: probability {p} in the model, rank {rank}, entropy {entropy} nats", told))
    words += "".join(f"\n{say(word)}" for word, true in ((HAND, step.by_hand), (CONTROL, control)) if true)
    title = attribute("title", f"{step.piece}\n{words}")
    depth, figure = {
        "probability": (1 - step.p_model, f"{step.p_model:.2f}"),
        "rank": (math.log(max(1, place)) / most, f"{place:,}"),
        "entropy": (step.entropy / most, f"{step.entropy:.1f}"),
    }[shade]
    marks = {"hand": step.by_hand, "again": again, "control": control}
    kinds = " ".join(["told", *(name for name, true in marks.items() if true)])
    return (
        f'<li class="{kinds}" style="--v:{min(1.0, depth):.3f}"><b{title}{clicks(f"step:{k}") if clickable else ""}>'
        f"{escape(step.piece)}</b><small>{figure}</small></li>{_line_end(step.piece)}"
    )


def _line_end(piece: str) -> str:
    return '<li class="end" aria-hidden="true"></li>' if piece.endswith("⏎") else ""


def draw_line(step: Step, say: Say) -> str:
    """The final probabilities laid end to end, the most probable first, and where the uniform number fell."""
    left = sorted((one for one in step.candidates if one.p_final > 0), key=lambda one: (-one.p_final, one.id))
    if step.draw is None:
        words = say(Message("Nothing is drawn: {piece} is taken.", {"piece": step.piece}))
        return f'<p class="xp draw">{escape(words)}</p>'
    parts = [_part(place, one, step.chosen) for place, one in enumerate(left)]
    rest = max(0.0, 1 - sum(one.p_final for one in left))
    if rest > SEEN:
        parts = _with_rest(parts, rest, say(Message("all others")), step.draw)
    words = f"u = {step.draw:.3f} → {step.piece}"
    side = " class=left" if step.draw > 0.6 else ""
    return (
        f'<figure class="xp draw" role="img"{attribute("aria-label", words)}>'
        f'<figcaption style="--u:{step.draw:.4f}"><span{side}>{escape(words)}</span></figcaption>'
        f"<div>{''.join(_segment(*part) for part in parts)}</div></figure>"
    )


Part = tuple[str, float, str]
"""Kind, share of the line, name."""


def _with_rest(parts: Sequence[Part], rest: float, name: str, draw: float) -> list[Part]:
    """The share of all others comes behind the parts. A number that falls there has chosen one of the others: the last
    part, which is listed for that reason, then lies where the number fell."""
    if draw < 1 - rest:
        return [*parts, ("rest", rest, name)]
    *before, own = parts
    first = min(rest, draw - sum(share for _, share, _ in before))
    return [*before, ("rest", first, name), own, ("rest", rest - first, name)]


def _part(place: int, one: Candidate, chosen: int) -> Part:
    return f"s{min(place, 5)}{' chosen' if one.id == chosen else ''}", one.p_final, one.piece


def _segment(kind: str, share: float, name: str) -> str:
    shown = escape(name) if share >= ROOM else ""
    title = attribute("title", f"{name}  {share:.4f}")
    return f'<span class="{kind}" style="--p:{100 * share:.3f}%"{title}><i></i><b>{shown}</b></span>'
