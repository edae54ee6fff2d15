"""The masks page: any mask from a few fields, in both conventions, and attention worked by hand under a mask."""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields
from functools import partial

import numpy as np
import streamlit as st

from explorer import masks
from explorer.attend import EXAMPLE, attend
from explorer.mask_kinds import KINDS, build
from explorer.records import mask_record
from explorer.settings import knob, knobs
from explorer.types import Bools, InputProblem, Message
from explorer.ui.choice import choose
from explorer.ui.clickable import choosable, chosen_cell
from explorer.ui.controls import check_address, chips, control, report_address
from explorer.ui.files import picture_files
from explorer.ui.take_home_part import Parcel
from explorer.ui.visits import enter, leave
from explorer.ui.words import language, literal, say_in, sentence, t
from explorer.views.by_hand import stages_by_hand
from explorer.views.grid import Axes
from explorer.views.mask_code import mask_code
from explorer.views.matrix import mask_picture
from explorer.views.painting import mask_painting
from explorer.views.roles import Say
from explorer.views.tables import weights_table

MASK, BY_HAND = Message("Mask"), Message("Attention by hand")


@dataclass(frozen=True)
class MaskFields:
    """The fields of the page; `asks` says which of them a kind of mask needs."""

    kind: str = knob("causal", Message("Mask"), choices={name: kind.title for name, kind in KINDS.items()})
    length: int = knob(5, Message("Positions"), low=1, high=64)
    prefix: int = knob(3, Message("Prefix length"), low=0, high=64)
    keys: int = knob(7, Message("Source positions"), low=1, high=64)
    documents: str = knob("3,2", Message("Document lengths"))
    pad: int = knob(0, Message("Padding tokens"), low=0, high=64)
    pad_left: bool = knob(False, Message("Padding on the left"))


EXAMPLES = (
    (Message("The future is closed"), {"kind": "causal", "length": 5, "pad": 0, "pad_left": False}),
    (
        Message("A prefix seen from both sides"),
        {"kind": "prefix", "length": 6, "prefix": 3, "pad": 0, "pad_left": False},
    ),
    (Message("Two documents in one row"), {"kind": "block", "documents": "3,2", "pad": 0, "pad_left": False}),
    (Message("Padding on the left"), {"kind": "causal", "length": 5, "pad": 2, "pad_left": True}),
)
"""Ready masks, each with the fields of its kind; the first one is on the page at first."""

ASKS = {"prefix": ("length", "prefix"), "cross": ("length", "keys"), "block": ("documents",)}
"""Fields of a kind of mask beside its padding; the others ask for their length only."""


def ask_mask() -> masks.Rules:
    """Draw the fields and build the mask they describe. Raises InputProblem."""
    start = {field.name: field.default for field in fields(MaskFields)}
    if enter("masks", start):
        check_address(MaskFields)
    report_address()
    hows = knobs(MaskFields)
    with st.container(border=True, horizontal=True, vertical_alignment="bottom", gap="medium", key="strip"):
        kind = control("kind", hows["kind"], MaskFields)
        names = [*ASKS.get(kind, ("length",)), "pad", "pad_left"]
        given = MaskFields(kind, **{name: control(name, hows[name], MaskFields) for name in names})
    chips([title for title, _ in EXAMPLES], [fields for _, fields in EXAMPLES])
    leave(start)
    return _build(given)


def _build(given: MaskFields) -> masks.Rules:
    documents = _numbers(given.documents) if given.kind == "block" else None
    length = sum(documents) if documents else given.length
    keys = given.keys if given.kind == "cross" else length
    pads = [0] * min(given.pad, keys)
    real = [1] * (keys - len(pads))
    return build(
        given.kind,
        length,
        prefix=given.prefix if given.kind == "prefix" else None,
        keys=keys if given.kind == "cross" else None,
        pad=(pads + real if given.pad_left else real + pads) if pads or given.kind == "padding" else None,
        documents=documents,
    )


def _numbers(text: str) -> list[int]:
    try:
        return [int(part) for part in text.split(",")]
    except ValueError:
        raise InputProblem(
            "The document lengths are {value}, but must be whole numbers separated by commas, such as 3,2.",
            {"value": text},
        ) from None


