"""Records of a data set -> what an objective is built from; the shapes are those in which such data is published.

{"text"}, {"messages"} or {"prompt", "response"}, {"source", "target"}, {"sentence", "label"} with or without
"sentence2", {"tokens", "ner_tags"} (CoNLL-2003), {"question", "context", "answers"} (SQuAD).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from explorer.data_lines import Fields, Records, at_line, read_records
from explorer.objectives import Texts, objective
from explorer.objectives.question_answering import window_of
from explorer.objectives.token_classification import tag_names
from explorer.settings import knobs
from explorer.tokens import Tokenizer
from explorer.types import Example, InputProblem, Message


@dataclass(frozen=True)
class Shape:
    """The fields that an objective is built from, as a line to show; read: fields -> texts and settings of one record.
    Raises InputProblem."""

    example: str
    read: Callable[[Fields, Sequence[str]], tuple[Texts, Mapping[str, object]]]


@dataclass(frozen=True)
class Item:
    """One record as an objective takes it; settings: those that belong to it alone."""

    line: int
    texts: Texts
    settings: tuple[tuple[str, object], ...] = ()


@dataclass(frozen=True, eq=False)
class Made:
    """The examples in order of their lines (a long context makes several), and one sentence for each line left out."""

    lines: tuple[int, ...]
    examples: tuple[Example, ...]
    problems: tuple[Message, ...]

    @property
    def with_targets(self) -> Made:
        """Without the examples that teach nothing, such as a sentence whose words have no tokens."""
        kept = [at for at, example in enumerate(self.examples) if example.n_targets]
        return Made(tuple(self.lines[at] for at in kept), tuple(self.examples[at] for at in kept), self.problems)


def _value(given: Fields, *names: str) -> object:
    for name in names:
        if name in given:
            return given[name]
    there = ", ".join(given) or "–"
    raise InputProblem("there is no field {name}; the fields are: {names}.", {"name": names[0], "names": there})


def _string(given: Fields, *names: str) -> str:
    value = _value(given, *names)
    if not isinstance(value, str) or not value.strip():
        raise InputProblem("{name} is {value}, but must be text.", {"name": names[0], "value": _shown(value)})
    return value


def _shown(value: object) -> str:
    written = json.dumps(value, ensure_ascii=False)
    return written if len(written) <= 40 else f"{written[:39]}…"


def _text(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    return Texts(_string(given, "text")), {}


def _pair(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    return Texts(_string(given, "source", "prompt"), target=_string(given, "target", "response")), {}


def _conversation(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    if "messages" not in given:
        return Texts(_string(given, "prompt", "source"), target=_string(given, "response", "target")), {}
    messages = given["messages"]
    return Texts(messages=messages if isinstance(messages, str) else json.dumps(messages, ensure_ascii=False)), {}


def _labelled(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    label = _value(given, "label")
    if not isinstance(label, (str, int, float)) or isinstance(label, bool) or not str(label).strip():
        raise InputProblem("{name} is {value}, but must be text.", {"name": "label", "value": _shown(label)})
    if "," in str(label):
        raise InputProblem("the label {label} holds a comma, which separates classes.", {"label": str(label)})
    second = _string(given, "sentence2", "text_b") if {"sentence2", "text_b"} & given.keys() else None
    return Texts(_string(given, "sentence", "text", "sentence1"), second, str(label).strip()), {}


def _tagged(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    words, tags = (_list(given, name) for name in ("tokens", "ner_tags"))
    if len(words) != len(tags):
        counts = {"words": len(words), "tags": len(tags)}
        raise InputProblem("there are {words} tokens but {tags} tags.", counts)
    for word in words:
        if not isinstance(word, str) or len(word.split()) != 1:
            raise InputProblem("the token {word} is no single word.", {"word": _shown(word)})
    return Texts(" ".join(map(str, words)), target=" ".join(_tag(tag, names) for tag in tags)), {}


def _list(given: Fields, name: str) -> list[object]:
    value = _value(given, name)
    if isinstance(value, str) and value.lstrip().startswith("["):
        with suppress(ValueError):
            value = json.loads(value)
    if isinstance(value, str):
        return list(value.split())
    if not isinstance(value, list) or not value:
        raise InputProblem("{name} is {value}, but must be a list.", {"name": name, "value": _shown(value)})
    return value


def _tag(tag: object, names: Sequence[str]) -> str:
    """The name of a tag, which data sets write as a number too."""
    if isinstance(tag, int) and not isinstance(tag, bool):
        if 0 <= tag < len(names):
            return names[tag]
        given = {"tag": tag, "names": ", ".join(names) or "–"}
        raise InputProblem("the tag {tag} is a number without a name; the tags in order are: {names}.", given)
    if not isinstance(tag, str) or len(tag.split()) != 1:
        raise InputProblem("{name} is {value}, but must be text.", {"name": "ner_tags", "value": _shown(tag)})
    return tag


def _asked(given: Fields, names: Sequence[str]) -> tuple[Texts, Fields]:
    texts = Texts(_string(given, "question"), _string(given, "context"))
    answer, start = _first_answer(given)
    if answer is None:
        return texts, {"answer_start": -1}
    return replace(texts, target=answer), {"answer_start": start}


def _first_answer(given: Fields) -> tuple[str | None, int]:
    """SQuAD writes {"text": [...], "answer_start": [...]}, a table two columns; none at all is a question without an
    answer."""
    found = given.get("answers", {"text": given.get("answer"), "answer_start": given.get("answer_start")})
    if isinstance(found, list):
        found = found[0] if found else {}
    if not isinstance(found, dict):
        raise InputProblem("{name} is {value}, but must be an object.", {"name": "answers", "value": _shown(found)})
    both = [found.get(name) for name in ("text", "answer_start")]
    answer, start = (value[0] if isinstance(value, list) and value else value for value in both)
    if answer in (None, "", []):
        return None, -1
    if isinstance(start, str) and start.strip().isdigit():
        start = int(start)
    if not isinstance(answer, str) or not isinstance(start, (int, type(None))) or isinstance(start, bool):
        raise InputProblem("{name} is {value}, but must be text.", {"name": "answers", "value": _shown(found)})
    return answer, -1 if start is None else start


TEXT = Shape('{"text": "The cat sat on the mat."}', _text)
PAIR = Shape('{"source": "I am hungry.", "target": "Ich habe Hunger."}', _pair)
SHAPES: Mapping[str, Shape] = {
    "masked_lm": TEXT,
    "causal_lm": TEXT,
    "denoising": TEXT,
    "span_corruption": TEXT,
    "prefix_lm": PAIR,
    "seq2seq": PAIR,
    "sft": Shape(
        '{"messages": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello."}]}', _conversation
    ),
    "sequence_classification": Shape('{"sentence": "What a lovely day.", "label": "positive"}', _labelled),
    "token_classification": Shape('{"tokens": ["Ann", "sings"], "ner_tags": ["B-PER", "O"]}', _tagged),
    "question_answering": Shape(
        '{"question": "Who sings?", "context": "Ann sings.", "answers": {"text": ["Ann"], "answer_start": [0]}}', _asked
    ),
}
"""By key of the objective."""


def read_data(text: str, key: str, names: Sequence[str] = ()) -> tuple[Records, tuple[Item, ...]]:
    """The records, and those among them that the objective `key` takes; what it does not take is a problem of the
    records. names: tags in order, for data that numbers them."""
    found = read_records(text, "CoNLL" if key == "token_classification" else "lines")
    items, problems = [], list(found.problems)
    for record in found.records:
        try:
            texts, settings = SHAPES[key].read(record.fields, names)
            items.append(Item(record.line, texts, tuple(settings.items())))
        except InputProblem as problem:
            problems.append(at_line(record.line, problem))
    return replace(found, problems=tuple(problems)), tuple(items)


def common_settings(settings: Any, items: Sequence[Item], tokenizer: Tokenizer) -> Any:
    """The settings for all items at once: what was written for one text is emptied, a batch pads by itself, and classes
    and tags are those of all items, so that a number means the same in every row. Raises InputProblem where that
    would be a single class."""
    plain = type(settings)()
    made = replace(settings, **{name: getattr(plain, name) for name, how in knobs(settings).items() if how.bound})
    names = {each.name for each in fields(settings)}
    if "pad_to" in names:
        made = replace(made, pad_to=plain.pad_to)
    targets = [item.texts.target or "" for item in items]
    if "classes" in names:
        given = [name.strip() for name in settings.classes.split(",")]
        numbers = {str(number) for number in range(len(given))}
        # One name alone is regression, whose labels are any numbers.
        known = len(given) == 1 or all(target in given or target in numbers for target in targets)
        found = sorted(set(targets))
        if not known and len(found) == 1:
            raise InputProblem(
                "All records have the class {label}. Give at least two, or name the classes in the settings above.",
                {"label": found[0]},
            )
        return replace(made, classes=settings.classes if known else ",".join(found))
    if "tags" in names:
        tags = [tag for target in targets for tag in target.split()]
        own = set(tags) <= set(tokenizer.classes)
        return replace(made, tags=",".join(tokenizer.classes if own else tag_names(tags)))
    return made


def make_examples(key: str, items: Sequence[Item], tokenizer: Tokenizer, settings: Any, seed: int) -> Made:
    """All items as examples with the settings that they have in common; what cannot be built is named by its line."""
    build = objective(key).build
    lines, examples, problems = [], [], []
    for item in items:
        own = replace(settings, **dict(item.settings))
        try:
            count = window_of(item.texts, tokenizer, replace(own, window=0)).count if key == "question_answering" else 0
            chosen = [replace(own, window=window) for window in range(count)] or [own]
            # A row draws by itself, whatever stands before it.
            rng = np.random.default_rng([seed, item.line])
            built = [build(item.texts, tokenizer, each, rng) for each in chosen]
        except InputProblem as problem:
            problems.append(at_line(item.line, problem))
            continue
        lines += [item.line] * len(built)
        examples += built
    return Made(tuple(lines), tuple(examples), tuple(problems))
