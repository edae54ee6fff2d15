"""A training example as a value: the exact numbers a model is fed, and what each output is compared with.

Alphabet: T source or only sequence, S target sequence. The layouts are those of transformers: Devlin et al. 2018
(section 3.1) for BERT, Radford et al. 2018 for GPT, Lewis et al. 2019 for BART, Raffel et al. 2019 for T5.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from explorer.messages import Message
from explorer.streams import Bools, Ints, Masks, Stream, freeze, read_only

IGNORE = -100
"""The label that means "no loss here" (`ignore_index` of torch.nn.CrossEntropyLoss)."""

CLOSED = float(np.finfo(np.float32).min)
"""What a closed cell adds to its attention score (an open one adds 0)."""

Shift = Literal["none", "loss", "decoder_input"]

TASKS = {
    "sequence_classification": "SequenceClassification",
    "token_classification": "TokenClassification",
    "question_answering": "QuestionAnswering",
}
"""Objectives of fine-tuning: the end of the class of transformers that has their head."""

SPAN = ("start_positions", "end_positions")
"""Names in `extra` of an answer's first and last token; its loss is over positions, not over a vocabulary."""


@dataclass(frozen=True)
class Target:
    """One place with loss: the output at `position` has read `reads` and must say `predicts`."""

    position: int
    reads: str
    reads_id: int
    predicts: str
    predicts_id: int
    label_index: int


