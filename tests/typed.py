"""What a person may type into an objective's boxes and settings, as strategies of hypothesis."""

from __future__ import annotations

import json
from dataclasses import fields, replace

from hypothesis import strategies as st

from explorer.objectives import Objective, Texts
from explorer.settings import checked, knobs

CHUNKS = (
    *("a", "the", "Hi there.", "It costs $3.50!", "I'm", "unbelievable", " ", "  ", "\n", "\n\n", "\t", "{", "?", "#"),
    *(
        "나는 밥을",
        "먹었다.",
        "각",
        "\u1100\u1161",
        "日本。",
        "\U0001f355",
        "\U0001f469\u200d\U0001f469\u200d\U0001f467",
    ),
    *("e\u0301\u0323", "a\u0308", "שלום", "مرحبا", "\u202eabc\u202c", "\x00", "\ufffd", "\ud83d", "\udc4d x", "\u200b"),
    *("[MASK]", "[SEP]", "<mask>", "</s>", "<s>", "<|endoftext|>", "<extra_id_0>", "<pad>", "<unk>", "[UNK]"),
)
SIX_HUNDRED = " ".join(["word", "나무", "\U0001f355", "river.", "e\u0301"] * 120)
HARD = (
    "",
    " ",
    "a",
    "\x00",
    "\ud83d",
    "e\u0301\u0323",
    "שלום עולם",
    "나는 밥을 먹었다.",
    "[MASK]",
    "<mask>",
    "\u200b",
    SIX_HUNDRED,
)
BY_HAND = {"select": ("1", "2,3", "0"), "spans": ("1:2", "1:2,3:3"), "replace": ("keep", "random,mask")}
"""What is tried beside the empty text in a setting that takes text; any other takes a letter."""


def typed() -> st.SearchStrategy[str]:
    chunks = st.lists(st.one_of(st.sampled_from(CHUNKS), st.text(max_size=4)), min_size=1, max_size=7)
    return st.builds(str.join, st.sampled_from([" ", " ", ""]), chunks)


def conversations() -> st.SearchStrategy[str]:
    turn = st.fixed_dictionaries({"role": st.sampled_from(["system", "user", "assistant"]), "content": typed()})
    return st.one_of(st.lists(turn, min_size=1, max_size=3).map(json.dumps), st.sampled_from(["[]", "{}", "null", "["]))


def texts_of(item: Objective) -> st.SearchStrategy[Texts]:
    """A text for each box; boxes that may stay empty often do."""
    boxes = {}
    for box in item.boxes:
        filled_in = conversations() if box.name == "messages" else typed()
        boxes[box.name] = st.one_of(st.none(), st.none(), filled_in) if box.optional else filled_in
    if item.key in ANSWERS:
        filled = st.builds(Texts, **boxes)
        return filled.flatmap(lambda texts: st.builds(replace, st.just(texts), target=ANSWERS[item.key](texts)))
    return st.builds(Texts, **boxes)


def tags_of(texts: Texts) -> st.SearchStrategy[str]:
    """A tag for each word, and at times any text."""
    count = len(texts.text.split())
    tags = st.lists(st.sampled_from(["O", "B-PER", "I-PER", "B-ORG"]), min_size=count, max_size=count)
    return mostly_drawn(tags.map(" ".join))


def class_of(texts: Texts) -> st.SearchStrategy[str]:
    return mostly_drawn(st.sampled_from(["negative", "positive", "0", "1"]))


def part_of_context(texts: Texts) -> st.SearchStrategy[str]:
    """Some characters of the context, and at times any text."""
    length = len(texts.text_b or "")
    ends = st.tuples(st.integers(0, length), st.integers(0, length)).map(sorted)
    return mostly_drawn(ends.map(lambda pair: (texts.text_b or "")[pair[0] : pair[1]]))


def mostly_drawn(fitting: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.integers(0, 9).flatmap(lambda drawn: fitting if drawn else typed())


ANSWERS = {
    "token_classification": tags_of,
    "sequence_classification": class_of,
    "question_answering": part_of_context,
}
"""What fits as the target of a text: almost no text does by chance."""


def mostly(default: object, other: st.SearchStrategy[object]) -> st.SearchStrategy[object]:
    return st.integers(0, 4).flatmap(lambda drawn: st.just(default) if drawn else other)


def settings_of(item: Objective) -> st.SearchStrategy[object]:
    """Settings inside the knobs' ranges, traps off; positions by hand are mostly left to chance."""
    drawn: dict[str, st.SearchStrategy[object]] = {}
    for field in fields(item.Settings):
        how = knobs(item.Settings)[field.name]
        if how.trap:
            drawn[field.name] = st.just(False)
        elif how.choices is not None:
            drawn[field.name] = st.one_of(st.just(field.default), st.sampled_from(list(how.choices)))
        elif isinstance(field.default, bool):
            drawn[field.name] = st.booleans()
        elif isinstance(field.default, int):
            low, high = int(how.low or 0), int(how.high or 2**31)
            drawn[field.name] = mostly(field.default, st.integers(low, min(high, low + 40)))
        elif isinstance(field.default, float):
            drawn[field.name] = mostly(field.default, st.floats(how.low, how.high))
        else:
            drawn[field.name] = mostly(field.default, st.sampled_from(BY_HAND.get(field.name, "a")))
    return st.builds(item.Settings, **drawn).map(checked)
