"""One line of figures for an example: positions, targets, share, mean loss, perplexity; words where there are none."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from explorer.types import Example, Message, Scores
from explorer.views.roles import Say

MOST_RUNS = 4
"""Runs of outputs that are named one by one; beyond that the token rows show them better."""


def figures_line(example: Example, say: Say, *, scores: Scores | None = None, expect_loss: bool = False) -> str:
    """The figures as HTML. expect_loss keeps the place of loss and perplexity while scores are not there yet."""
    parts = [*_positions(example), *_targets(example, say)]
    if example.n_targets and (scores is not None or expect_loss):
        parts += _losses(scores)
    items = "".join(f"<li><b>{escape(number)}</b> {escape(say(word))}</li>" for number, word in parts)
    if not example.n_targets:
        none = say(Message("No targets: nothing is learned here, and the loss is undefined."))
        items += f'<li class="none">{escape(none)}</li>'
    return f'<ul class="xp figures">{items}</ul>'


def number_line(parts: Iterable[tuple[str, Message]], say: Say) -> str:
    """Numbers with the words for what they are, as one line that wraps."""
    items = "".join(f"<li><b>{escape(number)}</b> {escape(say(word))}</li>" for number, word in parts)
    return f'<ul class="xp figures">{items}</ul>'


def _positions(example: Example) -> list[tuple[str, Message]]:
    if example.encoder is not None and example.decoder is not None:
        return [
            (str(len(example.encoder)), Message("source positions")),
            (str(len(example.decoder)), Message("target positions")),
        ]
    return [(str(len(example.output)), Message("positions"))]


def _targets(example: Example, say: Say) -> list[tuple[str, Message]]:
    n = example.n_targets
    outputs = list(dict.fromkeys(target.position for target in example.targets))  # start and end may be one token
    if not n:
        return []
    word = say(Message("target") if n == 1 else Message("targets"))
    listed = runs(outputs)
    named = Message("{word}", {"word": word})
    if len(listed) <= MOST_RUNS:
        one = Message("{word} (output {outputs})", {"word": word, "outputs": listed[0]})
        many = Message("{word} (outputs {outputs})", {"word": word, "outputs": ", ".join(listed)})
        named = one if n == 1 else many
    share = f"{100 * n / len(example.output):.0f}%"
    return [(str(n), named), (share, Message("of positions"))]


def _losses(scores: Scores | None) -> Iterable[tuple[str, Message]]:
    mean, perplexity = (None, None) if scores is None else (scores.mean, scores.perplexity)
    yield _number(mean), Message("mean loss")
    yield _number(perplexity), Message("perplexity")
    if scores is not None and scores.next_sentence_loss is not None:
        yield _number(scores.next_sentence_loss), Message("next sentence loss")
        yield _number((mean or 0.0) + scores.next_sentence_loss), Message("both losses together")


def _number(value: float | None) -> str:
    """Two places, or four figures where it is large; a dash while it is awaited."""
    if value is None:
        return "–"
    return f"{value:.2f}" if abs(value) < 1000 else f"{value:,.0f}"


def runs(numbers: Sequence[int]) -> list[str]:
    """Ascending numbers with neighbours joined.

    >>> runs([2, 3, 4, 7, 9, 10])
    ['2–4', '7', '9, 10']
    """
    found: list[list[int]] = []
    for number in numbers:
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    return [f"{run[0]}–{run[-1]}" if len(run) > 2 else ", ".join(map(str, run)) for run in found]
