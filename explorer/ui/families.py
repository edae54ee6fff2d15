"""The map of families: two questions tell them apart, which cells of the mask are open and where the loss lies.

Years, stacks and objectives: Vaswani et al. 2017; Devlin et al. 2018; Radford et al. 2018, 2019; Brown et al. 2020;
Lewis et al. 2019; Raffel et al. 2019; Dong et al. 2019.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

import numpy as np

from explorer import masks
from explorer.comparison import EACH_TOKEN, ENCODER_ONCE, ONE_PASS
from explorer.types import Bools, Message
from explorer.ui.words import t
from explorer.views.compared import SHIFTS
from explorer.views.style import attribute

N = 6
"""Positions in the small pictures."""
OPEN, LOSSES = Message("{open} of {all} cells are open."), Message("{open} of {all} outputs have a loss.")
ENCODER_DECODER = (
    (Message("encoder"), masks.full(N)),
    (Message("decoder"), masks.causal(N)),
    (Message("cross"), masks.cross(N, N)),
)


@dataclass(frozen=True)
class Family:
    """One family: its page, year, stack, one line on its objective, named masks, and outputs with loss."""

    page: str
    year: str
    stack: Message
    asks: Message
    pictures: tuple[tuple[Message, Bools], ...]
    loss: tuple[int, ...]


FAMILIES = (
    Family(
        "transformer",
        "2017",
        Message("Encoder and decoder"),
        Message("No pretraining: the translation is learned from pairs, each target token from those before it."),
        ENCODER_DECODER,
        tuple(range(N)),
    ),
    Family(
        "bert",
        "2018",
        Message("Encoder"),
        Message("About 15% of the tokens are hidden or changed; name them, seen from both sides."),
        ((Message("encoder"), masks.full(N)),),
        (2,),
    ),
    Family(
        "gpt",
        "2018",
        Message("Decoder"),
        Message("Every output names the next token; the shift happens inside the loss."),
        ((Message("decoder"), masks.causal(N)),),
        tuple(range(N - 1)),
    ),
    Family(
        "bart",
        "2019",
        Message("Encoder and decoder"),
        Message("The encoder reads a damaged text, the decoder writes the whole original."),
        ENCODER_DECODER,
        tuple(range(N)),
    ),
    Family(
        "t5",
        "2019",
        Message("Encoder and decoder"),
        Message("Spans are cut out and replaced by sentinels; the decoder writes only what was cut."),
        ENCODER_DECODER,
        tuple(range(N)),
    ),
    Family(
        "prefix_lm",
        "2019",
        Message("Decoder"),
        Message("The prefix is read both ways, the target causally; only the target has loss."),
        ((Message("decoder"), masks.prefix(N, 3)),),
        (2, 3, 4),
    ),
)

COMPARED = (
    (
        Message("attention"),
        Message("all to all"),
        Message("causal"),
        Message("encoder all to all, decoder causal, cross to all of the encoder"),
    ),
    (
        Message("positions with loss"),
        Message("about 15%, and [CLS] for the next sentence"),
        Message("all but one"),
        Message("all of the target"),
    ),
    (
        Message("who shifts"),
        *SHIFTS.values(),
    ),
    (
        Message("what one text teaches"),
        Message("little: few targets"),
        Message("much: nearly every position"),
        Message("between: T5 a short target, BART the full length"),
    ),
    (
        Message("forward passes in use"),
        ONE_PASS,
        EACH_TOKEN,
        ENCODER_ONCE,
    ),
)
"""What sets the three stacks apart: encoder, decoder, encoder-decoder."""


def card(family: Family) -> str:
    """Stack and year, the small masks, where the loss lies, and one line; HTML."""
    pictures = "".join(
        f"<figure>{_cells(mask, OPEN)}<figcaption>{escape(t(name))}</figcaption></figure>"
        for name, mask in family.pictures
    )
    losses = np.isin(np.arange(N), family.loss)[None, :]
    loss = escape(t("loss"))
    return (
        f'<div class="xp family"><p class="soft">{escape(t(family.stack))} · {family.year}</p>'
        f'<div class="minis">{pictures}<figure class="losses">{_cells(losses, LOSSES)}'
        f"<figcaption>{loss}</figcaption></figure></div><p>{escape(t(family.asks))}</p></div>"
    )


def comparison() -> str:
    """The three stacks side by side; HTML."""
    heads = (Message("Encoder (BERT)"), Message("Decoder (GPT)"), Message("Encoder-decoder (T5, BART)"))
    rows = "".join(f'<tr><th scope="row">{escape(t(name))}</th>{_each("td", cells)}</tr>' for name, *cells in COMPARED)
    return f'<div class="xp compared"><table><thead><tr><td></td>{_each("th", heads)}</tr></thead>{rows}</table></div>'


def _each(tag: str, messages: Iterable[Message]) -> str:
    return "".join(f"<{tag}>{escape(t(message))}</{tag}>" for message in messages)


def _cells(mask: Bools, told: Message) -> str:
    """A mask as small squares, filled where it is true; told: how the number of these is read aloud."""
    cells = "".join("<b></b>" if cell else "<i></i>" for cell in mask.ravel())
    words = t(told.id, open=int(mask.sum()), all=mask.size)
    return f'<div class="mini" role="img"{attribute("aria-label", words)}>{cells}</div>'
