"""The Example value itself: who shifts and what is then compared, keyword names and shapes, code that runs."""

from __future__ import annotations

import io
import re
from contextlib import redirect_stdout
from functools import cache
from typing import Any

import numpy as np
import pytest

from explorer.loss import cross_entropy
from explorer.objectives import Texts, objective
from explorer.settings import parse_settings
from explorer.tokens import SpecialIds
from explorer.types import IGNORE, Example, Masks, Role, Stream
from tests.fakes import LetterTokenizer

PLAIN = LetterTokenizer()
BERT = LetterTokenizer(template=True)
SPECIAL = SpecialIds(cls=1, sep=2, mask=3, pad=0, bos=1, eos=2, unk=6, decoder_start=2)
BART = LetterTokenizer(template=True, special=SPECIAL, token_types=False)


def stream(*ids: int) -> Stream:
    names = tuple(f"t{id}" for id in ids)
    return Stream(ids, names, names, (Role.KEPT,) * len(ids), [1] * len(ids), range(len(ids)))


def value(labels: list[int], shift: str, ids: tuple[int, ...] = (5, 6, 7)) -> Example:
    shown = tuple("" if label == IGNORE else f"t{label}" for label in labels)
    return Example("any", "letters", None, stream(*ids), labels, shown, shift, Masks())


def compared(example: Example) -> list[tuple[int, str, int, str, int, int]]:
    return [(t.position, t.reads, t.reads_id, t.predicts, t.predicts_id, t.label_index) for t in example.targets]


def test_nobody_shifts() -> None:
    example = value([IGNORE, 8, IGNORE], "none")
    assert example.compared.tolist() == [IGNORE, 8, IGNORE]
    assert compared(example) == [(1, "t6", 6, "t8", 8, 1)]


def test_the_loss_shifts() -> None:
    example = value([5, 6, 7], "loss")
    assert example.compared.tolist() == [6, 7, IGNORE]
    assert compared(example) == [(0, "t5", 5, "t6", 6, 1), (1, "t6", 6, "t7", 7, 2)]
    assert example.n_targets == 2


def test_the_decoder_input_was_shifted() -> None:
    example = value([6, 7, 4], "decoder_input", (0, 6, 7))
    assert example.compared.tolist() == [6, 7, 4]
    assert compared(example) == [(0, "t0", 0, "t6", 6, 0), (1, "t6", 6, "t7", 7, 1), (2, "t7", 7, "t4", 4, 2)]


@pytest.mark.parametrize("labels", [[], [5]])
def test_too_short_for_a_next_token(labels: list[int]) -> None:
    example = value(labels, "loss", tuple(labels))
    assert example.compared.tolist() == [IGNORE] * len(labels)
    assert (example.targets, example.n_targets) == ((), 0)


def test_ignored_labels_are_no_targets() -> None:
    example = value([IGNORE] * 3, "loss")
    assert (example.targets, example.n_targets) == ((), 0)
    assert value([5, IGNORE, 7], "loss").targets[0].position == 1


def test_labels_fit_the_outputs() -> None:
    with pytest.raises(ValueError, match="2 labels for 3 outputs"):
        value([1, 2], "none")
    with pytest.raises(ValueError, match="needs an encoder or a decoder"):
        Example("any", "letters", None, None, [], (), "none", Masks())


def test_arrays_are_read_only() -> None:
    example = value([5, 6, 7], "loss")
    for array in (example.labels, example.compared, example.output.ids, example.output.attention_mask):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def made(key: str, tokenizer: Any, texts: Texts, **settings: str) -> Example:
    item = objective(key)
    return item.build(texts, tokenizer, parse_settings(item.Settings, settings), np.random.default_rng(0))


def shapes(example: Example) -> dict[str, tuple[int, ...]]:
    return {name: array.shape for name, array in example.model_inputs().items()}


def test_inputs_of_an_encoder() -> None:
    pair = made("masked_lm", BERT, Texts("a b", text_b="c"), select="1")
    assert shapes(pair) == {
        "input_ids": (1, 6),
        "attention_mask": (1, 6),
        "token_type_ids": (1, 6),
        "labels": (1, 6),
        "next_sentence_label": (1,),
    }
    assert "token_type_ids" not in shapes(made("masked_lm", BART, Texts("a b"), select="1"))


def test_inputs_of_a_decoder() -> None:
    plain = made("causal_lm", PLAIN, Texts("a b c"))
    assert shapes(plain) == dict.fromkeys(("input_ids", "attention_mask", "position_ids", "labels"), (1, 3))
    padded = made("causal_lm", PLAIN, Texts("a b c"), pad_to="5")
    assert padded.model_inputs()["attention_mask"].tolist() == [[1, 1, 1, 0, 0]]
    prefix = made("prefix_lm", PLAIN, Texts("a b c"), prefix="2")
    mask = prefix.model_inputs()["attention_mask"]
    lowest = float(np.finfo(np.float32).min)
    assert mask.dtype == np.float32
    assert mask.tolist() == [[[[0, 0, lowest], [0, 0, lowest], [0, 0, 0]]]]


