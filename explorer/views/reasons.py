"""Why an output has loss or none, in words: read off the role, the label and who shifts."""

from __future__ import annotations

from collections.abc import Mapping

from explorer.types import IGNORE, Example, Message, Role

REPLACED: Mapping[Role, Message] = {
    Role.MASKED: Message("Loss here: the mask hides a token, and the output must name it."),
    Role.RANDOM: Message("Loss here: a random token stands here, and the output must name the original."),
    Role.UNCHANGED: Message("Loss here: the token was chosen but left as it is; the output must name it all the same."),
}
IN_PLACE = Message("Loss here: the output is compared with the label in the same place.")
NEXT = Message("Loss here: the output has read up to this token and must say the next one.")
TAUGHT = Message("Loss here: the output has read the decoder input up to this token and must say the label.")

NOT_CHOSEN = Message("No loss: this token was not chosen, so its label is -100 and is ignored.")
SPECIAL = Message("No loss: a special token is never chosen; its label is -100 and is ignored.")
PADDING = Message("No loss: this is padding; its label is -100 and is ignored.")
IGNORED = Message("No loss: the label is -100 and is ignored.")
AT_THE_END = Message("No loss: nothing follows the last position.")
NEXT_IS_PADDING = Message("No loss: the next position is padding; its label is -100 and is ignored.")
NEXT_IS_PROMPT = Message("No loss: the next token belongs to the prompt; its label is -100 and is ignored.")
NEXT_IS_IGNORED = Message("No loss: the label of the next token is -100 and is ignored.")
NEXT_DOCUMENT = Message("No loss: the next token begins another document; its label is -100 and is ignored.")

NEVER_USED = Message("Not used: no output stands before the first label.")
USED_BEFORE = Message("The loss compares this label with the output one place to the left.")


def why(example: Example, position: int) -> Message:
    """Why the output at `position` has loss or none."""
    if example.compared[position] == IGNORE:
        return _why_none(example, position)
    if example.shift == "loss":
        return NEXT
    if example.shift == "decoder_input":
        return TAUGHT
    return REPLACED.get(example.output.roles[position], IN_PLACE)


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
    if example.shift == "loss":
        return USED_BEFORE if index else NEVER_USED
    return why(example, index)
