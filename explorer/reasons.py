"""Why an output has loss or none, in words: read off the role, the label and who shifts."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.types import IGNORE, Example, Message, Role

NOT_CHOSEN = Message("No loss: this token was not chosen, so its label is -100 and is ignored.")
SPECIAL = Message("No loss: a special token is never chosen; its label is -100 and is ignored.")
PADDING = Message("No loss: this is padding; its label is -100 and is ignored.")
IGNORED = Message("No loss: the label is -100 and is ignored.")
AT_THE_END = Message("No loss: nothing follows the last position.")
NEXT_IS_PADDING = Message("No loss: the next position is padding; its label is -100 and is ignored.")
NEXT_IS_PROMPT = Message("No loss: the next token belongs to the prompt; its label is -100 and is ignored.")
NEXT_IS_IGNORED = Message("No loss: the label of the next token is -100 and is ignored.")
NEXT_DOCUMENT = Message("No loss: the next token begins another document; its label is -100 and is ignored.")


def why(example: Example, position: int) -> Message:
    """Why the output at `position` has loss or none."""
    if example.compared[position] == IGNORE:
        return _why_none(example, position)
    step = 1 if example.shift == "loss" else 0
    values = {"piece": example.label_visible[position + step]}
    if example.shift == "loss":
        return Message("Loss here: the output has read up to this token and must say {piece}.", values)
    if example.shift == "decoder_input":
        return Message(
            "Loss here: the output has read the decoder input up to this token and must say {piece}.", values
        )
    return _why_in_place(example.output.roles[position], values)


def _why_in_place(role: Role, values: Mapping[str, str]) -> Message:
    if role is Role.MASKED:
        return Message("Loss here: the mask hides {piece}, and the output must name it.", values)
    if role is Role.RANDOM:
        return Message("Loss here: a random token stands here, and the output must name the original, {piece}.", values)
    if role is Role.UNCHANGED:
        return Message("Loss here: {piece} was chosen but left as it is; the output must name it all the same.", values)
    return Message("Loss here: the output is compared with {piece} in the same place.", values)


def _why_none(example: Example, position: int) -> Message:
    stream, shift = example.output, example.shift
    if shift == "loss":
        return _why_none_after(example, position)
    role = stream.roles[position]
    if role is Role.PAD:
        return PADDING
    if shift == "decoder_input":
        return IGNORED
    return {Role.SPECIAL: SPECIAL, Role.KEPT: NOT_CHOSEN}.get(role, IGNORED)


def _why_none_after(example: Example, position: int) -> Message:
    """The label that counts is that of the next position."""
    stream, following = example.output, position + 1
    if following == len(stream):
        return AT_THE_END
    documents = stream.documents
    if documents is not None and documents[position] != documents[following]:
        return NEXT_DOCUMENT
    return {Role.PAD: NEXT_IS_PADDING, Role.PROMPT: NEXT_IS_PROMPT}.get(stream.roles[following], NEXT_IS_IGNORED)


def why_label(example: Example, index: int) -> Message:
    """What becomes of the label passed at `index`: which output it is compared with, if any."""
    if example.labels[index] == IGNORE:
        return IGNORED
    if example.shift != "loss":
        return why(example, index)
    values = {"piece": example.label_visible[index], "output": index - 1}
    if not index:
        return Message("{piece} is not used: no output stands before the first label.", values)
    return Message("{piece} is what the loss compares with output {output}, one place to the left.", values)