def test_inputs_of_an_encoder_decoder() -> None:
    example = made("seq2seq", PLAIN, Texts("a b", target="c d e"), pad_to="4")
    assert shapes(example) == {
        "input_ids": (1, 4),
        "attention_mask": (1, 4),
        "decoder_input_ids": (1, 3),
        "decoder_attention_mask": (1, 3),
        "labels": (1, 3),
    }
    assert example.model_inputs()["attention_mask"].tolist() == [[1, 1, 0, 0]]


CASES = {
    "masked": ("masked_lm", BERT, Texts("a b c d"), {"select": "1,3"}, "BertForMaskedLM"),
    "pair": ("masked_lm", BERT, Texts("a b", text_b="c d"), {"select": "1,4"}, "BertForPreTraining"),
    "causal": ("causal_lm", PLAIN, Texts("a b c d"), {"pad_to": "6"}, "GPT2LMHeadModel"),
    "packed": ("packed_lm", PLAIN, Texts("a b\n\nc d e"), {"block": "7", "isolate": "true"}, "GPT2LMHeadModel"),
    "prefix": ("prefix_lm", PLAIN, Texts("a b c d"), {"prefix": "2"}, "GPT2LMHeadModel"),
    "denoising": ("denoising", BART, Texts("a b c d"), {"spans": "2:4"}, "BartForConditionalGeneration"),
    "spans": ("span_corruption", PLAIN, Texts("a b c d"), {"spans": "1:3"}, "T5ForConditionalGeneration"),
    "seq2seq": ("seq2seq", PLAIN, Texts("a b", target="c d"), {"pad_to": "5"}, "T5ForConditionalGeneration"),
}


@cache
def tiny(kind: str) -> Any:
    """A model of that class with random weights and the letters' vocabulary."""
    transformers, torch = pytest.importorskip("transformers"), pytest.importorskip("torch")
    size = {"vocab_size": 100, "pad_token_id": 0}
    bert = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
    bart = {f"{half}_{what}": 2 for half in ("encoder", "decoder") for what in ("layers", "attention_heads")}
    bart |= {"d_model": 16, "encoder_ffn_dim": 16, "decoder_ffn_dim": 16}
    t5 = {"d_model": 16, "d_kv": 8, "d_ff": 16, "num_layers": 2, "num_heads": 2, "decoder_start_token_id": 0}
    gpt2 = {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 32}
    given = {"Bert": bert, "Bart": bart, "T5": t5, "GPT2": gpt2}
    family = next(name for name in given if kind.startswith(name))
    with torch.random.fork_rng():
        torch.manual_seed(0)
        config = getattr(transformers, f"{family}Config")(**size, **given[family], initializer_range=0.3)
        return getattr(transformers, kind)(config).eval()


@pytest.mark.parametrize("case", list(CASES))
def test_code_runs_and_its_loss_is_ours(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    key, tokenizer, texts, settings, kind = CASES[case]
    example, model = made(key, tokenizer, texts, **settings), tiny(kind)
    code = example.code()
    automatic = re.search(r"from transformers import (\w+)", code)[1]
    import transformers

    monkeypatch.setattr(getattr(transformers, automatic), "from_pretrained", lambda name: {"letters": model}[name])
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(code, case, "exec"), {})  # the code is what a person would paste
    loss = float(re.search(r"tensor\(([0-9.]+)", printed.getvalue())[1])
    assert loss == pytest.approx(our_loss(example, model), abs=1e-4)
    assert type(model).__name__ in {each.__name__ for each in classes(automatic)}


def classes(automatic: str) -> list[type]:
    """The model classes that an Auto class chooses from."""
    import transformers

    return list(getattr(transformers, automatic)._model_mapping.values())


def our_loss(example: Example, model: Any) -> float:
    """Cross entropy of the model's logits against what each output is compared with, by our own code."""
    import torch

    inputs = {name: torch.tensor(array) for name, array in example.model_inputs().items()}
    with torch.no_grad():
        out = model(**inputs)
    logits = out.prediction_logits if "next_sentence_label" in inputs else out.logits
    loss = cross_entropy(logits[0].numpy(), example.compared).mean
    if "next_sentence_label" in inputs:
        loss += cross_entropy(out.seq_relationship_logits.numpy(), inputs["next_sentence_label"].numpy()).mean
    return loss
