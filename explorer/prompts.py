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

SHOTS = (
    Prompt(Message("No example (zero-shot)"), "up →"),
    Prompt(Message("One example (one-shot)"), "hot → cold\nup →"),
    Prompt(Message("Three examples (few-shot)"), "hot → cold\nbig → small\nfast → slow\nup →"),
)
"""One task with more and more examples of it in the input (Brown et al. 2020, section 2); the weights stay the same."""

PROMPTS: dict[str, tuple[Prompt, ...]] = {
    "decoder": (
        STORY,
        Prompt(Message("A fact"), "The capital of France is"),
        *SHOTS,
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
    "explorer/gpt": (
        STORY,
        Prompt(Message("A girl and her dog"), "One day, Lily and her dog went to the park. They saw"),
    ),
    "explorer/bart": (
        Prompt(Message("Fill the gap"), "Once upon a time, there was a <mask> who loved to play."),
        Prompt(Message("A gap in the second sentence"), "She was very happy. Lily found a <mask> in the garden."),
    ),
    "explorer/t5": (
        Prompt(Message("Translate"), "translate English to German: Tom has a dog."),
        Prompt(Message("English to French"), "translate English to French: I am tired."),
    ),
    "explorer/transformer": (
        Prompt(Message("English to German"), ">>de<< The house is small."),
        Prompt(Message("English to French"), ">>fr<< I am tired."),
    ),
}
"""By model (a name with a slash), by family, or by stack; the first of them that is here."""


def first_prompt(model: str) -> str:
    """What the page begins with beside a model.

    >>> first_prompt("openai-community/gpt2"), first_prompt("explorer/transformer")
    ('Once upon a time there was a', '>>de<< The house is small.')
    """
    return PROMPTS.get(model, (STORY,))[0].text


def suits(text: str, model: str) -> bool:
    """Whether a ready prompt is meant for a model: for one of our own, or for all others."""
    own = {name: {each.text for each in found} for name, found in PROMPTS.items() if "/" in name}
    return text in own[model] if model in own else text == STORY.text or not any(text in each for each in own.values())


def prompts(family: str, stack: str, tokenizer: Tokenizer) -> tuple[Prompt, ...]:
    """The prompts for a model, with their texts as it reads them."""
    found = next((PROMPTS[kind] for kind in (tokenizer.name, family, stack) if kind in PROMPTS), (STORY,))
    return tuple(
        Prompt(each.title, _in_template(each.text, tokenizer)) if each.chat else each
        for each in found
        if not each.chat or tokenizer.chat_template is not None
    )


def _in_template(text: str, tokenizer: Tokenizer) -> str:
    return tokenizer.render_chat([{"role": "user", "content": text}], generation_prompt=True)
