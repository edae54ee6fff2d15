"""What a person can get wrong on the command line: one line on stderr, exit code 2, never a traceback."""

from __future__ import annotations

import json

import pytest

from tests.terminal import refusal

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
HUGE = "9" * 5000
"""More digits than Python turns into a number."""
LARGE = "9" * 400
"""A whole number that is no float."""


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "COMMAND"),
        (["train"], "train"),
        (["mask"], "KIND"),
        (["mask", "causal"], "--length"),
        (["mask", "causal", "--length"], "--length"),
        (["mask", "causal", "--length", "--json"], "--length"),
        (["mask", "causal", "--length", "3", "--wide", "4"], "--wide"),
        (["mask", "causal", "--len", "3"], "--len"),
        (["mask", "causal", "--length", "3", "extra"], "extra"),
        (["mask", "causal", "--length", "3.5"], "3.5"),
        (["mask", "causal", "--length", ""], "--length"),
        (["mask", "causal", "--length", "0"], "length is 0"),
        (["mask", "causal", "--length", "-1"], "length is -1"),
        (["mask", "causal", "--length", "3000"], "2048"),
        (["mask", "causal", "--length", LARGE], "2048"),
        (["mask", "causal", "--length", HUGE], "--length"),
        (["mask", "diagonal", "--length", "3"], "diagonal"),
        (["mask", "bad\nkind", "--length", "3"], "kind"),
        (["mask", "causal", "--length", "3", "--prefix", "2"], "prefix"),
        (["mask", "prefix", "--length", "3"], "prefix"),
        (["mask", "prefix", "--length", "3", "--prefix", "4"], "prefix is 4"),
        (["mask", "padding", "--length", "3"], "pad"),
        (["mask", "padding", "--length", "3", "--pad", "1,1"], "2 entries"),
        (["mask", "padding", "--length", "3", "--pad", "1,2,0"], "2"),
        (["mask", "padding", "--length", "3", "--pad", "1,,0"], "--pad"),
        (["mask", "padding", "--length", "3", "--pad", "1,x,0"], "'x'"),
        (["mask", "cross", "--length", "3", "--keys", "0"], "keys is 0"),
        (["mask", "block", "--length", "3"], "documents"),
        (["mask", "block", "--length", "3", "--documents", "3,2"], "5"),
        (["mask", "block", "--length", "3", "--documents", "3,0"], "documents is 0"),
    ],
)
def test_masks(capsys, words: list[str], told: str) -> None:
    assert told in refusal(capsys, *words)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--logits", ""], "logits"),
        (["--logits", "2,x,1"], "'x'"),
        (["--logits", "2,,1"], "--logits"),
        (["--logits", "nan"], "nan"),
        (["--logits", "2,nan"], "nan"),
        (["--logits", "2,inf"], "inf"),
        (["--logits", "1e999,2"], "inf"),
        (["--logits", "-inf"], "inf"),
        (["--logits", "[2,1]"], "'[2'"),
        (["--logits", "2,1", "--seen", "2"], "2"),
        (["--logits", "2,1", "--seen", "-1"], "-1"),
        (["--logits", "2,1", "--seen", "a"], "'a'"),
        (["--logits", "2,1", "--seen", LARGE], "999"),
        (["--logits", "2,1", "--temperature", "-1"], "temperature is -1"),
        (["--logits", "2,1", "--temperature", "nan"], "temperature is nan"),
        (["--logits", "2,1", "--temperature", "inf"], "temperature is inf"),
        (["--logits", "2,1", "--temperature", "warm"], "'warm'"),
        (["--logits", "2,1", "--temperature", "1e-320"], "temperature"),
        (["--logits", "2,1", "--top-k", "-1"], "top_k is -1"),
        (["--logits", "2,1", "--top-k", "1.5"], "'1.5'"),
        (["--logits", "2,1", "--top-p", "1.5"], "top_p is 1.5"),
        (["--logits", "2,1", "--top-p", "nan"], "top_p is nan"),
        (["--logits", "2,1", "--min-p", "-0.1"], "min_p is -0.1"),
        (["--logits", "2,1", "--repetition-penalty", "0"], "repetition_penalty is 0"),
        (["--logits", "2,1", "--seed", "-1"], "seed is -1"),
        (["--logits", "2,1", "--seed", "one"], "'one'"),
        (["--logits", "2,1", "--seed", HUGE], "--seed"),
    ],
)
def test_sampling(capsys, words: list[str], told: str) -> None:
    assert told in refusal(capsys, "sample", *words)


