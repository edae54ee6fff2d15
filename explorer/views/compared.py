"""All families on one sentence: how many outputs teach, who shifts, who looks at whom, how many passes in use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from explorer.types import AttentionKind, Example, Message, Shift
from explorer.views.png import data_url, opacity_png
from explorer.views.roles import Say
from explorer.views.style import attribute

SHIFTS: dict[Shift, Message] = {
    "none": Message("nobody: compared in place"),
    "loss": Message("the model, inside its loss"),
    "decoder_input": Message("the decoder input is shifted right"),
}

MASKS: dict[AttentionKind, Message] = {
    "encoder": Message("encoder"),
    "decoder": Message("decoder"),
    "cross": Message("cross"),
}

HEADS = (
    Message("Family"),
    Message("Outputs with loss"),
    Message("Who may look at whom"),
    Message("Who shifts"),
    Message("Passes in use"),
)


@dataclass(frozen=True)
class Line:
    """One family of the table. example: None where the sentence cannot be used, and then `problem` says why."""

    title: Message
    passes: Message
    example: Example | None
    problem: Message | None = None


def compared_table(lines: Sequence[Line], say: Say) -> str:
    """A row a family, as HTML; it scrolls in its own box."""
    heads = "".join(f'<th scope="col">{escape(say(head))}</th>' for head in HEADS)
    rows = "".join(f'<tr><th scope="row">{escape(say(line.title))}</th>{_cells(line, say)}</tr>' for line in lines)
    caption = escape(say(Message("One sentence through every family")))
    return (
        f'<div class="xp side-by-side" tabindex="0" role="region"{attribute("aria-label", caption)}><table>'
        f'<caption class="said">{caption}</caption><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>'
    )


def _cells(line: Line, say: Say) -> str:
    example = line.example
    if example is None:
        words = "" if line.problem is None else say(line.problem)
        return f'<td class="none" colspan="{len(HEADS) - 1}">{escape(words)}</td>'
    told = (SHIFTS[example.shift], line.passes)
    return _share(example, say) + _masks(example, say) + "".join(f"<td>{escape(say(word))}</td>" for word in told)


def _share(example: Example, say: Say) -> str:
    """A bar of all outputs, filled as far as they have a loss, and the numbers."""
    n, outputs = example.n_targets, len(example.output)
    words = say(Message("{n} of {outputs}", {"n": n, "outputs": outputs}))
    share = f"{100 * n / outputs:.0f}%"
    return f'<td class="share"><i style="--share:{share}"></i><b>{escape(words)}</b> <span>{share}</span></td>'


def _masks(example: Example, say: Say) -> str:
    """Each mask as a small square of its own cells, filled where open."""
    figures = []
    for kind, word in MASKS.items():
        mask = getattr(example.masks, kind)
        if mask is not None:
            png = data_url(opacity_png(np.uint8(255) * mask))
            figures.append(
                f'<figure><i style="--png:url({png})"></i><figcaption>{escape(say(word))}</figcaption></figure>'
            )
    return f'<td class="small-masks"><div>{"".join(figures)}</div></td>'
