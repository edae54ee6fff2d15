"""Tokenizers of the recipes: trained on the corpus with the special tokens, ids and templates of each family's own.

GPT: byte-level BPE with <|endoftext|>. BART: byte-level BPE, <s> <pad> </s> <unk> first and <mask> last, texts between
<s> and </s>. T5: unigram, <pad> </s> <unk> first, a hundred sentinels last whose ids fall. Transformer: unigram with a
tag for each target language. BERT: the vocabulary of the package that the encoder comes from.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from explorer.training.corpus import LANGUAGES, Split
from explorer.training.recipes import Recipe
from explorer.types import InputProblem

SENTINELS = tuple(f"<extra_id_{number}>" for number in reversed(range(100)))
"""In order of their ids: the last of the vocabulary is <extra_id_0>."""

PIECES = ("<pad>", "</s>", "<unk>")
PIECES_JOBS = {"pad_token": "<pad>", "eos_token": "</s>", "unk_token": "<unk>"}
PIECES_IDS = {"pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0}

TAGS = tuple(f">>{language}<<" for language in ("de", "fr"))


@dataclass(frozen=True)
class Words:
    """A tokenizer and what a folder must say of it. jobs: special tokens as tokenizer_config.json names them; ids:
    special ids as config.json does; size: rows of the embedding."""

    backend: Any
    jobs: Mapping[str, str]
    ids: Mapping[str, int]
    inputs: tuple[str, ...] = ("input_ids", "attention_mask")

    @property
    def size(self) -> int:
        return int(self.backend.get_vocab_size())

    def save(self, folder: Path, longest: int) -> None:
        """Writes the tokenizer in transformers' layout."""
        folder.mkdir(parents=True, exist_ok=True)
        self.backend.save(str(folder / "tokenizer.json"))
        settings = {
            "tokenizer_class": "PreTrainedTokenizerFast",
            "model_max_length": longest,
            "model_input_names": self.inputs,
            "clean_up_tokenization_spaces": False,
            **self.jobs,
        }
        (folder / "tokenizer_config.json").write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")


def make_words(recipe: Recipe, split: Split, size: int) -> Words:
    """The recipe's tokenizer with at most `size` entries, trained on the training texts. Raises InputProblem where
    there is no text, or the package that brings the vocabulary is not installed."""
    makers = {"gpt2": _gpt, "bart": _bart, "t5": _t5, "marian": _transformer}
    if recipe.package is not None:
        return _from_package(recipe.package)
    texts = list(_texts(recipe, split))
    if not any(texts):
        raise InputProblem("The corpus has no text from which a vocabulary could be made.")
    return makers[recipe.kind](texts, size)


def package_folder(package: str) -> Path:
    """The model folder inside an installed package. Raises InputProblem where it is not installed."""
    spec = find_spec(package)
    for root in (spec and spec.submodule_search_locations) or ():
        if (Path(root) / "model" / "config.json").is_file():
            return Path(root) / "model"
    raise InputProblem("This recipe needs the package {package} (requirements-models.txt).", {"package": package})


def _texts(recipe: Recipe, split: Split) -> Iterator[str]:
    """What the model will read: the pairs for one that translates, and the stories with a part of the books for one
    that reads them."""
    objectives = {part.objective for part in recipe.parts}
    if "seq2seq" in objectives:
        for language in LANGUAGES if len(objectives) > 1 else ("de", "fr"):
            yield from (text for pair in split.pairs[language] for text in (pair.english, pair.other))
    if objectives != {"seq2seq"}:
        yield from split.stories
        yield from split.books[::4]


def _gpt(texts: list[str], size: int) -> Words:
    end = "<|endoftext|>"
    backend = _byte_bpe(texts, size, [end])
    return Words(backend, {"bos_token": end, "eos_token": end}, {"bos_token_id": 0, "eos_token_id": 0})


def _bart(texts: list[str], size: int) -> Words:
    from tokenizers import AddedToken
    from tokenizers.processors import RobertaProcessing

    backend = _byte_bpe(texts, size - 1, ["<s>", "<pad>", "</s>", "<unk>"])
    # The space before a mask belongs to it, as in BART: what was hidden brings its own.
    backend.add_special_tokens([AddedToken("<mask>", lstrip=True, special=True, normalized=False)])
    backend.post_processor = RobertaProcessing(("</s>", 2), ("<s>", 0), trim_offsets=True, add_prefix_space=False)
    jobs = {f"{job}_token": f"<{job}>" for job in ("pad", "unk", "mask")}
    ids = {
        "bos_token_id": 0,
        "pad_token_id": 1,
        "eos_token_id": 2,
        "decoder_start_token_id": 2,
        "forced_eos_token_id": 2,
    }
    return Words(backend, jobs | {"bos_token": "<s>", "eos_token": "</s>"}, ids)


def _t5(texts: list[str], size: int) -> Words:
    backend = _unigram(texts, size - len(SENTINELS), [*PIECES])
    backend.add_special_tokens(list(SENTINELS))
    _close(backend, 1)
    return Words(backend, PIECES_JOBS, PIECES_IDS)


def _transformer(texts: list[str], size: int) -> Words:
    backend = _unigram(texts, size, [*PIECES, *TAGS])
    _close(backend, 1)
    return Words(backend, PIECES_JOBS, PIECES_IDS | {"forced_eos_token_id": 1})


def _from_package(package: str) -> Words:
    from tokenizers import Tokenizer

    backend = Tokenizer.from_file(str(package_folder(package) / "tokenizer.json"))
    backend.no_truncation()
    backend.no_padding()
    jobs = {f"{job}_token": f"[{job.upper()}]" for job in ("unk", "sep", "pad", "cls", "mask")}
    return Words(backend, jobs, {"pad_token_id": 0}, ("input_ids", "token_type_ids", "attention_mask"))


def _byte_bpe(texts: list[str], size: int, special: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, pre_tokenizers, processors, trainers

    backend = Tokenizer(models.BPE())
    backend.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    backend.decoder = decoders.ByteLevel()
    backend.post_processor = processors.ByteLevel(trim_offsets=False)
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    backend.train_from_iterator(
        texts,
        trainers.BpeTrainer(vocab_size=size, special_tokens=special, initial_alphabet=alphabet, show_progress=False),
    )
    return backend


def _unigram(texts: list[str], size: int, special: list[str]) -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

    backend = Tokenizer(models.Unigram())
    backend.normalizer = normalizers.NFKC()
    # White space only separates words, as in T5.
    backend.pre_tokenizer = pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.Metaspace()])
    backend.decoder = decoders.Metaspace()
    backend.train_from_iterator(
        texts,
        trainers.UnigramTrainer(vocab_size=size, special_tokens=special, unk_token="<unk>", show_progress=False),  # noqa: S106
    )
    return backend


def _close(backend: Any, end: int) -> None:
    from tokenizers.processors import TemplateProcessing

    backend.post_processor = TemplateProcessing(
        single="$A </s>", pair="$A </s> $B </s>", special_tokens=[("</s>", end)]
    )