@pytest.mark.parametrize(
    ("logits", "labels", "told"),
    [
        ("", "[0]", "logits"),
        ("[[2,1]", "[0]", "column 7"),
        ("[[2,\n1,]]", "[0]", "line 2"),
        ("[[2,.1]]", "[0]", "column 5"),
        ("[[2,1],[1]]", "[0,1]", "one length"),
        ("[[2,null]]", "[0]", "null"),
        ('[[2,"1"]]', "[0]", '"1"'),
        ("[[2,true]]", "[0]", "true"),
        ("[[2,NaN]]", "[0]", "Row 0"),
        ("[[2,Infinity]]", "[0]", "Row 0"),
        ("[[2,1e999]]", "[0]", "Row 0"),
        ("[[2,1],[-Infinity,-Infinity]]", "[0,0]", "Row 1"),
        (f"[[2,{LARGE}]]", "[0]", "logits"),
        (f"[[2,{HUGE}]]", "[0]", "logits"),
        ("[" * 100_000, "[0]", "logits"),
        ("[" * 900 + "]" * 900, "[0]", "logits"),
        ("{}", "[0]", "logits"),
        ('"2,1"', "[0]", "logits"),
        ("[]", "[]", "logits"),
        ("[[]]", "[0]", "Row 0 of the logits is empty"),
        ("[[[2,1]]]", "[0]", "logits"),
        ("[[2,1]]", "[0,1]", "label"),
        ("[[2,1]]", "[2]", "label 2"),
        ("[[2,1]]", "[-1]", "label -1"),
        ("[[2,1]]", "[0.5]", "0.5"),
        ("[[2,1],[2,1]]", "[1, 0.5]", "0.5"),
        ("[[2,1]]", "[true]", "true"),
        ("[[2,1]]", "[null]", "null"),
        ("[[2,1],[2,1]]", '[0, "a"]', '"a"'),
        ("[[2,1]]", "{}", "labels"),
        ("[[2,1]]", "[[0]]", "labels"),
        ("[[2,1]]", "[0", "labels"),
        ("[[2,1]]", f"[{LARGE}]", "999"),
    ],
)
def test_losses(capsys, logits: str, labels: str, told: str) -> None:
    assert told in refusal(capsys, "loss", "--logits", logits, "--labels", labels)


@pytest.mark.parametrize("smoothing", ["-0.1", "1.1", "nan", "some"])
def test_smoothing(capsys, smoothing: str) -> None:
    words = ("--logits", "[[2,1]]", "--labels", "[0]", "--smoothing", smoothing)
    assert smoothing in refusal(capsys, "loss", *words)


