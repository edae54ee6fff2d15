"""The comments of code that is shown or taken home, in the reader's language.

The code is written in English by pure functions. Here its comments are found again, with the values in them; what
stands in quotes is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from string import Formatter

from explorer.types import Message
from explorer.views.roles import Say

NOTES = (
    Message("A head that the checkpoint lacks is filled with random numbers."),
    Message("the loss of each target, in order"),
    Message("1 = may attend; a closed cell adds the lowest float to its score"),
    Message("the default, sdpa, works the weights out but does not give them"),
    Message("no dropout"),
    Message("(queries, keys), and the sum of each row"),
    Message("layer {layer}, head {head}"),
    Message("over the heads of layer {layer}"),
    Message("rollout: the means of the heads, half and half with the residual path, multiplied layer by layer"),
    Message("what is shown"),
    Message("without special tokens"),
    Message("(positions, start and end)"),
    Message("of the classes, in the order of the head"),
    Message("A linear layer that was trained on the page: {names}."),
    Message("One position by hand."),
    Message("no label: the loss is 0/0, not a number"),
    Message("Several positions; -100 is no loss."),
    Message("0 where there is no loss"),
    Message("over those that have one"),
    Message("The losses of the tokens that have one, batch by batch."),
    Message("GPT-1's loss of fine-tuning."),
    Message("The pieces of the file that have a loss: the sum of each, and its number of targets."),
    Message("Across tokenizers."),
    Message("the first token is only read"),
    Message("Attention by hand: queries = keys = x, four positions of eight numbers."),
    Message("a row without any open cell is not a number"),
    Message("True = may not be looked at: the bool masks of torch.nn.Transformer"),
    Message("rows look, columns are looked at; True = may attend"),
    Message("causal: nobody looks ahead"),
    Message("the prefix is read both ways"),
    Message("the document of each position"),
    Message("0 = padding"),
    Message("not added by the tokenizer"),
    Message("Where the text itself spells the unknown token's name, nothing is unknown."),
    Message("The tokens laid end to end, the most probable first: a number between 0 and 1 falls on one of them."),
    Message("the probability of the token after all filters"),
    Message("Whenever its {limit} positions were used up, the model left half of them behind."),
    Message("For each step its filters and its seed."),
    Message("By step, the tokens that were taken by hand."),
    Message("The outputs that have a loss, and their share; -100 is no loss."),
    Message("Where the model shifts inside its loss, output t is compared with label t + 1."),
    Message("The columns of each that are in no run common to both."),
    Message("An answer has a loss for its start and one for its end."),
    Message("The texts and their batches are the app's own: run this where its folder `explorer` is."),
    Message("as on the page, so that all digits are the same"),
    Message("Summed over the outputs with loss, how many there are, and the mean over the next-sentence labels."),
    Message("Only outputs with loss go through the vocabulary matrix."),
    Message("from the step on"),
    Message("steps after which the held-out loss was measured"),
    Message("of long trainings each point is a mean"),
    Message("adds to what is there"),
    Message("Right: the sum of each micro-batch over the number of targets of all of them."),
    Message("Wrong: the mean of each micro-batch over the number of micro-batches."),
    Message("(S, S)  True = hidden"),
    Message("(B, T)  encoder self-attention"),
    Message("(B, S)  decoder self-attention"),
    Message("(B, T)  cross-attention: easily left out"),
    Message("The folder of a model in EXPLORER_MODELS, or its name on the Hub where there is none."),
)

COMMENT = re.compile(r"""((?:[^'"#]++|'(?:[^'\\]|\\.)*+'|"(?:[^"\\]|\\.)*+")*+# )(.+)()""")
DOCSTRING = re.compile(r"""(\s+(?:'''|\"""))(.+)('''|\""")""")


def worded(code: str, say: Say) -> str:
    """The code with its comments in the language of `say`."""
    return "\n".join(_worded(line, say) for line in code.split("\n"))


def comments(code: str) -> Iterator[str]:
    """Every comment of the code, and every docstring, which takes one line."""
    for line in code.split("\n"):
        if found := _found(line):
            yield found[2]


def _found(line: str) -> re.Match[str] | None:
    return COMMENT.fullmatch(line) or DOCSTRING.fullmatch(line)


def _worded(line: str, say: Say) -> str:
    found = _found(line)
    if found is None:
        return line
    for note, form in _forms():
        if known := form.fullmatch(found[2]):
            return found[1] + say(replace(note, values=known.groupdict())) + found[3]
    return line


@cache
def _forms() -> list[tuple[Message, re.Pattern[str]]]:
    """Each note with its values left open."""
    return [(note, re.compile("".join(_parts(note.id)))) for note in NOTES]


def _parts(sentence: str) -> Iterator[str]:
    for words, name, _, _ in Formatter().parse(sentence):
        yield re.escape(words)
        if name is not None:
            yield f"(?P<{name}>.+)"
