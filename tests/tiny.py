"""Tiny models of each family with random weights and tokenizers of single bytes, saved as owner/name like real ones.

Their weights mean nothing; their masks, shifts, heads and caches are those of the real classes in transformers.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import torch
import transformers
from safetensors.numpy import load_file, save_file
from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers, processors
from transformers import (
    BartConfig,
    BertConfig,
    DistilBertConfig,
    GPT2Config,
    LlamaConfig,
    MarianConfig,
    T5Config,
)

SPECIALS = ("<pad>", "<s>", "</s>", "<mask>", "<unk>")
SENTINELS = tuple(f"<extra_id_{number}>" for number in range(20))
JOBS = {"pad_token": "<pad>", "bos_token": "<s>", "eos_token": "</s>", "mask_token": "<mask>", "unk_token": "<unk>"}
IDS = {"pad_token_id": 0, "bos_token_id": 1, "eos_token_id": 2}
CHAT = (
    "{% for message in messages %}{{ '<s>' + message['role'] + ':' + message['content'] + '</s>' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<s>assistant:' }}{% endif %}"
)
LONGEST = 512
SMALL = {"decoder_start_token_id": 2, "d_model": 32, "max_position_embeddings": LONGEST, "init_std": 1.0}
HALVES = {
    f"{side}_{what}": value
    for side in ("encoder", "decoder")
    for what, value in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 48))
}


def bytes_tokenizer(template: str | None, template_pair: str | None = None) -> Tokenizer:
    """One token a byte; the specials and T5's sentinels are control tokens."""
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    vocabulary = {piece: id for id, piece in enumerate((*SPECIALS, *alphabet, *SENTINELS))}
    tokenizer = Tokenizer(models.BPE(vocabulary, []))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    if template is not None:
        tokenizer.post_processor = processors.TemplateProcessing(
            single=template, pair=template_pair, special_tokens=[("<s>", 1), ("</s>", 2)]
        )
    tokenizer.add_special_tokens([AddedToken(piece, special=True, normalized=False) for piece in SPECIALS + SENTINELS])
    return tokenizer