@dataclass(frozen=True, eq=False)
class Example:
    """One training example: the exact numbers a model is fed and compared with.

    labels (T,) for an encoder or decoder alone, (S,) for encoder-decoders, IGNORE where there is no loss;
    label_visible: a readable piece for each label (what is shown where a label differs from every input).
    shift: "none" compared in place; "loss" the model's loss compares output t with label t+1;
    "decoder_input" the decoder input was shifted right, output t is compared with label t.
    extra: next_sentence_label, start/end positions, class: what a model is given beside or in place of the labels. An
    answer's labels are 0 where it starts and 1 where it ends, the columns of its head; a class is the label of the one
    output that is classified.
    classes: the names of the labels 0, 1, ... where they are no tokens.
    value: the number that the one output must come near to, where there is one class alone (regression).
    warnings: what is wrong with the example; notes: what is right but needs a word (a label's meaning, a shift).
    """

    objective: str
    model: str
    encoder: Stream | None
    decoder: Stream | None
    labels: Ints
    label_visible: tuple[str, ...]
    shift: Shift
    masks: Masks
    extra: Mapping[str, int] = field(default_factory=dict)
    classes: tuple[str, ...] = ()
    value: float | None = None
    warnings: tuple[Message, ...] = ()
    notes: tuple[Message, ...] = ()

    def __post_init__(self) -> None:
        freeze(self, labels=np.int64)
        if len(self.labels) != len(self.output):
            raise ValueError(f"{len(self.labels)} labels for {len(self.output)} outputs")

    @property
    def output(self) -> Stream:
        """The stream whose positions make the predictions."""
        stream = self.decoder if self.decoder is not None else self.encoder
        if stream is None:
            raise ValueError("an example needs an encoder or a decoder stream")
        return stream

    @cached_property
    def compared(self) -> Ints:
        """(T,) or (S,): the label that each output is compared with, after whoever shifts has shifted."""
        if self.shift != "loss":
            return self.labels
        return read_only(np.append(self.labels[1:], IGNORE)[: len(self.labels)], np.int64)

    @cached_property
    def targets(self) -> tuple[Target, ...]:
        """Output position, token read there, token to predict; in order of position."""
        stream, step = self.output, 1 if self.shift == "loss" else 0
        if SPAN[0] in self.extra:
            ends = zip(SPAN, ("start", "end"), strict=True)
            places = [(self.extra[name], word, column) for column, (name, word) in enumerate(ends)]
            return tuple(Target(t, stream.visible[t], int(stream.ids[t]), word, n, t) for t, word, n in places)
        return tuple(
            Target(
                int(t),
                stream.visible[t],
                int(stream.ids[t]),
                self.label_visible[t + step],
                int(self.compared[t]),
                int(t) + step,
            )
            for t in np.flatnonzero(self.compared != IGNORE)
        )

    @property
    def n_targets(self) -> int:
        """How many outputs carry loss; 0 is a result to be told in words, not a NaN."""
        return len(SPAN) if SPAN[0] in self.extra else int((self.compared != IGNORE).sum())

    def model_inputs(self) -> dict[str, NDArray[Any]]:
        """Arrays with a batch axis of 1 under the keyword names of transformers.

        A decoder-only example whose mask is not plainly causal gets it as a float mask (1,1,T,T): 0 open,
        the lowest float32 closed. For encoder-decoders the decoder input is passed beside the labels.
        """
        if self.encoder is not None and self.decoder is not None:
            return self._encoder_decoder_inputs()
        stream = self.output
        given: dict[str, NDArray[Any]] = {"input_ids": stream.ids[None]}
        if self.encoder is not None:
            given["attention_mask"] = stream.attention_mask[None]
            if stream.token_types is not None:
                given["token_type_ids"] = stream.token_types[None]
        else:
            given["attention_mask"] = self._decoder_mask()
            given["position_ids"] = stream.position_ids[None]
        return given | self._answers()

    def _answers(self) -> dict[str, NDArray[Any]]:
        """What the outputs are compared with, under the names of transformers."""
        extra = {name: np.array([value], dtype=np.int64) for name, value in self.extra.items()}
        if self.value is not None:
            return {"labels": np.array([self.value], dtype=np.float32)}
        if "class" in extra:
            return {"labels": extra["class"]}
        return extra if SPAN[0] in extra else {"labels": self.labels[None]} | extra

    def _encoder_decoder_inputs(self) -> dict[str, NDArray[Any]]:
        assert self.encoder is not None and self.decoder is not None  # noqa: S101 - for the type checker
        return {
            "input_ids": self.encoder.ids[None],
            "attention_mask": self.encoder.attention_mask[None],
            "decoder_input_ids": self.decoder.ids[None],
            "decoder_attention_mask": self.decoder.attention_mask[None],
        } | self._answers()

    def _decoder_mask(self) -> NDArray[Any]:
        stream, mask = self.output, self.masks.decoder
        if mask is None or np.array_equal(mask, _causal(stream.attention_mask)):
            return stream.attention_mask[None]
        return np.where(mask, 0.0, CLOSED).astype(np.float32)[None, None]

    def code(self, place: Loading | None = None) -> str:
        """Plain Python (torch, transformers) that feeds a model exactly these numbers and prints its loss, and that of
        each target. place: how it is loaded, by default by its name."""
        place = place or Loading.by_name(self.model)
        count = f", num_labels={len(self.classes)}" if self.classes else ""
        lines = [
            *place.imports,
            "import torch",
            f"from transformers import {self._class_name()}",
            *place.before,
            "",
            *self.code_of_inputs(),
            *(["# A head that the checkpoint lacks is filled with random numbers."] if self.objective in TASKS else []),
            f"model = {self._class_name()}.from_pretrained({place.given}{count}).float().eval()",
            "with torch.no_grad():",
            "    output = model(**inputs)",
            "print(output.loss)",
            *self._code_of_losses(),
            "",
        ]
        return "\n".join(lines)

    def _code_of_losses(self) -> list[str]:
        """The lines that work out the loss of each target from `output`."""
        if not self.n_targets:
            return []
        if self.value is not None:
            return [f"losses = (output.logits[0] - {self.value}) ** 2", "print(losses)"]
        at, wanted = [target.position for target in self.targets], [target.predicts_id for target in self.targets]
        rows = f"output.logits[0, {at}]"
        if SPAN[0] in self.extra:
            rows, wanted = "torch.stack([output.start_logits[0], output.end_logits[0]])", at
        elif "class" in self.extra:
            rows = "output.logits"
        elif "next_sentence_label" in self.extra:
            rows = f"output.prediction_logits[0, {at}]"
        return [
            "# the loss of each target, in order",
            f"rows, wanted = {rows}, torch.tensor({wanted})",
            'losses = torch.nn.functional.cross_entropy(rows, wanted, reduction="none")',
            "print(losses)",
        ]

    def code_of_inputs(self, called: str = "inputs", *, labels: bool = True) -> list[str]:
        """The lines of Python that make the inputs, under that name, with or without what only a loss needs."""
        lines = [f"{called} = {{"]
        for name, array in self.model_inputs().items():
            if not labels and name in {"labels", *self.extra}:
                continue
            if array.ndim == 4:
                rows = (array[0, 0] == 0).astype(int).tolist()
                lines.append("    # 1 = may attend; a closed cell adds the lowest float to its score")
                lines.append(f'    "{name}": torch.where(torch.tensor({rows}) == 1, 0.0, {CLOSED})[None, None],')
            else:
                lines.append(f'    "{name}": torch.tensor({array.tolist()}),')
        return [*lines, "}"]

    def _class_name(self) -> str:
        if self.objective in TASKS:
            return f"AutoModelFor{TASKS[self.objective]}"
        if self.encoder is None:
            return "AutoModelForCausalLM"
        if self.decoder is not None:
            return "AutoModelForSeq2SeqLM"
        return "AutoModelForPreTraining" if "next_sentence_label" in self.extra else "AutoModelForMaskedLM"


@dataclass(frozen=True)
class Loading:
    """How code loads a model: the arguments of `from_pretrained` as Python, the imports they need, and the lines that
    stand before them."""

    given: str
    imports: tuple[str, ...] = ()
    before: tuple[str, ...] = ()

    @classmethod
    def by_name(cls, model: str) -> Loading:
        """From the Hub, or from the app's own folder."""
        return cls(f'"{place_of(model)}"')


def place_of(model: str) -> str:
    """Where code finds a model: on the Hub by its id, or in the app's own folder.

    >>> place_of("openai-community/gpt2"), place_of("explorer/bert")
    ('openai-community/gpt2', 'explorer/bundled/bert')
    """
    owner, _, name = model.partition("/")
    return f"explorer/bundled/{name}" if owner == "explorer" else model


def _causal(attention_mask: Ints) -> Bools:
    """(T,T): the causal triangle with padded keys closed, which every decoder makes for itself."""
    triangle = np.tril(np.ones((len(attention_mask),) * 2, dtype=bool))
    return np.asarray(triangle & attention_mask.astype(bool)[None, :], dtype=np.bool_)
