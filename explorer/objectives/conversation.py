"""Conversations as text: which characters are the replies that a model learns.

A chat template writes the text. Where it marks the replies itself ({% generation %}), its word is taken; else the
conversation is rendered turn by turn, and what a turn adds behind its header is the reply, end mark included.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from explorer.tokens import Tokenizer
from explorer.types import InputProblem, Message

ROLES = ("system", "user", "assistant")


@dataclass(frozen=True)
class Turn:
    """One message of a conversation."""

    role: str
    content: str


@dataclass(frozen=True)
class Reply:
    """A reply's characters start:end in the whole text; closed: its end mark is among them."""

    start: int
    end: int
    closed: bool


@dataclass(frozen=True)
class Transcript:
    """A text and its replies. warnings: how the replies were found, where that needs a word."""

    text: str
    replies: tuple[Reply, ...]
    warnings: tuple[Message, ...] = ()


def parse_turns(text: str) -> tuple[Turn, ...]:
    """A JSON list of {"role", "content"}. Raises InputProblem with the place and what was expected there.

    >>> parse_turns('[{"role": "user", "content": "Hi"}]')
    (Turn(role='user', content='Hi'),)
    """
    try:
        given = json.loads(text)
    except json.JSONDecodeError as problem:
        where = {"line": problem.lineno, "column": problem.colno, "problem": problem.msg}
        raise InputProblem("The messages are not valid JSON: line {line}, column {column}: {problem}.", where) from None
    except (ValueError, RecursionError):
        raise InputProblem("The messages are JSON that nobody can read: too deep or with a number too long.") from None
    if not isinstance(given, list) or not given:
        raise InputProblem(
            "The messages must be a list such as [{example}].", {"example": '{"role": "user", "content": "Hi"}'}
        )
    return tuple(_turn(number, item) for number, item in enumerate(given, start=1))


def _turn(number: int, item: object) -> Turn:
    if not isinstance(item, dict) or not {"role", "content"} <= item.keys():
        raise InputProblem("Message {number} must be an object with role and content.", {"number": number})
    if item["role"] not in ROLES:
        raise InputProblem(
            "Message {number} has the role {role}, but must have one of: {names}.",
            {"number": number, "role": item["role"], "names": ", ".join(ROLES)},
        )
    if not isinstance(item["content"], str):
        raise InputProblem("The content of message {number} must be text in quotes.", {"number": number})
    return Turn(item["role"], item["content"])


def chatml(turns: Sequence[Turn]) -> Transcript:
    r"""The conversation in ChatML.

    >>> chatml([Turn("user", "Hi")]).text
    '<|im_start|>user\nHi<|im_end|>\n'
    """
    return _written([(f"<|im_start|>{turn.role}\n", f"{turn.content}<|im_end|>", "\n") for turn in turns], turns, True)


def plain(turns: Sequence[Turn], end: str) -> Transcript:
    r"""The conversation as lines with the role in front; `end` closes each reply. The space before a reply belongs to
    it, because byte-level vocabularies join it to the next word.

    >>> plain([Turn("user", "Hi"), Turn("assistant", "Ho")], "</s>").text
    'User: Hi\nAssistant: Ho</s>\n'
    """
    lines = []
    for turn in turns:
        closing = end if turn.role == "assistant" else ""
        lines.append((f"{turn.role.capitalize()}:", f" {turn.content}{closing}", "\n"))
    return _written(lines, turns, bool(end))


def _written(parts: Sequence[tuple[str, str, str]], turns: Sequence[Turn], closed: bool) -> Transcript:
    """Header, body and tail of every turn as one text; the bodies of the assistant are the replies."""
    text, replies = "", []
    for (header, body, tail), turn in zip(parts, turns, strict=True):
        start = len(text) + len(header)
        if turn.role == "assistant":
            replies.append(Reply(start, start + len(body), closed))
        text += header + body + tail
    return Transcript(text, tuple(replies))


def templated(turns: Sequence[Turn], tokenizer: Tokenizer) -> Transcript:
    """The conversation as the model's own chat template writes it. Raises InputProblem in the template's own words
    where it refuses."""
    text = _render(turns, tokenizer)
    marked = tokenizer.chat_spans(_mappings(turns))
    if marked:
        said = tuple(turn.content.strip() for turn in turns if turn.role == "assistant")
        return Transcript(text, tuple(Reply(a, b, not text[a:b].rstrip().endswith(said)) for a, b in marked))
    marker = {"marker": "{% generation %}"}
    try:
        replies = tuple(_grown(turns, i, tokenizer, text) for i, turn in enumerate(turns) if turn.role == "assistant")
    except InputProblem:
        warning = Message(
            "The chat template does not mark the replies with {marker}, and they cannot be found by rendering turn by "
            "turn either: nothing is supervised.",
            marker,
        )
        return Transcript(text, (), (warning,))
    warning = Message(
        "The chat template does not mark the replies with {marker}; they were found by rendering turn by turn.", marker
    )
    return Transcript(text, replies, (warning,))


def _grown(turns: Sequence[Turn], i: int, tokenizer: Tokenizer, text: str) -> Reply:
    """Turn `i`, between the rendering before it (with the header, if the template writes one alone) and the one after
    it. Raises InputProblem where the whole text does not start with them."""
    before = ["", *(_render(turns[:i], tokenizer, prompt) for prompt in (False, True) if i)]
    upto = _render(turns[: i + 1], tokenizer)
    start = max(len(each) for each in before if text.startswith(each))
    content = turns[i].content if turns[i].content in text[start : len(upto)] else turns[i].content.strip()
    said = text.find(content, start, len(upto))
    if said < 0 or not text.startswith(upto):
        raise InputProblem("Message {number} is not found in what the chat template writes.", {"number": i + 1})
    after = said + len(content)
    end = max(after, len(upto.rstrip()))
    return Reply(said, end, end > after)


def _render(turns: Sequence[Turn], tokenizer: Tokenizer, generation_prompt: bool = False) -> str:
    return tokenizer.render_chat(_mappings(turns), generation_prompt=generation_prompt)


def _mappings(turns: Sequence[Turn]) -> list[dict[str, str]]:
    return [{"role": turn.role, "content": turn.content} for turn in turns]
