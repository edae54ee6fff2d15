"""Tokenizers of the Hub behind the Protocol: what they tell of themselves, chat templates, many threads."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from explorer.models.tokenizer import load_tokenizer
from explorer.tokens import encode
from explorer.types import InputProblem

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
DISTIL = "distilbert/distilbert-base-cased-distilled-squad"
BART = "facebook/bart-large"
T5 = "google-t5/t5-small"

CHATML = (
    "{% for m in messages %}{{ '<|im_start|>' + m.role + '\n' + m.content + '<|im_end|>\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
MARKED = (
    "{% for m in messages %}{{ '<|' + m.role + '|>' }}{% if m.role == 'assistant' %}"
    "{% generation %}{{ m.content + '<|end|>' }}{% endgeneration %}{% else %}{{ m.content }}{% endif %}{% endfor %}"
)
STRICT = (
    "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}"
    "{{ raise_exception('Roles must alternate user/assistant') }}{% endif %}{{ m.content }}{% endfor %}"
)
TALK = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "Hello"},
    {"role": "user", "content": "Bye"},
    {"role": "assistant", "content": "See you"},
]

pytestmark = pytest.mark.models


@pytest.mark.parametrize(
    ("name", "kind", "size", "limit", "types", "longest"),
    [
        (BERT, "wordpiece", 30522, 512, True, 100),
        ("google-bert/bert-base-cased", "wordpiece", 28996, 512, True, 100),
        (DISTIL, "wordpiece", 28996, 512, False, 100),
        (GPT2, "byte", 50257, 1024, False, None),
        (BART, "byte", 50265, 1024, False, None),
        (T5, "metaspace", 32100, 512, False, None),
    ],
)
def test_what_a_tokenizer_is(tokenizer, name, kind, size, limit, types, longest):
    found = tokenizer(name)
    assert (found.name, found.kind, found.size) == (name, kind, size)
    assert (found.max_length, found.token_types, found.longest_word) == (limit, types, longest)
    assert found.chat_template is None


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        (BERT, {"cls": 101, "sep": 102, "mask": 103, "pad": 0, "unk": 100}),
        (GPT2, {"bos": 50256, "eos": 50256}),
        (BART, {"cls": 0, "sep": 2, "mask": 50264, "pad": 1, "bos": 0, "eos": 2, "decoder_start": 2}),
        (T5, {"pad": 0, "eos": 1, "unk": 2, "decoder_start": 0}),
    ],
)
def test_special_ids_by_job(tokenizer, name, expected):
    special = tokenizer(name).special
    assert {job: id for job, id in vars(special).items() if id is not None} == expected


def test_control_tokens(tokenizer):
    assert tokenizer(BERT).special_ids == {0, 101, 102, 103}
    assert tokenizer(GPT2).special_ids == {50256}
    assert tokenizer(BART).special_ids == {0, 1, 2, 3, 50264}
    assert tokenizer(T5).special_ids == {0, 1, *range(32000, 32100)}


def test_pieces_and_ids(tokenizer):
    t5 = tokenizer(T5)
    assert t5.piece(32099) == "<extra_id_0>"
    assert t5.id("<extra_id_0>") == 32099
    assert t5.id("no such piece") is None
    assert t5.piece(32127) == "<unused 32127>"
    assert t5.piece(-100) == "<unused -100>"
    assert tokenizer(BART).piece(50264) == "<mask>"
    assert tokenizer(GPT2).decode([40, 15063, 12520, 235, 243]) == "I ate \N{SLICE OF PIZZA}"


def test_normalize_leaves_control_tokens_alone(tokenizer):
    assert tokenizer(BERT).normalize("The [MASK]  Café\n[mask]") == "the [MASK] cafe [mask]"
    assert tokenizer(GPT2).normalize("The  Café\n") == "The  Café\n"


def test_surrogates_never_reach_the_library(tokenizer):
    gpt2 = tokenizer(GPT2)
    assert gpt2.encode("\ud83d", "\udc00").ids == gpt2.encode("\ufffd", "\ufffd").ids
    assert gpt2.normalize("\ud83d") == "\ufffd"
    assert gpt2.id("\ud83d") is None


# Chat templates


def test_chat_by_a_template(tokenizer):
    rendered = tokenizer(GPT2).render_chat(TALK[:1], template=CHATML, generation_prompt=True)
    assert rendered == "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n"


def test_spans_are_the_assistants_text_and_its_end(tokenizer):
    gpt2 = tokenizer(GPT2)
    rendered = gpt2.render_chat(TALK, template=MARKED)
    spans = gpt2.chat_spans(TALK, template=MARKED)
    assert [rendered[start:end] for start, end in spans] == ["Hello<|end|>", "See you<|end|>"]


def test_no_spans_without_the_marker(tokenizer, caplog):
    assert tokenizer(GPT2).chat_spans(TALK, template=CHATML) == ()
    assert not caplog.records


@pytest.mark.parametrize(
    ("template", "messages", "reason"),
    [
        (STRICT, [{"role": "system", "content": "x"}, TALK[0]], "Roles must alternate user/assistant"),
        (STRICT, [TALK[0], TALK[0]], "Roles must alternate user/assistant"),
        ("{% for m in %}", TALK, "Expected an expression"),
        ("{{ messages[0].content + 1 }}", TALK, "can only concatenate str"),
        ("{{ 1 / 0 }}", TALK, "division by zero"),
        ("{{ messages[0].nothing.more }}", TALK, "has no attribute"),
    ],
)
def test_what_the_template_refuses_is_told_in_its_words(tokenizer, template, messages, reason):
    with pytest.raises(InputProblem, match="The chat template does not accept these messages") as caught:
        tokenizer(GPT2).render_chat(messages, template=template)
    assert reason in str(caught.value)


def test_no_template(tokenizer):
    with pytest.raises(InputProblem, match="openai-community/gpt2 has no chat template"):
        tokenizer(GPT2).render_chat(TALK)
    assert tokenizer(GPT2).chat_spans(TALK) == ()


# Loading, sharing


@pytest.mark.parametrize(
    ("files", "words"),
    [
        ({}, "The tokenizer of owner/name cannot be read"),
        ({"config.json": "{"}, "The tokenizer of owner/name cannot be read"),
        (
            {"config.json": '{"model_type": "bert"}', "tokenizer.json": "{"},
            "The tokenizer of owner/name cannot be read",
        ),
        ({"config.json": '{"model_type": "bert"}'}, "owner/name has no tokenizer that the explorer can read"),
    ],
)
def test_files_that_are_no_tokenizer_are_a_sentence(tmp_path, files, words):
    for name, text in files.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(InputProblem, match=words):
        load_tokenizer(tmp_path, "owner/name")


@pytest.mark.parametrize("name", [BERT, GPT2, T5])
def test_16_threads_with_different_lengths_agree_with_one(tokenizer, name):
    shared, text = tokenizer(name), "My dog is hairy and he likes to play. " * 20
    limits = [3 + n % 40 for n in range(320)]

    def ids(limit: int) -> list[int]:
        return encode(text, shared, max_length=limit).ids.tolist()

    alone = [ids(limit) for limit in limits]
    with ThreadPoolExecutor(16) as pool:
        together = list(pool.map(ids, limits))
    assert together == alone
    assert [len(each) for each in together] == limits


def test_threads_share_a_template(tokenizer):
    gpt2 = tokenizer(GPT2)
    with ThreadPoolExecutor(16) as pool:
        spans = list(pool.map(lambda _: gpt2.chat_spans(TALK, template=MARKED), range(64)))
    assert set(spans) == {gpt2.chat_spans(TALK, template=MARKED)}


def test_ids_agree_with_transformers(models_folder, tokenizer):
    from transformers import AutoTokenizer

    for name in (BERT, GPT2, T5, BART):
        plain = AutoTokenizer.from_pretrained(models_folder / name, local_files_only=True)
        for text in ("Hello World, it's a test.", "한국어 Café \N{SLICE OF PIZZA}\n", "<mask> [MASK] </s>", ""):
            assert np.array_equal(encode(text, tokenizer(name)).ids, plain(text)["input_ids"])