@pytest.mark.models
@pytest.mark.usefixtures("models_folder")
@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["tokens", "--model", GPT2], "--text"),
        (["tokens", "--text", "x"], "--model"),
        (["tokens", "--model", GPT2, "--text"], "--text"),
        (["tokens", "--model", GPT2, "--text", "--json"], "--text"),
        (["tokens", "--model", "no-one/nothing", "--text", "x"], "no-one/nothing"),
        (["tokens", "--model", "../../etc", "--text", "x"], "no model id"),
        (["tokens", "--model", "", "--text", "x"], "no model id"),
        (["tokens", "--model", "bad \udcff\n", "--text", "x"], "no model id"),
        (["example"], "OBJECTIVE"),
        (["example", "guess_lm", "--text", "x"], "masked_lm"),
        (["example", "masked_lm"], "text"),
        (["example", "masked_lm", "--text", ""], "text"),
        (["example", "masked_lm", "--text", "   "], "text"),
        (["example", "masked_lm", "--text", "x", "--seed", "-1"], "seed is -1"),
        (["example", "masked_lm", "--text", "x", "--seed", "x"], "'x'"),
        (["example", "masked_lm", "--text", "x", "--target", "y"], "target"),
        (["example", "masked_lm", "--text", "x", "--set", "colour=red"], "colour"),
        (["example", "masked_lm", "--text", "x", "--set", "rate"], "NAME=VALUE"),
        (["example", "masked_lm", "--text", "x", "--set", "=0.5"], "setting"),
        (["example", "masked_lm", "--text", "x", "--set", "rate=2"], "rate is 2"),
        (["example", "masked_lm", "--text", "x", "--set", "rate=nan"], "rate is nan"),
        (["example", "masked_lm", "--text", "x", "--set", "rate="], "rate"),
        (["example", "masked_lm", "--text", "x", "--set", "rate=0.1", "--set", "rate=0.2"], "rate"),
        (["example", "masked_lm", "--text", "x", "--set", "whole_word=maybe"], "maybe"),
        (["example", "masked_lm", "--text", "x", "--set", "select=99"], "99"),
        (["example", "masked_lm", "--text", "x", "--set", "select=one"], "one"),
        (["example", "masked_lm", "--text", "x", "--set", f"pad_to={LARGE}"], "pad_to"),
        (["example", "masked_lm", "--text", "x", "--set", f"pad_to={HUGE}"], "pad_to"),
        (["example", "masked_lm", "--model", GPT2, "--text", "x"], "mask token"),
        (["example", "packed_lm", "--text", "x", "--set", f"block={LARGE}"], "block"),
        (["example", "sft", "--text", "x", "--target", "y", "--set", "mode=some"], "mode is some"),
        (["example", "sft", "--text", "x", "--target", "y", "--set", "response_marker=###"], "###"),
        (["example", "denoising", "--text", "x", "--set", "spans=3:1"], "3:1"),
        (["example", "seq2seq", "--text", "x"], "target"),
        (["score", "causal_lm", "--model", GPT2, "--text", "x"], "weights"),
        (["attention", "--model", GPT2, "--text", "x"], "weights"),
        (["generate", "--model", GPT2, "--prompt", "x", "--steps", "1"], "weights"),
    ],
)
def test_texts_and_settings(capsys, words: list[str], told: str) -> None:
    assert told in refusal(capsys, *words)


@pytest.mark.models
@pytest.mark.usefixtures("models_folder")
@pytest.mark.parametrize(
    ("content", "told"),
    [
        (b"", "empty"),
        (b'[{"role": "user",\n "content": }]', "line 2, column 13"),
        (b"{}", "list"),
        (b"[]", "list"),
        (b'[{"role": "user"}]', "content"),
        (b'[{"role": "king", "content": "x"}]', "king"),
        (b'[{"role": "user", "content": 5}]', "content"),
        (b"[" * 100_000, "JSON"),
        (b"\xff\xfe[\x00]\x00", "UTF-8"),
    ],
)
def test_messages(capsys, tmp_path, content: bytes, told: str) -> None:
    file = tmp_path / "messages.json"
    file.write_bytes(content)
    assert told in refusal(capsys, "example", "sft", "--model", GPT2, "--messages", str(file))


@pytest.mark.parametrize("name", ["missing.json", ".", "nul\0byte", "two\nlines.json", "x" * 5000])
def test_files_that_cannot_be_read(capsys, tmp_path, monkeypatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    assert "cannot be read" in refusal(capsys, "example", "sft", "--messages", name)


@pytest.mark.models
@pytest.mark.usefixtures("models_folder")
def test_a_chat_template_that_refuses_says_why_in_one_line(capsys, tmp_path) -> None:
    turns = [{"role": "user", "content": "a\nb"}, {"role": "assistant", "content": "c"}]
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(turns), encoding="utf-8")
    words = ("sft", "--model", GPT2, "--messages", str(file), "--set", "template=model")
    assert "no chat template" in refusal(capsys, "example", *words)
