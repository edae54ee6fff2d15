"""One sentence through every family; and two Examples held against each other, column by column.

What sets the families apart is who looks at whom, which outputs have a loss, and who shifts: Vaswani et al. 2017,
Devlin et al. 2018, Radford et al. 2018, Raffel et al. 2019 (section 3.2), Lewis et al. 2019.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from explorer.example import IGNORE
from explorer.objectives.base import Texts
from explorer.types import Example, Message, Stream

ONE_PASS = Message("1")
EACH_TOKEN = Message("one for each token, with a KV cache")
ENCODER_ONCE = Message("the encoder once, then one for each token")


@dataclass(frozen=True)
class Way:
    """How a family takes one sentence: its page, the objective, the texts made of the sentence and of a translation of
    it, and the forward passes when the model is used."""

    page: str
    objective: str
    texts: Callable[[str, str], Texts]
    passes: Message


def halves(sentence: str) -> tuple[str, str]:
    """The sentence cut before the word that begins nearest to its middle, or in the middle of its only word.

    >>> halves("the cat sat down")
    ('the cat', ' sat down')
    >>> halves("고양이가")
    ('고양', '이가')
    """
    middle = len(sentence) // 2
    spaces = [at for at, sign in enumerate(sentence) if sign == " " and sentence[:at].strip()]
    cut = min(spaces, key=lambda at: abs(at - middle), default=middle)
    return sentence[:cut], sentence[cut:]


def _alone(sentence: str, _: str) -> Texts:
    return Texts(sentence)


def _continued(sentence: str, _: str) -> Texts:
    prefix, rest = halves(sentence)
    return Texts(prefix, target=rest)


def _translated(sentence: str, translation: str) -> Texts:
    return Texts(sentence, target=translation)


WAYS = (
    Way("transformer", "seq2seq", _translated, ENCODER_ONCE),
    Way("bert", "masked_lm", _alone, ONE_PASS),
    Way("gpt", "causal_lm", _alone, EACH_TOKEN),
    Way("sft", "sft", _continued, EACH_TOKEN),
    Way("prefix_lm", "prefix_lm", _continued, EACH_TOKEN),
    Way("bart", "denoising", _alone, ENCODER_ONCE),
    Way("t5", "span_corruption", _alone, ENCODER_ONCE),
)
"""Every family, in the order of the sidebar."""


@dataclass(frozen=True)
class Columns:
    """Columns of an Example that the other one does not have: of an encoder beside a decoder, and of the stack whose
    outputs are compared."""

    source: frozenset[int] = frozenset()
    output: frozenset[int] = frozenset()

    def __len__(self) -> int:
        return len(self.source) + len(self.output)


def differences(a: Example, b: Example) -> tuple[Columns, Columns]:
    """The columns of `a` and of `b` that are in no longest run common to both. Two columns are the same where piece,
    role and what the output must say are the same; their position does not count."""
    sources = _unmatched(source_columns(a), source_columns(b))
    outputs = _unmatched(output_columns(a), output_columns(b))
    return Columns(sources[0], outputs[0]), Columns(sources[1], outputs[1])


def source_columns(example: Example) -> list[tuple[object, ...]]:
    """What tells the columns of an encoder beside a decoder apart: piece, role, attention mask."""
    two = example.encoder is not None and example.decoder is not None
    return _pieces(example.encoder) if two and example.encoder is not None else []


def _pieces(stream: Stream) -> list[tuple[object, ...]]:
    roles = [role.value for role in stream.roles]
    return list(zip(stream.visible, roles, stream.attention_mask.tolist(), strict=True))


def output_columns(example: Example) -> list[tuple[object, ...]]:
    """What tells the outputs apart: piece, role, attention mask, label as passed, what must be said."""
    says = {target.position: target.predicts for target in example.targets}
    passed = [None if label == IGNORE else shown for label, shown in _labels(example)]
    return [(*piece, passed[t], says.get(t)) for t, piece in enumerate(_pieces(example.output))]


def _labels(example: Example) -> Sequence[tuple[int, str]]:
    return list(zip(example.labels.tolist(), example.label_visible, strict=True))


def _unmatched(a: Sequence[object], b: Sequence[object]) -> tuple[frozenset[int], frozenset[int]]:
    blocks = SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    same_a = {block.a + k for block in blocks for k in range(block.size)}
    same_b = {block.b + k for block in blocks for k in range(block.size)}
    return frozenset(range(len(a))) - same_a, frozenset(range(len(b))) - same_b
