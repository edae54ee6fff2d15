"""Tokenizers of the Hugging Face Hub as the app's `Tokenizer`.

transformers finds and loads the files; text goes straight to the Rust object behind, whose truncation and padding
are switched off once. Nothing is changed afterwards, so that any number of threads may share one tokenizer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from explorer.messages import InputProblem
from explorer.pieces import PieceKind, replace_surrogates
from explorer.tokens import RawEncoding, SpecialIds

GENERATION = re.compile(r"\{%-?\s*generation\s*-?%\}")
LENGTHS = ("max_position_embeddings", "n_positions")
UNLIMITED = 10**9
"""transformers writes "no limit" as a huge model_max_length."""


class HubTokenizer:
    """Implements `explorer.tokens.Tokenizer` over a loaded PreTrainedTokenizerFast.

    `config` is the model's config.json: it tells the longest sequence and the token a decoder starts with.
    """

    def __init__(self, tokenizer: Any, name: str, config: Mapping[str, Any] | None = None) -> None:
        self.name = name
        self._tokenizer = tokenizer
        self._backend = tokenizer.backend_tokenizer
        self._backend.no_truncation()
        self._backend.no_padding()
        self._config = dict(config or {})
        self.kind: PieceKind = _kind(self._backend)
        self.special = self._special()
        self.special_ids = self._controls()
        self.size: int = self._backend.get_vocab_size(with_added_tokens=True)
        self.token_types = "token_type_ids" in tokenizer.model_input_names
        self.longest_word: int | None = getattr(self._backend.model, "max_input_chars_per_word", None)

    @cached_property
    def max_length(self) -> int | None:
        """Longest sequence of the model. For T5, whose positions are relative, the length it was trained with."""
        given = [self._config[key] for key in LENGTHS if self._config.get(key)]
        limit = min([*given, self._tokenizer.model_max_length])
        return int(limit) if limit < UNLIMITED else None

    @cached_property
    def classes(self) -> tuple[str, ...]:
        """Tags or classes in the order of the head. LABEL_0 and its like, which every config has, are no names."""
        named = self._config.get("id2label") or {}
        names = tuple(str(named[number]) for number in sorted(named, key=int))
        return () if all(re.fullmatch(r"LABEL_\d+", name) for name in names) else names

    @property
    def chat_template(self) -> str | None:
        template = self._tokenizer.chat_template
        return template.get("default") if isinstance(template, dict) else template

    def encode(self, text: str, pair: str | None = None, *, add_special: bool = True) -> RawEncoding:
        pair = None if pair is None else replace_surrogates(pair)
        found = self._backend.encode(replace_surrogates(text), pair, add_special_tokens=add_special)
        ids = tuple(found.ids)
        return RawEncoding(
            ids,
            tuple(self.piece(i) for i in ids),
            tuple(found.offsets),
            tuple(found.word_ids),
            tuple(map(bool, found.special_tokens_mask)),
            tuple(found.sequence_ids),
        )

    def piece(self, id: int) -> str:
        piece = self._backend.id_to_token(id) if id >= 0 else None
        return f"<unused {id}>" if piece is None else piece

    def id(self, piece: str) -> int | None:
        return self._backend.token_to_id(replace_surrogates(piece))  # type: ignore[no-any-return]

    def decode(self, ids: Sequence[int]) -> str:
        return self._backend.decode(list(ids), skip_special_tokens=False)  # type: ignore[no-any-return]

    def normalize(self, text: str) -> str:
        """The text after the normaliser, control tokens left alone; where the splitter drops white space, what
        stays of it is one space between words."""
        text, normalizer = replace_surrogates(text), self._backend.normalizer
        if normalizer is not None:
            parts = self._spelled.split(text)
            text = "".join(part if n % 2 else normalizer.normalize_str(part) for n, part in enumerate(parts))
        return " ".join(text.split()) if self._folds_space else text

    @cached_property
    def _spelled(self) -> re.Pattern[str]:
        """Finds control tokens spelled out in a text."""
        contents = sorted((token.content for token in self._added().values() if token.special), key=len, reverse=True)
        return re.compile(f"({'|'.join(map(re.escape, contents))})" if contents else "((?!))")

    @cached_property
    def _folds_space(self) -> bool:
        split = self._backend.pre_tokenizer
        if split is None:
            return False
        wide, narrow = (split.pre_tokenize_str(text) for text in ("a  \nb", "a b"))
        return [piece for piece, _ in wide] == [piece for piece, _ in narrow]

    def _added(self) -> Mapping[int, Any]:
        return self._tokenizer.added_tokens_decoder  # type: ignore[no-any-return]

    def _special(self) -> SpecialIds:
        jobs = ["cls", "sep", "mask", "pad", "bos", "eos"]
        if (
            self.kind != "byte"
        ):  # Bytes are never unknown: what GPT-2 and its like call unk is some other control token.
            jobs.append("unk")
        ids = {job: getattr(self._tokenizer, f"{job}_token_id") for job in jobs}
        return SpecialIds(**ids, decoder_start=self._config.get("decoder_start_token_id"))

    def _controls(self) -> frozenset[int]:
        """Ids with a job or marked special; not unk, which stands for text."""
        added = {id for id, token in self._added().items() if token.special}
        return frozenset((added | set(self._tokenizer.all_special_ids)) - {self.special.unk})

    def render_chat(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None, generation_prompt: bool = False
    ) -> str:
        return self._render(messages, template, generation_prompt)[0]

    def chat_spans(
        self, messages: Sequence[Mapping[str, str]], *, template: str | None = None
    ) -> tuple[tuple[int, int], ...]:
        if not GENERATION.search(template or self.chat_template or ""):
            return ()
        return self._render(messages, template, spans=True)[1]

    def _render(
        self,
        messages: Sequence[Mapping[str, str]],
        template: str | None,
        generation_prompt: bool = False,
        spans: bool = False,
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The rendered chat and the character spans of its {% generation %} blocks (when asked for)."""
        from jinja2 import TemplateError
        from transformers.utils.chat_template_utils import render_jinja_template

        template = template or self.chat_template
        if template is None:
            raise InputProblem(
                "{model} has no chat template. Choose a model made for chat, or use a plain prompt and response.",
                {"model": self.name},
            )
        try:
            texts, found = render_jinja_template(
                [[dict(message) for message in messages]],
                chat_template=template,
                return_assistant_tokens_mask=spans,
                add_generation_prompt=generation_prompt,
                **self._tokenizer.special_tokens_map,
            )
        except (TemplateError, ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as problem:
            # A template is a program from elsewhere: whatever it stumbles over is told in its own words.
            raise InputProblem(
                "The chat template does not accept these messages: {reason}", {"reason": _reason(problem)}
            ) from problem
        return texts[0], tuple(found[0]) if spans else ()


def load_tokenizer(folder: Path, name: str) -> HubTokenizer:
    """The tokenizer in `folder` under the canonical id `name`; reads local files only, runs no code from there.

    Raises InputProblem where the folder has no tokenizer that transformers can read.
    """
    from transformers import AutoTokenizer

    try:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception as problem:  # tokenizers raises plain Exception where its file is broken
        raise InputProblem(
            "The tokenizer of {model} cannot be read: {reason}", {"model": name, "reason": _reason(problem)}
        ) from problem
    # Without vocabulary files transformers makes a tokenizer of nothing but control tokens.
    if not tokenizer.is_fast or len(tokenizer) <= len(tokenizer.all_special_ids):
        raise InputProblem("{model} has no tokenizer that the explorer can read (tokenizer.json).", {"model": name})
    return HubTokenizer(tokenizer, name, config)


def _reason(problem: Exception) -> str:
    """The first line of what was wrong, or its kind where it has no words."""
    return next(iter(str(problem).splitlines()), type(problem).__name__)


def _kind(backend: Any) -> PieceKind:
    """How the vocabulary writes its pieces, told by the parts of the tokenizer."""
    parts = f"{backend.decoder} {backend.pre_tokenizer}"
    if "ByteLevel" in parts:
        return "byte"
    if type(backend.model).__name__ == "WordPiece":
        return "wordpiece"
    return "metaspace" if "▁" in parts else "plain"
