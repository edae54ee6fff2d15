"""Supervised fine-tuning: the decoder reads prompt and response, the loss lies on the response and its end token.

Ouyang et al. 2022, section 3.5 (InstructGPT, step 1). Prompt and response are tokenized as one text, as they will be
read; which tokens are the response is told by characters. A token that straddles the seam stays supervised.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from explorer.objectives.assemble import characters, read, remarks, require_text, row
from explorer.objectives.base import Objective, ReadyExample, TextBox, Texts
from explorer.objectives.conversation import Reply, Transcript, Turn, chatml, parse_turns, plain, templated
from explorer.objectives.next_token import (
    Traps,
    add_eos_knob,
    mask_eos_switch,
    next_token_example,
    pad_to_knob,
    shift_twice_switch,
)
from explorer.settings import BOXES, knob
from explorer.tokens import Tokenizer, encode
from explorer.types import Bools, Encoding, Example, InputProblem, Message, Role


@dataclass(frozen=True)
class Settings:
    """Settings of sft."""

    mode: str = knob(
        "all",
        Message("Supervise"),
        choices={"all": Message("all replies"), "last": Message("the last reply")},
    )
    template: str = knob(
        "auto",
        Message("Template"),
        help=Message("How messages become text. Automatic: the model's own, or plain lines where it has none."),
        choices={
            "auto": Message("automatic"),
            "model": Message("the model's"),
            "chatml": Message("ChatML"),
            "plain": Message("plain lines"),
        },
    )
    max_length: int = knob(
        0, Message("Cut at"), help=Message("Tokens kept, cut from the right; 0 cuts only at the model's limit."), low=0
    )
    add_eos: bool = add_eos_knob(True)
    response_marker: str = knob(
        "",
        Message("Response marker"),
        help=Message("The response is what follows this in the text, for instance ### Answer:"),
        rare=True,
        bound=BOXES,
    )
    pad_to: int = pad_to_knob()
    shift_twice: bool = shift_twice_switch()
    mask_eos: bool = mask_eos_switch()
    prompt_alone: bool = knob(
        False,
        Message("Prompt tokenized alone"),
        help=Message("Find the seam by counting the tokens of the prompt alone, which may merge otherwise."),
        trap=True,
    )


def build(texts: Texts, tokenizer: Tokenizer, settings: Settings, rng: np.random.Generator) -> Example:
    """The tokens of the replies are targets. Uses no randomness."""
    chat = bool(texts.messages and texts.messages.strip())
    transcript = _conversation(texts, tokenizer, settings) if chat else _pair(texts, tokenizer, settings)
    encoding = read(transcript.text, tokenizer, add_special=not chat, max_length=settings.max_length or None)
    replies = transcript.replies[-1:] if settings.mode == "last" else transcript.replies
    response = np.any([np.zeros(len(encoding)), *(_inside(encoding, reply) for reply in replies)], axis=0)
    supervised = response
    trap = []
    if settings.prompt_alone:
        supervised = _counted(encoding, transcript.text, replies, tokenizer, not chat)
        trap = [_counted_otherwise(response, supervised)]
    tokens = row(encoding, Role.PROMPT).paint(response & ~encoding.special, Role.RESPONSE)
    tokens = tokens.pad(settings.pad_to, tokenizer)
    return next_token_example(
        OBJECTIVE.key,
        tokenizer,
        tokens,
        np.pad(supervised, (0, len(tokens) - len(encoding))),
        traps=Traps(settings.shift_twice, settings.mask_eos),
        warnings=(*transcript.warnings, *remarks(encoding)[0], *_findings(encoding, replies, supervised), *trap),
    )


def _pair(texts: Texts, tokenizer: Tokenizer, settings: Settings) -> Transcript:
    """Prompt and response as one text, nothing put between them; or one text in which a marker opens the response."""
    text, response, marker = texts.text, texts.target or "", settings.response_marker
    require_text(text + response)
    if marker:
        text, response = _after_marker(text + response, marker)
    end = _end(tokenizer, settings)
    closing = "" if end and response.endswith(end) else end
    whole = text + response + closing
    warnings = _control_tokens(Turn("user", text), tokenizer)
    if not response.strip():
        warnings.append(Message("The response is empty."))
    return Transcript(whole, (Reply(len(text), len(whole), bool(end)),), tuple(warnings))


def _after_marker(text: str, marker: str) -> tuple[str, str]:
    """The text up to the end of the last marker, and the rest. Raises InputProblem if the marker is not there."""
    before, found, response = text.rpartition(marker)
    if not found:
        raise InputProblem(
            "The response marker {marker} does not occur in the text, so there would be nothing to learn. Compare the "
            "spaces and line ends.",
            {"marker": marker},
        )
    return before + found, response


def _end(tokenizer: Tokenizer, settings: Settings) -> str:
    """What is written behind a reply: the end token, or nothing."""
    eos = tokenizer.special.eos
    return tokenizer.piece(eos) if settings.add_eos and eos is not None else ""


def _conversation(texts: Texts, tokenizer: Tokenizer, settings: Settings) -> Transcript:
    """The messages as text, by the template that the settings name."""
    turns = parse_turns(texts.messages or "")
    given = {"model": tokenizer.name}
    own = tokenizer.chat_template is not None
    if settings.template == "model" and not own:
        raise InputProblem("{model} has no chat template. Choose the template chatml or plain.", given)
    if settings.template in ("model", "auto") and own:
        found = templated(turns, tokenizer)
    elif settings.template == "chatml":
        found = chatml(turns)
    else:
        found = plain(turns, _end(tokenizer, settings))
    warnings = [*found.warnings, *(w for turn in turns for w in _control_tokens(turn, tokenizer))]
    if settings.template == "auto" and not own:
        warnings.append(
            Message("{model} has no chat template, so the messages are plain lines; chatml is another choice.", given)
        )
    if settings.template == "chatml" and tokenizer.id("<|im_end|>") is None:
        warnings.append(Message("{model} does not know the marks of ChatML: they are cut up like any text.", given))
    if not any(turn.role == "assistant" for turn in turns):
        warnings.append(Message("No message has the role assistant, so there is no reply to learn."))
    return replace(found, warnings=tuple(warnings))


def _control_tokens(turn: Turn, tokenizer: Tokenizer) -> list[Message]:
    """A warning for each control token that the message's own text spells out."""
    inside = encode(turn.content, tokenizer, add_special=False)
    return [
        Message(
            "The {role}'s text spells out {piece}, which is read as a control token.",
            {"role": turn.role, "piece": inside.visible[i]},
        )
        for i in np.flatnonzero(inside.typed)
    ]


