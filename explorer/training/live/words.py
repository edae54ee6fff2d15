"""Tokenizers made for one task: one token a word or a character, with the control tokens and template of its family."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from explorer.models.tokenizer import HubTokenizer

CHARACTERS = r"[\s\S]"
WORDS = r"[^\W\d_]+(?:['’-][^\W\d_]+)*|\d+|[^\w\s]|_"


@dataclass(frozen=True)
class Style:
    """The control tokens of a family, first in the vocabulary. jobs: as PreTrainedTokenizerFast names them; single and
    pair: the template around texts, empty for none; ids: special ids as config.json names them."""

    pieces: tuple[str, ...]
    jobs: Mapping[str, str]
    single: str
    pair: str
    ids: Mapping[str, int]
    types: bool = False


STYLES = {
    "marian": Style(
        ("<pad>", "</s>", "<unk>"),
        {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"},
        "$A </s>",
        "$A </s> $B </s>",
        {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "forced_eos_token_id": 1},
    ),
    "bart": Style(
        ("<s>", "<pad>", "</s>", "<unk>", "<mask>"),
        {f"{job}_token": f"<{job}>" for job in ("pad", "unk", "mask")} | {"bos_token": "<s>", "eos_token": "</s>"},
        "<s> $A </s>",
        "<s> $A </s> $B </s>",
        {"bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2, "decoder_start_token_id": 2},
    ),
    "bert": Style(
        ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"),
        {f"{job}_token": f"[{job.upper()}]" for job in ("pad", "unk", "cls", "sep", "mask")},
        "[CLS] $A [SEP]",
        "[CLS] $A [SEP] $B:1 [SEP]:1",
        {"pad_token_id": 0},
        types=True,
    ),
    "gpt2": Style(
        ("</s>", "<unk>"),
        {"bos_token": "</s>", "eos_token": "</s>", "unk_token": "<unk>"},
        "",
        "",
        {"bos_token_id": 0, "eos_token_id": 0},
    ),
}


def cut(text: str, pattern: str) -> list[str]:
    """The parts of a text that match, as a tokenizer with this pattern finds them.

    >>> cut("the cat's 2 hats.", WORDS)
    ['the', "cat's", '2', 'hats', '.']
    """
    return [part for part, _ in _splitting(pattern).pre_tokenize_str(text)]


def make_words(kind: str, pieces: Sequence[str], pattern: str, longest: int, *, spaces: bool) -> HubTokenizer:
    """A tokenizer that knows `pieces` and cuts a text into what matches `pattern`; all else is unknown or dropped.
    spaces: whether a space stands between two pieces of a decoded text."""
    from tokenizers import AddedToken, Tokenizer, decoders, models
    from transformers import PreTrainedTokenizerFast

    style = STYLES[kind]
    vocabulary = {piece: id for id, piece in enumerate(dict.fromkeys((*style.pieces, *pieces)))}
    backend = Tokenizer(models.WordLevel(vocabulary, unk_token=style.jobs["unk_token"]))
    backend.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in style.pieces])
    backend.pre_tokenizer = _splitting(pattern)
    if not spaces:
        backend.decoder = decoders.Fuse()
    _close(backend, style)
    inputs = ["input_ids", *(["token_type_ids"] if style.types else []), "attention_mask"]
    loaded = PreTrainedTokenizerFast(tokenizer_object=backend, model_input_names=inputs, **style.jobs)
    return HubTokenizer(loaded, f"live/{kind}", {**style.ids, "max_position_embeddings": longest})


def _splitting(pattern: str) -> Any:
    from tokenizers import Regex, pre_tokenizers

    return pre_tokenizers.Split(Regex(pattern), "removed", invert=True)


def _close(backend: Any, style: Style) -> None:
    from tokenizers.processors import TemplateProcessing

    if style.single:
        used = [(piece, id) for id, piece in enumerate(style.pieces) if piece in style.pair]
        backend.post_processor = TemplateProcessing(single=style.single, pair=style.pair, special_tokens=used)
