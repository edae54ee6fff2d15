"""Fill in the labels of an input, and why each label is what it is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from explorer.exercises.cases import RULES, Case, Tokenizers, case, random
from explorer.exercises.values import (
    Cell,
    Choice,
    Code,
    Exercise,
    Line,
    Sheet,
    Shown,
    given_line,
    place,
)
from explorer.reasons import why
from explorer.tokens import encode
from explorer.types import IGNORE, Encoding, Example, Message, Role

TEXT, TARGET, LABEL = Message("the text"), Message("target"), Message("label, as passed")


def labels(code: Code, tokenizers: Tokenizers) -> Exercise:
    """The input is given; what is asked is the label at every position."""
    made = case(code.level, tokenizers, random(code))
    example = made.build()
    return Exercise(
        code,
        Message(
            "{objective}: which label is passed at each position? -100 means that nothing is learned there.",
            {"objective": made.objective.title},
        ),
        sheets=_sheets(made, example),
        hints=(RULES[made.objective.key], _counted(example)),
        steps=(RULES[made.objective.key], _counted(example)),
        examples=(example,),
    )


def _sheets(made: Case, example: Example) -> tuple[Sheet, ...]:
    given = [made.text] if made.objective.key in {"masked_lm", "denoising", "span_corruption"} else []
    asked = Line(LABEL, tuple(_cells(example)))
    choices = token_choices([*given, *_answer(made)], example)
    before = _before(example)
    if example.decoder is None or example.encoder is None:
        lines = [*(text_line(each, len(example.output)) for each in given), *before, asked]
        return (Sheet(tuple(lines), choices),)
    texts = [Sheet((text_line(each, len(each)),)) for each in given]
    answer = [Sheet((text_line(each, len(example.labels), TARGET),)) for each in _answer(made)]
    return (*texts, *(Sheet((line,)) for line in before), *answer, Sheet((asked,), choices))


def _before(example: Example) -> list[Line]:
    """What the stack reads that is given: the encoder's input, or the only input there is."""
    if example.encoder is not None and example.decoder is not None:
        return [given_line(Message("encoder input"), example.encoder)]
    return [given_line(Message("input"), example.output)]


def _answer(made: Case) -> list[Encoding]:
    """The target of a pair of texts, as tokens, before the tokenizer closes it."""
    target = made.texts.target
    if made.objective.key != "seq2seq" or target is None:
        return []
    return [encode(target, made.tokenizer, add_special=False)]


def _cells(example: Example) -> Iterable[Cell]:
    for at, label in enumerate(example.labels.tolist()):
        name = Message("label {at}", {"at": at})
        yield Cell(place(0, at), name, str(label), label_reason(example, at), dict(_slips(example, at)))


def _slips(example: Example, at: int) -> Iterable[tuple[str, Message]]:
    """Wrong labels that say what was mixed up."""
    stream, label = example.output, int(example.labels[at])
    values = {"at": at}
    if example.shift == "loss" and at + 1 < len(stream) and label not in (IGNORE, stream.ids[at + 1]):
        yield (
            str(stream.ids[at + 1]),
            Message("That is the next token. The loss shifts the labels itself, so they are passed unshifted.", values),
        )
    if example.shift == "decoder_input" and stream.ids[at] != label:
        yield (
            str(stream.ids[at]),
            Message(
                "That is what the decoder reads at {at}. The label is what it must say, one token further.", values
            ),
        )
    if stream.roles[at] is Role.MASKED:
        yield str(stream.ids[at]), Message("That is the mask itself. The label is the token that it hides.")


def label_reason(example: Example, at: int) -> Message:
    """Why the label passed at `at` is what it is."""
    if example.shift == "none":
        return why(example, at)
    return target_reason(example, at) if example.shift == "decoder_input" else _own_token(example, at)


def _own_token(example: Example, at: int) -> Message:
    """A decoder alone: the input's own token, or nothing."""
    if example.labels[at] != IGNORE:
        return Message("The label is the input's own token, {piece}.", {"piece": example.label_visible[at]})
    role = example.output.roles[at]
    if role is Role.PAD:
        return Message("This is padding, from which nothing is to be learned: -100.")
    if role is Role.PROMPT:
        return Message("This belongs to the prompt, which is read and not learned: -100.")
    return Message("A document begins here, and nobody can foretell its first token: -100.")


def target_reason(example: Example, at: int) -> Message:
    """Why token `at` of a decoder's target is what it is."""
    shown = example.label_visible
    values = {"at": at, "piece": shown[at]}
    if example.objective != "span_corruption":
        whole = Message("The target is the whole original, and token {at} of it is {piece}.", values)
        return whole if example.objective == "denoising" else Message("Token {at} of the target is {piece}.", values)
    sentinels = [i for i, piece in enumerate(shown) if is_sentinel(piece)]
    if at == sentinels[-1]:
        return Message("One last sentinel, {piece}, ends the list of spans.", values)
    if at in sentinels:
        return Message("{piece} comes first, then the tokens that it stands for in the input.", values)
    if at > sentinels[-1]:
        return Message("The end token {piece} closes the target.", values)
    return Message("{piece} was taken out; it stands behind the sentinel of its span.", values)


def is_sentinel(piece: str) -> bool:
    """Whether a token stands for a span."""
    return piece.startswith("<extra_id_")


def text_line(text: Encoding, columns: int, name: Message = TEXT) -> Line:
    """A text before any damage, filled up with nothing."""
    cells = [Shown(piece, str(id)) for piece, id in zip(text.visible, text.ids.tolist(), strict=True)]
    return Line(name, (*cells, *[None] * (columns - len(cells))))


def token_choices(texts: Sequence[Encoding], example: Example) -> tuple[Choice, ...]:
    """−100 and every token that a reader could want, each once, in the order in which they are met."""
    streams = [stream for stream in (example.encoder, example.decoder) if stream is not None]
    sources = [*((each.ids, each.visible) for each in texts), *((each.ids, each.visible) for each in streams)]
    found: dict[int, str] = {IGNORE: "−100"}
    for ids, pieces in [*sources, (example.labels, example.label_visible)]:
        for id, piece in zip(ids.tolist(), pieces, strict=True):
            found.setdefault(id, piece)
    return tuple(Choice(str(id), piece, "" if id == IGNORE else str(id)) for id, piece in found.items())


def _counted(example: Example) -> Message:
    values = {"count": int((example.labels != IGNORE).sum()), "all": len(example.labels)}
    if values["count"] == values["all"]:
        return Message("All {all} labels are tokens.", values)
    return Message("{count} of the {all} labels are tokens, the others are -100.", values)