def mask_with_reasons(rules: masks.Rules) -> None:
    """The picture; the cell that is clicked says why it is open or closed."""
    queries, keys = _names(rules)
    cell = chosen_cell("cell", rules.queries, rules.keys)
    reason = partial(masks.reason, rules)
    choosable(mask_picture(rules.mask, queries, keys, t, reason=reason, clickable=True, chosen=cell), "cell")
    if cell is None:
        st.markdown(literal(t("Click a cell: it says why it is open or closed.")))
        return
    found = [reason(*cell), masks.row_note(rules, cell[0])]
    st.markdown(" ".join(sentence(message) for message in found if message is not None))


def _names(rules: masks.Rules) -> tuple[list[str], list[str]]:
    """Of the rows and the columns."""
    queries = [f"t{i}" for i in range(rules.queries)]
    return queries, [f"s{j}" for j in range(rules.keys)] if rules.cross else queries


def both_conventions(rules: masks.Rules) -> None:
    """The same mask as numbers: 1 = may attend, and True = hidden."""
    count = {"open": masks.allowed(rules.mask), "all": rules.mask.size}
    st.markdown(sentence(Message("{open} of {all} cells are open.", count)))
    st.markdown(literal(t("1 = may attend: attention_mask in transformers, and everywhere in this app")))
    st.code(_rows(rules.mask.astype(int).astype(str)), language=None)
    st.markdown(literal(t("True = hidden: the bool masks of torch.nn.Transformer")))
    st.code(_rows(masks.hidden(rules.mask).astype(str)), language=None)


def _rows(words: np.ndarray) -> str:
    return "\n".join(" ".join(f"{word:>5}" if len(word) > 1 else word for word in row) for row in words.tolist())


CASES: dict[str, tuple[Message, Bools, Message]] = {
    "none": (
        Message("no mask"),
        masks.full(4),
        Message("Nothing is closed: each row shares its attention among all four keys, and the shares add up to 1."),
    ),
    "causal": (
        Message("causal"),
        masks.causal(4),
        Message("The cells that stay are renormalised. The last row looks at everything before it and is unchanged."),
    ),
    "padding": (
        Message("last key is padding"),
        masks.padding([1, 1, 1, 0]),
        Message("Nobody looks at the pad. The pad's own row is still computed; only its loss is ignored."),
    ),
    "row": (
        Message("a row hidden entirely"),
        masks.padding([0, 1, 1, 1]) & masks.causal(4),
        Message(
            "Position 0 is padding, so under a causal mask its row may look at nothing: every score is minus infinity "
            "and softmax is 0/0, not a number. One such row can make a whole loss NaN. Libraries avoid it with a large "
            "negative number in place of minus infinity: the row then gets meaningless weights, and nobody reads it."
        ),
    ),
}
"""Masks for the worked example: name, mask (4,4), what to see."""


def worked_example() -> str:
    """Scaled dot-product attention with queries = keys = x (4,8): scores, the mask, weights. Gives the case."""
    st.header(t(BY_HAND), anchor=False)
    case = choose("case", t("Mask"), {name: t(title) for name, (title, _, _) in CASES.items()}, "causal")
    _, mask, words = CASES[case]
    st.html(stages_by_hand(attend(EXAMPLE, EXAMPLE, mask), t))
    st.markdown(literal(t(words)))
    return case


def mask_parcel(rules: masks.Rules, case: str) -> Parcel:
    """What there is to take home: the mask, and the worked example."""
    mask, by_hand = rules.mask, CASES[case][1]
    queries, keys = _names(rules)
    reason, axes, say = partial(masks.reason, rules), Axes(queries, keys), say_in(language())
    stages = attend(EXAMPLE, EXAMPLE, by_hand)

    def parts(say: Say) -> list[tuple[str, str]]:
        picture = mask_picture(mask, queries, keys, say, reason=reason)
        return [(say(MASK), picture), (say(BY_HAND), stages_by_hand(stages, say))]

    return Parcel(
        "mask",
        Message("Masks"),
        "",
        mask_code(rules, by_hand),
        lambda: mask_record(mask) | {"by_hand": asdict(stages) | {"mask": by_hand.astype(int)}},
        partial(weights_table, mask.astype(np.float64), axes, mask=mask),
        parts,
        [(t(MASK), picture_files("mask", partial(mask_painting, mask, axes, t(MASK), say, reason)))],
    )