def letters_tokenizer() -> Tokenizer:
    """WordPiece with one piece a letter, and BERT's template."""
    letters = [chr(code) for code in range(33, 127)]
    pieces = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *letters, *(f"##{letter}" for letter in letters))
    tokenizer = Tokenizer(models.WordPiece({piece: id for id, piece in enumerate(pieces)}, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    tokenizer.decoder = decoders.WordPiece()
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", pair="[CLS] $A [SEP] $B:1 [SEP]:1", special_tokens=[("[CLS]", 2), ("[SEP]", 3)]
    )
    tokenizer.add_special_tokens([AddedToken(piece, special=True) for piece in pieces[:5]])
    return tokenizer


WRITES_ON = bytes_tokenizer(None)
ENDS = bytes_tokenizer("$A </s>", "$A $B </s>")
WRAPPED = bytes_tokenizer("<s> $A </s>", "<s> $A </s> $B </s>")
LETTERS = letters_tokenizer()

BERT = {
    "vocab_size": LETTERS.get_vocab_size(),
    "hidden_size": 32,
    "num_hidden_layers": 2,
    "num_attention_heads": 4,
    "intermediate_size": 48,
    "max_position_embeddings": LONGEST,
    "initializer_range": 0.3,
}
V = WRITES_ON.get_vocab_size()

FAMILIES: dict[str, tuple[str, Any, Tokenizer]] = {
    "gpt2": (
        "GPT2LMHeadModel",
        GPT2Config(vocab_size=V, n_positions=LONGEST, n_embd=32, n_layer=2, n_head=4, initializer_range=0.3, **IDS),
        WRITES_ON,
    ),
    "llama": (
        "LlamaForCausalLM",
        LlamaConfig(
            vocab_size=V,
            hidden_size=32,
            intermediate_size=48,
            num_hidden_layers=2,
            num_attention_heads=4,
            num_key_value_heads=2,
            max_position_embeddings=LONGEST,
            initializer_range=0.3,
            **IDS,
        ),
        WRITES_ON,
    ),
    "bert": ("BertForPreTraining", BertConfig(**BERT), LETTERS),
    "bert-masked-lm": ("BertForMaskedLM", BertConfig(**BERT), LETTERS),
    "bert-body": ("BertModel", BertConfig(**BERT), LETTERS),
    "bert-tagger": ("BertForTokenClassification", BertConfig(**BERT), LETTERS),
    "bert-classifier": ("BertForSequenceClassification", BertConfig(**BERT), LETTERS),
    "bert-scorer": ("BertForSequenceClassification", BertConfig(**BERT, num_labels=1), LETTERS),
    "bert-finder": ("BertForQuestionAnswering", BertConfig(**BERT), LETTERS),
    "distilbert": (
        "DistilBertForMaskedLM",
        DistilBertConfig(
            vocab_size=LETTERS.get_vocab_size(),
            dim=32,
            n_layers=2,
            n_heads=4,
            hidden_dim=48,
            max_position_embeddings=LONGEST,
            initializer_range=0.3,
        ),
        LETTERS,
    ),
    "bart": ("BartForConditionalGeneration", BartConfig(vocab_size=V, **SMALL, **HALVES, **IDS), WRAPPED),
    "bart-classifier": (
        "BartForSequenceClassification",
        BartConfig(vocab_size=V, **SMALL, **HALVES, **IDS),
        WRAPPED,
    ),
    "bart-body": ("BartModel", BartConfig(vocab_size=V, **SMALL, **HALVES, **IDS), WRAPPED),
    "t5": (
        "T5ForConditionalGeneration",
        T5Config(
            vocab_size=V,
            d_model=32,
            d_kv=8,
            d_ff=48,
            num_layers=2,
            num_heads=4,
            tie_word_embeddings=False,
            decoder_start_token_id=0,
            pad_token_id=0,
            eos_token_id=2,
        ),
        ENDS,
    ),
    "marian": (
        "MarianMTModel",
        MarianConfig(vocab_size=V, **{**SMALL, "decoder_start_token_id": 0}, **HALVES, **IDS),
        ENDS,
    ),
}


def save(folder: Path, family: str, seed: int = 0) -> str:
    """Saves the tiny model of a family as tiny/<family> in the folder, and returns that name."""
    kind, config, tokenizer = FAMILIES[family]
    place = folder / "tiny" / family
    transformers.utils.logging.disable_progress_bar()
    with torch.random.fork_rng():
        torch.manual_seed(seed)
        getattr(transformers, kind)(config).save_pretrained(place)
    tokenizer.save(str(place / "tokenizer.json"))
    jobs = JOBS if tokenizer is not LETTERS else {f"{job}_token": f"[{job.upper()}]" for job in _BERT_JOBS}
    inputs = ["input_ids", "attention_mask"] + (["token_type_ids"] if family.startswith("bert") else [])
    settings = {"tokenizer_class": "PreTrainedTokenizerFast", "model_input_names": inputs, "chat_template": CHAT}
    (place / "tokenizer_config.json").write_text(json.dumps(settings | jobs), encoding="utf-8")
    return f"tiny/{family}"


_BERT_JOBS = ("pad", "unk", "cls", "sep", "mask")

BUNDLED = {"bert": "bert", "gpt": "gpt2", "bart": "bart", "t5": "t5", "transformer": "marian"}
"""Names of the models that come with the app, and the family that stands in for each."""


def save_bundled(tiny: Path, folder: Path) -> Path:
    """Copies tiny models with weights in half precision to folder/<name>, and says in each that they mean nothing."""
    for name, family in BUNDLED.items():
        shutil.copytree(tiny / "tiny" / family, folder / name)
        weights = load_file(folder / name / "model.safetensors")
        half = {key: tensor.astype("float16") for key, tensor in weights.items()}
        save_file(half, folder / name / "model.safetensors", metadata={"format": "pt"})
        (folder / name / "README.md").write_text("Random weights, for tests only.\n", encoding="utf-8")
    return folder
