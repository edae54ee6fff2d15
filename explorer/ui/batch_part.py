"""From raw data to a batch: many examples at once, what padding costs in three ways to batch them, and the tensors that
a model is called with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import streamlit as st

from explorer.collation import Sizes, by_length, in_order, packed, passed
from explorer.data_lines import Records
from explorer.models import tokenizer
from explorer.raw_data import Item, Made, common_settings, make_examples, read_data
from explorer.types import IGNORE, TASKS, Example, InputProblem, Message
from explorer.ui.choice import choose
from explorer.ui.controls import Asked
from explorer.ui.jobs import Job
from explorer.ui.measured import awaited
from explorer.ui.own_data import data_fields
from explorer.ui.words import literal, sentence, t
from explorer.views.batches import piece_table, plans, tensor_table

MOST_SHOWN = 5
"""Bad lines that are named one by one."""

MOST_ROWS = 128
"""Records that are batched here; of more, an even sample."""

ORDERS = {"given": Message("as they come"), "length": Message("by length")}


@dataclass(frozen=True, eq=False)
class Sheet:
    """All rows without their numbers: the line of each, its place among the rows of that line, its tokens."""

    lines: tuple[int, ...]
    places: tuple[int, ...]
    sizes: tuple[Sizes, ...]
    problems: tuple[Message, ...]


def batch_part(asked: Asked) -> None:
    """The data, what could not be read, the plans, one batch."""
    key = asked.objective.key
    text = data_fields(key).text
    words = tokenizer(asked.model)
    records, items = _read(text, key, words.classes)
    notes = records.notes
    if len(items) > MOST_ROWS:
        given = {"count": len(items), "most": MOST_ROWS}
        notes += (Message("Of {count} records {most} are read, evenly spread.", given),)
        items = tuple(items[at * len(items) // MOST_ROWS] for at in range(MOST_ROWS))
    try:
        settings = common_settings(asked.settings, items, words)
        sheet = awaited(_sheet(key, items, asked.model, settings, asked.seed))
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return
    if sheet is None:
        return
    told = {"format": records.format, "count": len(items), "rows": len(sheet.lines)}
    st.markdown(sentence(Message("Read as {format}: records {count}, rows {rows}.", told)))
    _tell((*records.problems, *sheet.problems), notes)
    if sheet.lines:
        _batches(asked, items, settings, sheet)


@lru_cache(maxsize=4)
def _read(text: str, key: str, names: tuple[str, ...]) -> tuple[Records, tuple[Item, ...]]:
    """A large file is not read again with every change on the page."""
    return read_data(text, key, names)


def _tell(problems: Sequence[Message], notes: Sequence[Message]) -> None:
    for note in notes:
        st.caption(sentence(note))
    if problems:
        shown = [sentence(problem) for problem in problems[:MOST_SHOWN]]
        rest = len(problems) - len(shown)
        more = [literal(t("and {count} more lines", count=rest))] if rest else []
        left = literal(t("Left out:"))
        st.warning("\n".join([left, "", *(f"- {line}" for line in [*shown, *more])]))


@lru_cache(maxsize=32)
def _sheet(key: str, items: tuple[Item, ...], model: str, settings: Any, seed: int) -> Job[Sheet]:
    def work(tell: object) -> Sheet:
        made = make_examples(key, items, tokenizer(model), settings, seed)
        places = [made.lines[:at].count(line) for at, line in enumerate(made.lines)]
        return Sheet(made.lines, tuple(places), tuple(map(_sizes, made.examples)), made.problems)

    return Job(work)


def _sizes(example: Example) -> Sizes:
    return tuple(len(stream) for stream in (example.encoder, example.decoder) if stream is not None)


def _batches(asked: Asked, items: Sequence[Item], settings: Any, sheet: Sheet) -> None:
    """The fields, the plans side by side, then one batch of the chosen plan."""
    row = st.container(horizontal=True, vertical_alignment="bottom", gap="medium")
    with row:
        most = int(st.number_input(t("Rows of a batch"), 1, 64, 4, key="batch_size", width=140))
        order = choose("batch_order", t("Order"), {name: t(word) for name, word in ORDERS.items()}, "given")
    both = {"given": in_order(sheet.sizes, most), "length": by_length(sheet.sizes, most)}
    named = [(Message("In the order of the data"), both["given"]), (Message("Sorted by length"), both["length"])]
    if len(sheet.sizes[0]) == 1 and asked.objective.key not in TASKS:
        block = max(map(sum, sheet.sizes))
        named.append((Message("Packed into blocks of {block}", {"block": block}), packed(sheet.sizes, block)))
    st.html(plans(named, t))
    st.caption(
        t(
            "A line is a row of a batch: filled as far as it is tokens, hatched where it is padding. Padding is "
            "computed like everything else and then thrown away; its attention mask is 0 and its labels are −100."
        )
    )
    plan = both[order]
    with row:
        at = int(st.number_input(t("Batch shown"), 0, len(plan.batches) - 1, 0, key="batch_shown", width=140))
    _one(asked, items, settings, [(sheet.lines[row], sheet.places[row]) for row in plan.batches[at]])


def _one(asked: Asked, items: Sequence[Item], settings: Any, wanted: Sequence[tuple[int, int]]) -> None:
    """One batch as pieces or as any of its tensors. wanted: line of each row, and its place among those of its line."""
    examples = _examples(asked, items, settings, wanted)
    tensors = passed(examples, tokenizer(asked.model))
    shown = {name: array for name, array in tensors.items() if array.ndim <= 2}
    pieces = t("pieces")
    options = {
        "pieces": pieces,
        **{name: f"{name} {_shape(array)}" for name, array in tensors.items() if name in shown},
    }
    name = choose("tensor", t("Shown"), options, "pieces", width=300)
    heads = [
        t("line {line}", line=line) if not place else t("line {line}, {place}", line=line, place=place + 1)
        for line, place in wanted
    ]
    if name == "pieces":
        rows = [example.output.visible for example in examples]
        labelled = [
            np.isin(np.arange(len(row)), [target.position for target in example.targets])
            for row, example in zip(rows, examples, strict=True)
        ]
        st.html(piece_table(heads, rows, labelled, pieces))
    else:
        streams = [_stream(example, name) for example in examples]
        array = shown[name]
        real = np.array([np.arange(array.reshape(len(array), -1).shape[1]) < len(stream) for stream in streams])
        st.html(tensor_table(array, heads, streams, real, options[name]))
    _counts(tensors, examples)
    _to_the_page(asked, items, settings, [line for line, _ in wanted])


def _to_the_page(asked: Asked, items: Sequence[Item], settings: Any, lines: Sequence[int]) -> None:
    """A button for each record of the batch that takes it into the boxes of the page."""
    boxes: list[str] = [box.name for box in asked.objective.boxes]
    common = {name: getattr(settings, name) for name in ("classes", "tags") if hasattr(settings, name)}
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(t("Take into the boxes of the page:"))
        for item in (item for item in items if item.line in lines):
            fields: dict[str, object] = {name: getattr(item.texts, name) or "" for name in boxes}
            fields |= {**common, **dict(item.settings)}
            st.button(t("line {line}", line=item.line), key=f"take_{item.line}", on_click=_take, args=(fields,))


def _take(fields: dict[str, object]) -> None:
    st.session_state.update(fields)


def _examples(asked: Asked, items: Sequence[Item], settings: Any, wanted: Sequence[tuple[int, int]]) -> list[Example]:
    lines = dict.fromkeys(line for line, _ in wanted)
    own = [item for item in items if item.line in lines]
    made: Made = make_examples(asked.objective.key, own, tokenizer(asked.model), settings, asked.seed)
    places = [(line, made.lines[:at].count(line)) for at, line in enumerate(made.lines)]
    return [made.examples[places.index(each)] for each in wanted]


def _stream(example: Example, name: str) -> Sequence[str]:
    """The pieces that a tensor of that name stands over."""
    over_encoder = example.encoder is not None and not name.startswith("decoder") and name != "labels"
    stream = example.encoder if over_encoder else example.output
    assert stream is not None  # noqa: S101 - for the type checker
    return stream.visible


def _shape(array: np.ndarray) -> str:
    return f"({', '.join(map(str, array.shape))}{',' if array.ndim == 1 else ''})"


def _counts(tensors: dict[str, np.ndarray], examples: Sequence[Example]) -> None:
    targets, cells = (
        sum(example.n_targets for example in examples),
        sum(tensors[name].size for name in ("input_ids", "decoder_input_ids") if name in tensors),
    )
    tokens = sum(map(sum, map(_sizes, examples)))
    given = {"cells": cells, "pads": cells - tokens, "targets": targets}
    st.markdown(
        sentence(
            Message("Positions {cells}, of them padding {pads}; targets {targets}: the loss divides by these.", given)
        )
    )
    if "labels" in tensors and tensors["labels"].ndim == 2 and not (tensors["labels"] != IGNORE).any():
        st.warning(t("Every label is −100: the loss of this batch is undefined."))
