"""One class for a whole text or pair (Devlin et al. 2018, section 4.1; Radford et al. 2018, section 3.2; Lewis et al.
2019, section 3.1). With a single class it is regression (section 4.1 again, for STS-B): one number, squared error.

The body stays, a linear layer is put on the output of one position. An encoder gives it the first, [CLS], which sees
everything. A decoder gives it the last, the only one that has seen everything. BART feeds the same text to both stacks
and takes the last output of the decoder. `wrong_end` takes the other end.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from explorer import masks
from explorer.objectives.assemble import Row, read, remarks, row, token_types
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts
from explorer.objectives.next_token import pad_to_knob
from explorer.objectives.teacher_forcing import teacher_forced
from explorer.settings import knob
from explorer.tokens import Tokenizer
from explorer.types import IGNORE, Encoding, Example, InputProblem, Masks, Message, Role, Stream, check_range, read_only

LARGEST = 1e9
"""The largest number that a regression is asked for, so that no square is infinite."""


@dataclass(frozen=True)
class Settings:
    """Settings of sequence_classification."""

    classes: str = knob(
        "negative,positive",
        Message("Classes in order"),
        help=Message("Names with commas between; their ids count from 0. One name alone: the label is a number."),
    )
    way: str = knob(
        "encoder",
        Message("Read by"),
        help=Message("Which stack reads the text: an encoder (BERT), a decoder (GPT), or both (BART)."),
        choices={
            "encoder": Message("encoder"),
            "decoder": Message("decoder"),
            "both": Message("encoder and decoder"),
        },
    )
    wrong_end: bool = knob(
        False,
        Message("Wrong end"),
        help=Message("Classify from the other end of the text: for a decoder, the position that has seen nothing yet."),
        trap=True,
    )
    pad_to: int = pad_to_knob()


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """The class is the label of one position; nobody shifts. Uses no randomness."""
    number, value, names = _class(texts.target, settings.classes)
    pair = texts.text_b if texts.text_b and texts.text_b.strip() else None
    encoding = read(texts.text, tokenizer, pair)
    tokens = row(encoding).pad(settings.pad_to, tokenizer)
    encoder, decoder, open_cells = _streams(encoding, tokens, tokenizer, settings.way)
    output = decoder or encoder
    assert output is not None  # noqa: S101 - for the type checker
    at = _position(output, last=(settings.way != "encoder") != settings.wrong_end)
    labels = np.where(np.arange(len(output)) == at, number, IGNORE)
    cautions, notes = remarks(encoding)
    return Example(
        OBJECTIVE.key,
        tokenizer.name,
        encoder,
        decoder,
        read_only(labels, np.int64),
        tuple((f"{value:g}" if value is not None else names[number]) if here else "" for here in labels != IGNORE),
        "none",
        open_cells,
        extra={} if value is not None else {"class": number},
        value=value,
        classes=names,
        warnings=(*cautions, *((_trap(output, at),) if settings.wrong_end else ())),
        notes=(_head(output, at, names), *notes),
    )


def _class(target: str | None, classes: str) -> tuple[int, float | None, tuple[str, ...]]:
    """The number of the class that was typed by name or number, the value where there is but one class, and all names.
    Raises InputProblem."""
    names = tuple(name.strip() for name in classes.split(",") if name.strip())
    if not names or len(set(names)) < len(names):
        raise InputProblem("classes is {value}, but must be different names with commas between.", {"value": classes})
    wanted = (target or "").strip()
    if len(names) == 1:
        return 0, _value(wanted), names
    if not wanted:
        raise InputProblem("There is no class. Type one of: {names}.", {"names": ", ".join(names)})
    if wanted in names:
        return names.index(wanted), None, names
    if wanted.isascii() and wanted.isdigit() and int(wanted) < len(names):
        return int(wanted), None, names
    raise InputProblem(
        "The class is {value}, but must be one of: {names}.", {"value": wanted, "names": ", ".join(names)}
    )


def _value(wanted: str) -> float:
    try:
        value = float(wanted)
    except ValueError:
        value = math.nan
    if not math.isfinite(value):
        raise InputProblem("The label is {value}, but with one class it must be a number.", {"value": wanted or "–"})
    check_range("label", value, -LARGEST, LARGEST)
    return value


def _streams(
    encoding: Encoding, tokens: Row, tokenizer: Tokenizer, way: str
) -> tuple[Stream | None, Stream | None, Masks]:
    """Encoder and decoder stream, as far as there are any, and what they may look at."""
    if way == "encoder":
        stream = tokens.stream(token_types=token_types(encoding) if tokenizer.token_types else None)
        return stream, None, Masks(encoder=masks.padding(stream.attention_mask))
    if way == "decoder":
        stream = tokens.stream()
        return None, stream, Masks(decoder=masks.with_padding(masks.causal(len(tokens)), stream.attention_mask))
    text = tokens[: len(encoding)]
    forced = teacher_forced(OBJECTIVE.key, tokenizer, tokens, text, encodings=())
    return forced.encoder, forced.decoder, forced.masks


def _position(output: Stream, *, last: bool) -> int:
    """The output that the head reads: the first, or the last that is no pad."""
    real = [t for t, role in enumerate(output.roles) if role is not Role.PAD]
    return real[-1] if last else real[0]


def _head(output: Stream, at: int, names: tuple[str, ...]) -> Message:
    if len(names) == 1:
        return Message(
            "The head reads output {position}, {piece}, and gives one number, {name}; the loss is the squared error.",
            {"position": at, "piece": output.visible[at], "name": names[0]},
        )
    numbered = ", ".join(f"{number} {name}" for number, name in enumerate(names))
    return Message(
        "The head reads output {position}, {piece}, and gives {count} numbers, one for each class: {names}.",
        {"position": at, "piece": output.visible[at], "count": len(names), "names": numbered},
    )


def _trap(output: Stream, at: int) -> Message:
    return Message(
        "Trap: the head reads output {position}, {piece}, at the wrong end. In a decoder it has seen almost nothing of "
        "the text; in an encoder it was not trained for this.",
        {"position": at, "piece": output.visible[at]},
    )


OBJECTIVE = Objective(
    key="sequence_classification",
    title=Message("Classifying a text"),
    question=Message("Which class does the whole text have?"),
    page="fine_tuning",
    family="BERT",
    stack="encoder",
    paper="Devlin et al. 2018, section 4.1",
    boxes=(
        TextBox("text", Message("Text")),
        TextBox("text_b", Message("Second text"), optional=True),
        TextBox("target", Message("Class"), rows=1),
    ),
    examples=(
        ReadyExample(Message("One sentence"), Texts("What a lovely day this is.", target="positive")),
        ReadyExample(
            Message("Two sentences"),
            Texts("A man is playing guitar.", "A person plays music.", target="equivalent"),
            {"classes": "not equivalent,equivalent"},
        ),
        ReadyExample(
            Message("Three classes"),
            Texts("The team won in the last minute.", target="sport"),
            {"classes": "politics,sport,weather"},
        ),
        ReadyExample(
            Message("A number (regression)"),
            Texts("A plane is taking off.", "An air plane is taking off.", "5.0"),
            {"classes": "similarity"},
        ),
    ),
    Settings=Settings,
    model="google-bert/bert-base-uncased",
    build=build,
)
