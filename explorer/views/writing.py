"""A text being written, drawn: what has been written so far and how sure the model was, and the draw of one token."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from explorer.types import Candidate, Message, Step
from explorer.views.roles import Say
from explorer.views.style import attribute, clicks

ROOM = 0.07
"""Share of the line from which a piece has room for its name."""


def written(
    prompt: Sequence[str], steps: Sequence[Step], say: Say, *, more: bool = True, clickable: bool = False
) -> str:
    """The prompt's pieces, then each token written with its probability in the model: the deeper the colour, the less
    probable. more: a box for the token to come. clickable: a token reports "step:3" for the fourth."""
    read = "".join(f"<li><b>{escape(piece)}</b></li>{_line_end(piece)}" for piece in prompt)
    told = "".join(_token(k, step, say, clickable) for k, step in enumerate(steps))
    following = f'<li class="next"><b>{escape(say(Message("next?")))}</b></li>' if more else ""
    label = attribute("aria-label", say(Message("The text, token by token")))
    return f'<ol class="xp written"{label}>{read}{told}{following}</ol>'


def _token(k: int, step: Step, say: Say, clickable: bool) -> str:
    told = {"id": step.chosen, "p": f"{step.p_model:.4f}", "entropy": f"{step.entropy:.2f}"}
    words = say(Message("id {id}: probability {p} in the model, entropy {entropy} nats", told))
    title = attribute("title", f"{step.piece}\n{words}")
    click = clicks(f"step:{k}") if clickable else ""
    surprise = f"--v:{1 - step.p_model:.3f}"
    return (
        f'<li class="told" style="{surprise}"><b{title}{click}>{escape(step.piece)}</b>'
        f"<small>{step.p_model:.2f}</small></li>{_line_end(step.piece)}"
    )


def _line_end(piece: str) -> str:
    return '<li class="end" aria-hidden="true"></li>' if piece.endswith("⏎") else ""


def draw_line(step: Step, say: Say) -> str:
    """The final probabilities laid end to end, the most probable first, and where the uniform number fell."""
    left = sorted((one for one in step.candidates if one.p_final > 0), key=lambda one: (-one.p_final, one.id))
    if step.draw is None:
        words = say(Message("Nothing is drawn: {piece} is taken.", {"piece": step.piece}))
        return f'<p class="xp draw">{escape(words)}</p>'
    rest = max(0.0, 1 - sum(one.p_final for one in left))
    parts = "".join(_part(rank, one, step.chosen) for rank, one in enumerate(left))
    if rest > 1e-6:
        parts += _segment("rest", rest, say(Message("all others")))
    words = f"u = {step.draw:.3f} → {step.piece}"
    side = " class=left" if step.draw > 0.6 else ""
    return (
        f'<figure class="xp draw" role="img"{attribute("aria-label", words)}>'
        f'<figcaption style="--u:{step.draw:.4f}"><span{side}>{escape(words)}</span></figcaption>'
        f"<div>{parts}</div></figure>"
    )


def _part(rank: int, one: Candidate, chosen: int) -> str:
    return _segment(f"s{min(rank, 5)}{' chosen' if one.id == chosen else ''}", one.p_final, one.piece)


def _segment(kind: str, share: float, name: str) -> str:
    shown = escape(name) if share >= ROOM else ""
    title = attribute("title", f"{name}  {share:.4f}")
    return f'<span class="{kind}" style="--p:{100 * share:.3f}%"{title}><i></i><b>{shown}</b></span>'
