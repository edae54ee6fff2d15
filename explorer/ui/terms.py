"""What the words of the field mean, in one sentence each, where they come first in a lesson."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from html import escape

from explorer.types import Message
from explorer.ui.words import say_in

TERMS = (
    (
        Message("token"),
        Message("A piece of text that has its own number in the vocabulary; what a model reads and writes."),
    ),
    (Message("vocabulary"), Message("All the tokens a model knows, each with its number (its id).")),
    (
        Message("logits"),
        Message("The numbers a model gives to every token of its vocabulary before softmax; larger is likelier."),
    ),
    (
        Message("softmax"),
        Message("Makes numbers into probabilities: e to the power of each, divided by the sum of all."),
    ),
    (
        Message("loss"),
        Message("Minus the logarithm of the probability that the right token got: 0 is certain, ln V is guessing."),
    ),
    (
        Message("cross entropy"),
        Message("The mean surprise at the right tokens: minus the logarithm of the probability that each of them got."),
    ),
    (Message("label"), Message("What an output is compared with; -100 means that nothing is compared there.")),
    (
        Message("perplexity"),
        Message("e to the power of the mean loss: among how many equally likely tokens the model wavers."),
    ),
    (Message("mask"), Message("Which positions may look at which; a closed cell gets no weight.")),
    (Message("causal mask"), Message("A mask that closes the future, so that one pass trains every position at once.")),
    (
        Message("padding"),
        Message("Filler tokens that give all texts of a batch one length; nobody looks at them, they have no loss."),
    ),
    (
        Message("attention"),
        Message("Each position gathers what others hold, weighted by how well its query fits their keys."),
    ),
    (Message("encoder"), Message("A stack that reads the whole text at once, every position seeing both sides.")),
    (Message("decoder"), Message("A stack that writes: each position sees only itself and what came before.")),
    (Message("cross-attention"), Message("The decoder's positions look at the encoder's outputs.")),
    (
        Message("teacher forcing"),
        Message("In training the decoder reads the right tokens so far, not the ones it would have written."),
    ),
    (Message("sentinel"), Message("A special token that stands for one span that was cut out.")),
    (
        Message("temperature"),
        Message("Divides the logits before softmax: below 1 sharpens the distribution, above 1 flattens it."),
    ),
    (
        Message("entropy"),
        Message("How open a choice is, in nats: 0 when one token is certain, ln V when all are alike."),
    ),
    (
        Message("KV cache"),
        Message("Keys and values of earlier positions, kept so that a step reads only its new token."),
    ),
    (Message("forward pass"), Message("One run of the input through all layers of the model.")),
    (Message("head"), Message("One of several attentions that a layer computes side by side.")),
    (Message("batch"), Message("Several examples that go through the model together.")),
    (Message("seed"), Message("The number from which all chance is drawn: the same seed gives the same draw.")),
    (
        Message("label smoothing"),
        Message("A small share of the target probability is spread over all tokens, so that no answer is certain."),
    ),
    (Message("exposure bias"), Message("A model trained on right beginnings meets its own mistakes only in use.")),
)
"""A term and what it means."""


def explained(markdown: str, code: str) -> str:
    """The Markdown of a lesson as Markdown with HTML in it: each term shows its meaning where it comes first, when it
    is pointed at or focused. code: the language. Headings and code stay as they are."""
    said = set[str]()

    def mark(found: re.Match[str]) -> str:
        whole, word = found.group(), found.group("term")
        if word is None:
            return whole
        meaning = _meanings(code).get(word.lower())
        if meaning is None or word.lower() in said:
            return whole
        said.add(word.lower())
        return f'<span class="term" tabindex="0" data-meaning="{escape(meaning)}">{word}</span>'

    parts = re.split(r"(`[^`]*`)", markdown)
    plain = [part if part.startswith("`") else part.replace("<", "&lt;") for part in parts]
    return _pattern(code).sub(mark, "".join(plain))


@lru_cache
def _meanings(code: str) -> dict[str, str]:
    say = say_in(code)
    return {_word(say, term).lower(): say(meaning) for term, meaning in TERMS}


@lru_cache
def _pattern(code: str) -> re.Pattern[str]:
    """What stays as it is (code, headings, emphasis that is a button's name), or a term; the longest term first."""
    words = sorted(_meanings(code), key=len, reverse=True)
    each = "|".join(re.escape(word) for word in words)
    # English words end where they end, with or without a plural; Korean ones are followed by particles.
    term = rf"\b(?P<term>{each})(?=s?\b)" if code == "en" else rf"(?P<term>{each})"
    return re.compile(rf"`[^`]*`|^#.*$|\*[^*\n]+\*|{term}", re.MULTILINE | re.IGNORECASE)


def _word(say: Callable[[Message], str], term: Message) -> str:
    """The term itself, without the English in brackets."""
    return re.sub(r"\s*\(.*\)$", "", say(term))
