"""Ready prompts for writing token by token, each for the kind of model that it suits."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.tokenizer import Tokenizer
from explorer.types import Message


@dataclass(frozen=True)
class Prompt:
    """A title, and the text that the model reads. chat: the text is a user's turn, told as the model's own chat
    template tells it; a tokenizer without a template has no such prompt."""

    title: Message
    text: str
    chat: bool = False


STORY = Prompt(Message("A story"), "Once upon a time there was a")

PROMPTS: dict[str, tuple[Prompt, ...]] = {
    "decoder": (
        STORY,
        Prompt(Message("A fact"), "The capital of France is"),
        Prompt(Message("A question, in the chat template"), "Name three colours.", chat=True),
        Prompt(Message("Code"), "def fibonacci(n):\n"),
        Prompt(Message("Korean"), "옛날 옛적에"),
        Prompt(Message("Nothing"), ""),
    ),
    "T5": (
        Prompt(Message("Translate"), "translate English to German: The house is wonderful."),
        Prompt(Message("Fill the gaps"), "The <extra_id_0> sat on the <extra_id_1>."),
    ),
    "BART": (Prompt(Message("Fill the gap"), "The <mask> sat on the mat."),),
    "encoder-decoder": (Prompt(Message("A sentence"), "The house is wonderful."),),
}
"""By family, or by stack where a family has none of its own."""


def prompts(family: str, stack: str, tokenizer: Tokenizer) -> tuple[Prompt, ...]:
    """The prompts for a model, with their texts as it reads them."""
    found = PROMPTS.get(family) or PROMPTS.get(stack, (STORY,))
    return tuple(
        Prompt(each.title, _in_template(each.text, tokenizer)) if each.chat else each
        for each in found
        if not each.chat or tokenizer.chat_template is not None
    )


def _in_template(text: str, tokenizer: Tokenizer) -> str:
    return tokenizer.render_chat([{"role": "user", "content": text}], generation_prompt=True)