def _inside(encoding: Encoding, reply: Reply) -> Bools:
    """(T,): the tokens with at least one character of the reply."""
    starts, ends = characters(encoding)
    return np.asarray((ends > reply.start) & (starts < reply.end) & (ends > starts), dtype=np.bool_)


def _findings(encoding: Encoding, replies: Sequence[Reply], supervised: Bools) -> Iterator[Message]:
    """What is odd about the tokens of the replies: seams that fall inside a token, a cut, ends that are not learned."""
    starts, ends = characters(encoding)
    closed = False
    for reply in replies:
        inside = np.flatnonzero(_inside(encoding, reply))
        if not len(inside):
            yield Message("The cut leaves nothing of reply {number}.", {"number": replies.index(reply) + 1})
            continue
        for i in inside[(starts[inside] < reply.start) | (ends[inside] > reply.end)]:
            yield Message(
                "Token {position}, {piece}, straddles the seam of prompt and response; it counts as response.",
                {"position": int(i), "piece": encoding.visible[i]},
            )
        last = inside[-1]
        ends_here = reply.closed or encoding.special[last]
        closed |= bool(ends_here and ends[last] >= reply.end and supervised[last])
    if replies and not closed:
        yield Message("No end token is supervised, so the model does not learn where to stop.")


def _counted(encoding: Encoding, text: str, replies: Sequence[Reply], tokenizer: Tokenizer, add_special: bool) -> Bools:
    """(T,): the replies as the trap finds them, by counting the tokens of the text before and up to the end of each."""
    supervised = np.zeros(len(encoding), dtype=np.bool_)
    for reply in replies:
        first, after = (len(encode(text[:cut], tokenizer, add_special=add_special)) for cut in (reply.start, reply.end))
        supervised[first:after] = True
    return supervised


def _counted_otherwise(response: Bools, supervised: Bools) -> Message:
    """What the trap does to the row."""
    lost, gained = int((response & ~supervised).sum()), int((supervised & ~response).sum())
    if not lost and not gained:
        return Message(
            "Trap: counted with the prompt tokenized alone, the seam happens to fall in the same place here."
        )
    return Message(
        "Trap: counted with the prompt tokenized alone, the seam falls elsewhere. Response tokens without their "
        "label: {lost}; prompt tokens with one: {gained}.",
        {"lost": lost, "gained": gained},
    )


TWO_TURNS = """[
  {"role": "user", "content": "What is the capital of France?"},
  {"role": "assistant", "content": "Paris."},
  {"role": "user", "content": "And of Italy?"},
  {"role": "assistant", "content": "Rome."}
]"""

OBJECTIVE = Objective(
    key="sft",
    title=Message("Supervised fine-tuning"),
    question=Message("Read the prompt, learn only the response: which token of the response comes next?"),
    page="sft",
    family="GPT",
    stack="decoder",
    paper="Ouyang et al. 2022, section 3.5",
    boxes=(
        TextBox("text", Message("Prompt")),
        TextBox("target", Message("Response"), optional=True),
        TextBox("messages", Message("Or messages, as JSON"), rows=6, optional=True),
    ),
    examples=(
        ReadyExample(Message("Capital"), Texts("Q: What is the capital of France?\nA:", target=" Paris.")),
        ReadyExample(Message("Two turns"), Texts(messages=TWO_TURNS), {"template": "plain", "mode": "last"}),
        ReadyExample(Message("Seam inside a token"), Texts("Answer: ", target="yes"), {"prompt_alone": "true"}),
        ReadyExample(
            Message("Korean, cut too early"),
            Texts("질문: 프랑스의 수도는?\n답:", target=" 파리입니다."),
            {"max_length": "40"},
        ),
    ),
    Settings=Settings,
    model="openai-community/gpt2",
    build=build,
)
