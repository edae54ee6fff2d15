"""Finding the answer to a question inside a text (Devlin et al. 2018, sections 4.2 and 4.3).

The head gives two numbers a position, start and end; the loss is the mean of two cross entropies over positions. A
context that is too long is read in windows, of which neighbours share `stride` tokens. A window without the whole
answer has [CLS] as its start and end, and so has a question without an answer.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from explorer import masks
from explorer.objectives.assemble import Row, characters, remarks, require_text, row, token_types
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts, require_id
from explorer.objectives.next_token import pad_to_knob
from explorer.pieces import replace_surrogates
from explorer.settings import knob
from explorer.tokens import Tokenizer, encode
from explorer.types import IGNORE, Bools, Encoding, Example, InputProblem, Ints, Masks, Message, read_only

Span = tuple[int, int]
"""First and last token of an answer."""


@dataclass(frozen=True)
class Settings:
    """Settings of question_answering."""

    answer_start: int = knob(
        -1,
        Message("Answer starts at"),
        help=Message("The character of the context, counted from 0; -1 takes the first place where the answer stands."),
        low=-1,
        high=10_000_000,
        bound=("text_b", "target"),
    )
    max_length: int = knob(
        384, Message("Window"), help=Message("Tokens of one window, question included."), low=4, high=4096
    )
    stride: int = knob(
        128,
        Message("Overlap"),
        help=Message("Tokens of the context that a window shares with the next."),
        low=0,
        high=4096,
    )
    window: int = knob(
        0, Message("Window shown"), help=Message("Counted from 0."), low=0, high=100_000, bound=("text", "text_b")
    )
    pad_to: int = pad_to_knob()
    pad_left: bool = knob(
        False, Message("Pad on the left"), help=Message("[CLS] is then no longer at position 0."), rare=True
    )


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """One window of question and context, with the first and the last token of the answer. Uses no randomness."""
    seen = window_of(texts, tokenizer, settings)
    cls_id = require_id(tokenizer, tokenizer.special.cls, Message("classification token"))
    encoding, kept, pads = seen.encoding, seen.kept, seen.pads
    answer = answer_tokens(encoding, texts.target or "", settings.answer_start)
    padded = row(encoding).take(kept).pad(settings.pad_to, tokenizer)
    tokens = padded.take(np.roll(np.arange(len(padded)), pads))
    cls = int(np.flatnonzero(tokens.ids == cls_id)[0])
    inside = answer is not None and set(answer) <= set(kept.tolist())
    start, end = (np.searchsorted(kept, answer) + pads).tolist() if answer and inside else (cls, cls)
    types = np.pad(token_types(encoding)[kept], (pads, 0)) if tokenizer.token_types else None
    stream = tokens.stream(token_types=types)
    cautions, notes = remarks(encoding)
    labels, shown = _marks(len(tokens), start, end)
    return Example(
        OBJECTIVE.key,
        tokenizer.name,
        stream,
        None,
        labels,
        shown,
        "none",
        Masks(encoder=masks.padding(stream.attention_mask)),
        extra={"start_positions": start, "end_positions": end},
        warnings=cautions,
        notes=(*_told(tokens, (start, end), answer, kept), *_which(settings.window, seen.count), *notes),
    )


@dataclass(frozen=True, eq=False)
class Window:
    """One of `count` windows: the encoding of question and whole context, the positions in it that the window keeps
    (T without pads), and how many pads stand before them."""

    encoding: Encoding
    kept: Ints
    pads: int
    count: int

    @property
    def inside(self) -> Bools:
        """(T,) without the pads behind: whether a token of the window belongs to the context."""
        return np.pad(self.encoding.sequences[self.kept] == 1, (self.pads, 0))

    def characters(self, first: int, last: int) -> Span:
        """Where tokens `first` to `last` of the window, pads counted, begin and end in the context."""
        begins, after = characters(self.encoding, 1)
        return int(begins[self.kept[first - self.pads]]), int(after[self.kept[last - self.pads]])


def window_of(texts: Texts, tokenizer: Tokenizer, settings: Settings) -> Window:
    """The window that the settings ask for. Raises InputProblem where there is no question, context or such window."""
    require_text(texts.text)
    if not (texts.text_b and texts.text_b.strip()):
        raise InputProblem("There is no context. Type the text that the question is about.")
    encoding = encode(texts.text, tokenizer, texts.text_b)
    found = windows(encoding, min(settings.max_length, tokenizer.max_length or settings.max_length), settings.stride)
    if settings.window >= len(found):
        raise InputProblem(
            "window is {value}, but the windows are 0 to {last}.", {"value": settings.window, "last": len(found) - 1}
        )
    kept = found[settings.window]
    pads = max(0, settings.pad_to - len(kept)) if settings.pad_left else 0
    return Window(encoding, kept, pads, len(found))


def windows(encoding: Encoding, longest: int, stride: int) -> tuple[Ints, ...]:
    """The tokens of each window, as positions in the encoding of question and context: the question and the control
    tokens stand in all of them, each has up to `longest` tokens. Raises InputProblem where nothing would fit."""
    context = np.flatnonzero(encoding.sequences == 1)
    room = longest - (len(encoding) - len(context))
    if len(context) <= room:
        return (np.arange(len(encoding)),)
    if room <= stride:
        raise InputProblem(
            "A window of {longest} tokens leaves {room} for the context, which must be more than the overlap of "
            "{stride}. Take a longer window or a smaller overlap.",
            {"longest": longest, "room": max(room, 0), "stride": stride},
        )
    others = np.flatnonzero(encoding.sequences != 1)
    starts = range(0, len(context) - stride, room - stride)
    return tuple(np.sort(np.concatenate([others, context[start : start + room]])) for start in starts)


def answer_tokens(encoding: Encoding, answer: str, start: int) -> Span | None:
    """First and last token, in the whole encoding, of the answer at character `start` of the context (-1: where it
    first stands); None where there is no answer. Raises InputProblem where it does not stand there."""
    context, wanted = encoding.pair or "", replace_surrogates(answer).strip()
    if not wanted:
        return None
    found = context.find(wanted)
    at = found if start < 0 else start
    if found < 0:
        raise InputProblem("The answer {answer} does not stand in the context.", {"answer": repr(wanted)})
    if context[at : at + len(wanted)] != wanted:
        raise InputProblem(
            "At character {start} the context has {found}, not {answer}. Take -1 to find its first place.",
            {"start": at, "found": repr(context[at : at + len(wanted)]), "answer": repr(wanted)},
        )
    first, after = characters(encoding, 1)
    over = np.flatnonzero((first >= 0) & (first < at + len(wanted)) & (after > at) & (after > first))
    if not len(over):
        raise InputProblem("No token comes from the answer {answer}: the tokenizer drops it.", {"answer": repr(wanted)})
    return int(over[0]), int(over[-1])


def _marks(length: int, start: int, end: int) -> tuple[Ints, tuple[str, ...]]:
    """Labels that show where the answer begins (0) and ends (1), the columns of the head, and their names."""
    labels, shown = np.full(length, IGNORE), [""] * length
    labels[end], shown[end] = 1, "end"
    labels[start], shown[start] = 0, "start, end" if start == end else "start"
    return read_only(labels, np.int64), tuple(shown)


def _told(tokens: Row, span: Span, answer: Span | None, kept: Ints) -> tuple[Message, ...]:
    """Which tokens are the answer, or why none are."""
    start, end = span
    if answer is None:
        words = Message("There is no answer: start and end are the position of [CLS], {start}.", {"start": start})
        return (words,)
    there = np.isin(np.arange(answer[0], answer[1] + 1), kept)
    if there.all():
        pieces = " ".join(tokens.visible[start : end + 1])
        given = {"start": start, "end": end, "pieces": pieces}
        one = Message("The answer is token {start}: {pieces}.", given)
        return (one if start == end else Message("The answer is tokens {start} to {end}: {pieces}.", given),)
    if there.any():
        why = Message("This window cuts the answer, so it counts as none here.")
    else:
        why = Message("The answer is not in this window.")
    return (why, Message("Start and end are the position of [CLS], {start}.", {"start": start}))


def _which(window: int, count: int) -> tuple[Message, ...]:
    if count == 1:
        return ()
    return (Message("Window {window} of 0 to {last}.", {"window": window, "last": count - 1}),)


OBJECTIVE = Objective(
    key="question_answering",
    title=Message("Finding an answer"),
    question=Message("Where in the text does the answer to the question begin and end?"),
    page="fine_tuning",
    family="BERT",
    stack="encoder",
    paper="Devlin et al. 2018, section 4.2",
    boxes=(
        TextBox("text", Message("Question"), rows=1),
        TextBox("text_b", Message("Context"), rows=3),
        TextBox("target", Message("Answer"), rows=1, optional=True),
    ),
    examples=(
        ReadyExample(
            Message("The answer is one word"),
            Texts("Where is Paris?", "Paris is in France.", "France"),
            {"answer_start": "12"},
        ),
        ReadyExample(
            Message("Two windows"),
            Texts(
                "Who has the red ball?",
                "Tom has a blue car and a long train. Ben has a small boat. Sue likes to sing and has the red ball.",
                "Sue",
            ),
            {"max_length": "24", "stride": "4", "window": "1"},
        ),
        ReadyExample(
            Message("No answer"),
            Texts("Who has the green hat?", "Tom has a blue car. Sue has the red ball."),
        ),
        ReadyExample(
            Message("The answer stands twice"),
            Texts("Where was Mary born?", "Paris is large. Mary was born in Paris.", "Paris"),
            {"answer_start": "33"},
        ),
        ReadyExample(
            Message("The answer in a longer sentence"),
            Texts(
                "Where is the Eiffel Tower?",
                "The Eiffel Tower is a wrought-iron lattice tower in Paris, France.",
                "Paris",
            ),
            {"answer_start": "52"},
        ),
    ),
    Settings=Settings,
    model="distilbert/distilbert-base-cased-distilled-squad",
    build=build,
)
