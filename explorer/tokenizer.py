"""What a tokenizer is for this app. Only a Protocol, so that all below `models` runs without transformers or torch."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from explorer.pieces import PieceKind


@dataclass(frozen=True)
class RawEncoding:
    """What the tokenizer library returns, as tuples of length T. template: True where the tokenizer's own
    template put a special token; sequences: 0 first text, 1 pair, None template."""

    ids: tuple[int, ...]
    pieces: tuple[str, ...]
    spans: tuple[tuple[int, int], ...]
    words: tuple[int | None, ...]
    template: tuple[bool, ...]
    sequences: tuple[int | None, ...]

    def take(self, at: Sequence[int]) -> RawEncoding:
        """The tokens at these positions."""
        return RawEncoding(
            tuple(self.ids[i] for i in at),
            tuple(self.pieces[i] for i in at),
            tuple(self.spans[i] for i in at),
            tuple(self.words[i] for i in at),
            tuple(self.template[i] for i in at),
            tuple(self.sequences[i] for i in at),
        )


@dataclass(frozen=True)
class SpecialIds:
    """The ids of the special tokens by job, None where the tokenizer has none. decoder_start comes from the
    model's config."""

    cls: int | None = None
    sep: int | None = None
    mask: int | None = None
    pad: int | None = None
    bos: int | None = None
    eos: int | None = None
    unk: int | None = None
    decoder_start: int | None = None


class Tokenizer(Protocol):
    """What the app asks of a tokenizer. All calls are pure and safe from many threads at once."""

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> PieceKind: ...
    @property
    def special(self) -> SpecialIds: ...
    @property
    def special_ids(self) -> frozenset[int]:
        """Every control token's id, sentinels included."""
        ...

    @property
    def size(self) -> int:
        """Number of ids that have a name."""
        ...

    @property
    def longest_word(self) -> int | None:
        """Characters of the longest word that is looked up at all; a longer one is unknown. None if unlimited."""
        ...

    @property
    def max_length(self) -> int | None:
        """The longest sequence the model takes, None if unlimited or unknown."""
        ...

    @property
    def token_types(self) -> bool:
        """Whether the model reads token types (BERT does; DistilBERT and BART do not)."""
        ...

    @property
    def classes(self) -> tuple[str, ...]:
        """Names of the classes of the model's own head in their order; none where its config gives them none."""
        ...

    @property
    def chat_template(self) -> str | None: ...

    def encode(self, text: str, pair: str | None = None, *, add_special: bool = True) -> RawEncoding: ...
    def piece(self, id: int) -> str:
        """The vocabulary's string; `<unused N>` for an id without a name."""
        ...

    def id(self, piece: str) -> int | None: ...
    def decode(self, ids: Sequence[int]) -> str: ...
    def normalize(self, text: str) -> str:
        """The text after the tokenizer's normaliser (lower case, accents ...), before splitting."""
        ...

    def render_chat(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None, generation_prompt: bool = False
    ) -> str:
        """The chat template's text. Raises InputProblem with the template's own words when it refuses."""
        ...

    def chat_spans(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        """Character spans of the rendered text inside {% generation %} blocks; empty where there are none."""
        ...
