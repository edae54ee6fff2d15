"""A training that goes on: both losses over the steps, the figures of now, and what the model makes of texts.

Every picture keeps its size while its values change.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from explorer.learning import Curve, Sample, Snapshot
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.said import said_table, told_points
from explorer.views.style import attribute

WIDE, HIGH = 600, 240
"""Size of the curves in their own units; they take the width that there is."""
FIRST = 200
"""Steps for which there is room at first; the room doubles whenever it is used up."""
ABOVE = 1.25
"""The top of the picture, as a multiple of the loss of an even guess."""


@dataclass(frozen=True)
class Frame:
    """What a learning curve is drawn in. even: the loss of an even guess, ln V; entropy: of one that knows how often
    each token comes up. Larger losses are drawn at the top."""

    even: float
    entropy: float

    @property
    def top(self) -> float:
        """The loss at the upper edge."""
        return ABOVE * max(self.even, self.entropy)

    def height(self, loss: float) -> float:
        """Share of the height from the upper edge, 0 to 1.

        >>> frame = Frame(4.0, 3.0)
        >>> frame.height(0.0), frame.height(5.0), frame.height(9.0)
        (1.0, 0.0, 0.0)
        """
        return 1.0 - min(loss, self.top) / self.top


def room(steps: int) -> int:
    """Steps from the left edge to the right.

    >>> room(0), room(200), room(201), room(1000)
    (200, 200, 400, 1600)
    """
    wide = FIRST
    while wide < steps:
        wide *= 2
    return wide


def learning_curve(seen: Snapshot, frame: Frame, say: Say) -> str:
    """Both losses over the steps, two lines that need no learning, and a mark where something was changed."""
    wide = room(seen.step)
    lines = [("l0", seen.training), ("l1", seen.held_out)]
    drawn = "".join(
        f'<polyline class="{name}" points="{_points(line, frame, wide)}"></polyline>' for name, line in lines
    )
    marks = "".join(_mark(step, wide) for step, _ in seen.changes[1:])
    words, far = say(Message("Loss over the steps of training")), Message("{n} steps", {"n": f"{wide:,}"})
    levels = _level("even", frame.even, Message("even guess, ln V = {loss}", _loss(frame.even)), frame, say)
    levels += _level("known", frame.entropy, Message("frequencies only, H = {loss}", _loss(frame.entropy)), frame, say)
    return (
        f'<div class="xp learning"><figure class="line"><figcaption>{escape(words)}{_legend(seen, say)}</figcaption>'
        f'<div class="plot"><div class="ends"><span>{frame.top:.1f}</span><span>0</span></div><div class="field">'
        f'<svg viewBox="0 0 {WIDE} {HIGH}" preserveAspectRatio="none" role="img"{attribute("aria-label", words)}>'
        f"{marks}{drawn}</svg>{levels}</div></div>"
        f'<div class="axis"><span>0</span><span>{escape(say(far))}</span></div>'
        f"{_aloud(seen, words, say)}</figure></div>"
    )


def _aloud(seen: Snapshot, caption: str, say: Say) -> str:
    """The losses at some of the steps; the held-out loss is measured at fewer of them."""
    measured = dict(zip(seen.held_out.steps.tolist(), seen.held_out.losses.tolist(), strict=True))
    curve = dict(zip(seen.training.steps.tolist(), seen.training.losses.tolist(), strict=True))
    steps = sorted({*curve, *measured})
    rows = (
        [f"{step:,}", *(_loss(losses.get(step))["loss"] for losses in (curve, measured))]
        for step in (steps[at] for at in told_points(len(steps)))
    )
    heads = [say(word) for word in (Message("step"), Message("training loss"), Message("held-out loss"))]
    return said_table(caption, heads, rows)


def _loss(value: float | None) -> dict[str, str]:
    return {"loss": "–" if value is None else f"{value:.2f}"}


def _legend(seen: Snapshot, say: Say) -> str:
    names = [
        Message("training loss {loss}", _loss(seen.training.last)),
        Message("held-out loss {loss}", _loss(seen.held_out.last)),
    ]
    return "<ul>" + "".join(f'<li class="l{k}">{escape(say(name))}</li>' for k, name in enumerate(names)) + "</ul>"


def _level(name: str, loss: float, words: Message, frame: Frame, say: Say) -> str:
    return f'<i class="level {name}" style="--y:{100 * frame.height(loss):.2f}%"><span>{escape(say(words))}</span></i>'


def _mark(step: int, wide: int) -> str:
    across = WIDE * step / wide
    return f'<line class="change" x1="{across:.1f}" x2="{across:.1f}" y1="0" y2="{HIGH}"></line>'


def _points(line: Curve, frame: Frame, wide: int) -> str:
    return " ".join(
        f"{WIDE * step / wide:.1f},{HIGH * frame.height(loss):.1f}"
        for step, loss in zip(line.steps.tolist(), line.losses.tolist(), strict=True)
    )


def learning_figures(seen: Snapshot, goal: float, score: Message, say: Say) -> str:
    """One line: steps, seconds of work, the score of the task, and what else was counted."""
    items = "".join(f"<li><b>{number}</b> {escape(say(word))}</li>" for number, word in _figures(seen, goal, score))
    return f'<ul class="xp figures learned">{items}</ul>'


def _figures(seen: Snapshot, goal: float, score: Message) -> Iterable[tuple[str, Message]]:
    look = seen.look
    yield f"{seen.step:,}", Message("steps")
    yield f"{seen.seconds:.0f} s", Message("of work")
    share = "–" if look is None else f"{look.score:.0%}"
    if seen.reached is None:
        yield share, Message("{score} (a minute: {goal})", {"score": score, "goal": f"{goal:.0%}"})
    else:
        given = {"score": score, "goal": f"{goal:.0%}", "seconds": f"{seen.reached:.0f}"}
        yield share, Message("{score} ({goal} after {seconds} s)", given)
    if look is not None and look.ended is not None:
        yield f"{look.ended:.0%}", Message("of what is written comes to an end")
    if look is not None and look.follows is not None:
        yield f"{look.follows:.0%}", Message("of the pairs told right: next line or not")


def sample_table(samples: Sequence[Sample], say: Say, *, rows: int, judged: bool) -> str:
    """What the model read and what it made of it, and where it is `judged` what was wanted; `rows` rows, empty while
    there is nothing."""
    named = [Message("read"), Message("written by the model")]
    named += [Message("wanted"), Message("right?")] if judged else []
    head = "".join(f'<th scope="col">{escape(say(name))}</th>' for name in named)
    body = "".join(_row(sample, judged, say) for sample in samples)
    body += f"<tr>{'<td>–</td>' * len(named)}</tr>" * (rows - len(samples))
    label = attribute("aria-label", say(Message("Samples")))
    return (
        f'<div class="xp samples" tabindex="0" role="region"{label}><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{body}</tbody></table></div>"
    )


def _row(sample: Sample, judged: bool, say: Say) -> str:
    cells = [sample.given, sample.written]
    texts = "".join(f"<td{attribute('title', text)}><span>{escape(text) or '–'}</span></td>" for text in cells)
    if not judged:
        return f"<tr>{texts}</tr>"
    kind, sign, word = ("right", "✓", Message("yes")) if sample.right else ("wrong", "✗", Message("no"))
    wanted = f"<td><span>{escape(sample.wanted or '')}</span></td>"
    return f"<tr>{texts}{wanted}<td class={kind}>{sign} {escape(say(word))}</td></tr>"
