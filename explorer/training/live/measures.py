"""A look at a tiny model: the loss on what was kept back, what it writes or fills in, and what it looks at.

Alphabet: N outputs with loss, B examples.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from explorer.learning import Dials, Look, Sample
from explorer.models.forward import attention
from explorer.models.loading import Loaded
from explorer.training.live.examples import Examples
from explorer.training.live.writing import write
from explorer.training.networks import losses, scored
from explorer.types import IGNORE, Example, Role, Stream

SHOWN = 4
"""Samples of a look."""
WRITINGS = 6
"""Texts written where each is long."""
BEYOND = 4
"""Tokens that may be written beyond what is wanted, so that a text without end is seen to have none."""


@dataclass(frozen=True)
class Found:
    """What the held-out examples gave: see `Look`."""

    score: float
    samples: tuple[Sample, ...]
    ended: float | None = None
    follows: float | None = None


def look(loaded: Loaded, examples: Examples, dials: Dials, step: int, seconds: float) -> Look:
    """Measures the model. What it looks at is shown under the mask that it is trained with."""
    import torch

    with loaded.lock, torch.inference_mode():
        summed = losses(loaded.module, examples.measured)
        found = MEASURES[examples.task.objective](loaded, examples)
    weights = attention(loaded, examples.mistaken(examples.probe, dials))
    held_out = float(summed.tokens) / summed.count
    return Look(step, seconds, held_out, found.score, found.samples, dials, weights, found.ended, found.follows)


def _exact(loaded: Loaded, examples: Examples) -> Found:
    """Whether what is written is what was wanted, its end included."""
    given = examples.held_out
    wanted = [each.compared[each.compared != IGNORE].tolist() for each in given]
    prompts = [_prompt(each) for each in given]
    sources = [each.encoder.ids.tolist() for each in given if each.encoder is not None]
    most = max(map(len, wanted)) + BEYOND
    written = write(loaded.module, prompts, examples.end, most, sources)
    right = [ours == theirs for ours, theirs in zip(written, wanted, strict=True)]
    ended = [ours[-1] == examples.end for ours in written]
    samples = tuple(
        Sample(_read(each), _text(ours, examples), _text(theirs, examples), good)
        for each, ours, theirs, good in zip(given[:SHOWN], written, wanted, right, strict=False)
    )
    return Found(float(np.mean(right)), samples, ended=float(np.mean(ended)))


def _read(example: Example) -> str:
    """What the encoder read, or the decoder before it began to write."""
    if example.encoder is not None:
        return _shown(example.encoder)
    return "".join(example.output.pieces[: len(_prompt(example))])


def _shown(stream: Stream, hidden: Sequence[int] = ()) -> str:
    """Word by word; a gap where one is hidden, and a stroke between two texts."""
    parts = []
    for at, (piece, role) in enumerate(zip(stream.pieces, stream.roles, strict=True)):
        if at in hidden or role in (Role.MASKED, Role.INSERTED):
            parts.append("___")
        elif role is not Role.SPECIAL:
            parts.append(piece)
        elif 0 < at < len(stream) - 1:
            parts.append("/")
    return " ".join(parts)


def _prompt(example: Example) -> list[int]:
    """What the decoder reads before the first target."""
    first = int((example.compared != IGNORE).argmax())
    return example.output.ids[: first + 1].tolist()  # type: ignore[no-any-return]


def _hidden(loaded: Loaded, examples: Examples) -> Found:
    """Whether the most probable word is the hidden one, and whether pairs are told from strangers."""
    at = scored(loaded.module, examples.measured)
    best = at.logits.argmax(-1).numpy()
    right = best == at.wanted.numpy()
    samples, start = [], 0
    for example in examples.held_out[:SHOWN]:
        places = np.flatnonzero(example.compared != IGNORE)
        own = slice(start, start + len(places))
        samples.append(_filled(example, places.tolist(), best[own].tolist(), examples))
        start += len(places)
    follows = at.sentences.argmax(-1).numpy() == examples.measured.next_sentence
    return Found(float(right.mean()), tuple(samples), follows=float(follows.mean()))


def _filled(example: Example, places: Sequence[int], guesses: Sequence[int], examples: Examples) -> Sample:
    """The text as it was read, and the words for its hidden places."""
    wanted = example.compared[list(places)].tolist()
    return Sample(
        _shown(example.output, places),
        _text(guesses, examples),
        _text(wanted, examples),
        guesses == wanted,
    )


OPENING = 8
"""Characters that a free text starts from."""


def _free(loaded: Loaded, examples: Examples) -> Found:
    """Which share of the letters written belong to words of the text."""
    prompts = [each.output.ids[:OPENING].tolist() for each in examples.held_out[:WRITINGS]]
    # No further than the model has ever read.
    written = write(loaded.module, prompts, None, len(examples.held_out[0].output) - OPENING)
    texts = [(_text(prompt, examples), _text(ours, examples)) for prompt, ours in zip(prompts, written, strict=True)]
    right, total = np.sum([letters(*each, examples.text) for each in texts], axis=0)
    return Found(float(right / max(1, total)), tuple(Sample(*each) for each in texts[:SHOWN]))


def letters(given: str, written: str, text: str) -> tuple[int, int]:
    """Letters in words of `text`, and all letters, of the words that were written or finished; the last word may be the
    beginning of one.

    >>> letters("the c", "at sut ma", "the cat sat on a mat")
    (5, 8)
    """
    known = frozenset(text.split())
    whole = len(given.split()) - (not given[-1:].isspace())
    words = (given + written).split()[whole:]
    right = [word for word in words[:-1] if word in known]
    right += [word for word in words[-1:] if any(each.startswith(word) for each in known)]
    return sum(map(len, right)), sum(map(len, words))


MEASURES = {
    "seq2seq": _exact,
    "sft": _exact,
    "denoising": _exact,
    "masked_lm": _hidden,
    "causal_lm": _free,
}


def _text(ids: Sequence[int], examples: Examples) -> str:
    """The ids as text, without control tokens."""
    return examples.words.decode([id for id in ids if id not in examples.words.special_ids])
