"""The command line with real tokenizers: tokens, and the example of every objective, with literal ids."""

from __future__ import annotations

import io
import json

import pytest

from explorer.types import IGNORE
from tests.terminal import answer, printed, refusal

pytestmark = [pytest.mark.models, pytest.mark.usefixtures("models_folder")]

GPT2 = "openai-community/gpt2"
BERT = "google-bert/bert-base-uncased"
BART = "facebook/bart-large"
T5 = "google-t5/t5-small"
KEYS = [
    "objective", "model", "seed", "settings", "encoder", "decoder", "labels", "shift", "targets", "n_targets", "masks",
    "extra", "warnings", "notes",
]  # fmt: skip
STREAM = ["ids", "pieces", "visible", "roles", "attention_mask", "token_types", "position_ids", "documents"]
FOX = [464, 2068, 7586, 21831, 18045, 625, 262, 16931, 3290]
MARY = [24119, 550, 257, 1310, 19343]


def example(capsys, *argv: str) -> dict:
    """The JSON object of `example`, with the shape of design.md."""
    found = answer(capsys, "example", *argv)
    assert list(found) == KEYS
    assert list(found["masks"]) == ["encoder", "decoder", "cross"]
    for side in ("encoder", "decoder"):
        if found[side] is not None:
            assert list(found[side]) == STREAM
    assert found["n_targets"] == len(found["targets"])
    return found


def test_tokens(capsys) -> None:
    found = answer(capsys, "tokens", "--model", GPT2, "--text", "The quick brown fox jumps over the lazy dog")
    assert found["ids"] == FOX
    assert found["pieces"][:2] == ["The", "Ġquick"]
    assert found["visible"][:2] == ["The", "·quick"]
    assert found["spans"][:2] == [[0, 3], [3, 9]]
    assert found["words"] == list(range(9))
    assert found["special"] == [False] * 9
    assert found["notes"] == []


def test_one_character_over_several_tokens(capsys) -> None:
    found = answer(capsys, "tokens", "--model", GPT2, "--text", "I ate \U0001f355")
    assert found["ids"] == [40, 15063, 12520, 235, 243]
    assert found["spans"] == [[0, 1], [1, 5], [5, 7], [6, 7], [6, 7]]
    assert "\ufffd" not in "".join(found["visible"])


def test_bytes_that_are_no_text(capsys) -> None:
    """What a shell hands over for a byte that is no UTF-8."""
    found = answer(capsys, "tokens", "--model", GPT2, "--text", "bad \udcff x")
    assert "U+DCFF" in found["notes"][0]
    assert "replaced by U+FFFD" in printed(capsys, "tokens", "--model", GPT2, "--text", "bad \ud83d x")


def test_no_text_has_no_tokens(capsys) -> None:
    assert answer(capsys, "tokens", "--model", GPT2, "--text", "")["ids"] == []


def test_a_long_text(capsys) -> None:
    found = answer(capsys, "tokens", "--model", GPT2, "--text", "dog " * 25_000)
    assert len(found["ids"]) == 25_001
    assert "1024" in " ".join(found["notes"])


def test_tokens_for_a_reader(capsys) -> None:
    lines = printed(capsys, "tokens", "--model", BERT, "--text", "The capital of France is [MASK].").splitlines()
    assert lines[7].split()[:3] == ["6", "103", "[MASK]"]
    assert "9 tokens" in lines


def test_short_names_are_known(capsys) -> None:
    words = ("--text", "the dog")
    assert answer(capsys, "tokens", "--model", "gpt2", *words) == answer(capsys, "tokens", "--model", GPT2, *words)


def test_masked_lm_on_a_pair(capsys) -> None:
    texts = ("--text", "my dog is hairy", "--text-b", "he likes to play")
    found = example(capsys, "masked_lm", "--model", BERT, *texts, "--set", "select=4,9", "--set", "replace=mask,keep")
    assert found["encoder"]["ids"] == [101, 2026, 3899, 2003, 103, 102, 2002, 7777, 2000, 2377, 102]
    assert found["encoder"]["token_types"] == [0] * 6 + [1] * 5
    assert found["encoder"]["roles"][4] == "masked"
    assert found["encoder"]["roles"][9] == "unchanged"
    assert found["decoder"] is None
    assert found["labels"] == [IGNORE] * 4 + [15892] + [IGNORE] * 4 + [2377, IGNORE]
    assert (found["shift"], found["extra"]) == ("none", {"next_sentence_label": 0})
    assert found["targets"][0] == {
        "position": 4, "reads": "[MASK]", "reads_id": 103, "predicts": "hairy", "predicts_id": 15892,
    }  # fmt: skip
    assert found["masks"]["encoder"] == [[1] * 11] * 11
    assert found["settings"]["select"] == "4,9"


def test_a_random_second_sentence_has_the_label_1(capsys) -> None:
    texts = ("--text", "my dog is hairy", "--text-b", "he likes to play")
    found = example(capsys, "masked_lm", "--model", BERT, *texts, "--set", "is_next=false")
    assert found["extra"] == {"next_sentence_label": 1}


def test_masked_lm_that_chooses_nothing_says_so(capsys) -> None:
    found = example(capsys, "masked_lm", "--model", BERT, "--text", "my dog", "--set", "rate=0")
    assert found["n_targets"] == 0
    assert "0 targets" in found["warnings"][0]


def test_the_seed_decides_what_is_chosen(capsys) -> None:
    words = ("masked_lm", "--model", BERT, "--text", "my dog is hairy and he likes to play fetch in the park")
    drawn = [example(capsys, *words, "--seed", str(seed)) for seed in range(8)]
    assert drawn[3] == example(capsys, *words, "--seed", "3")
    assert len({str(found["labels"]) for found in drawn}) > 1
    assert [found["seed"] for found in drawn] == list(range(8))


def test_causal_lm(capsys) -> None:
    found = example(capsys, "causal_lm", "--model", GPT2, "--text", "Mary had a little lamb")
    assert found["decoder"]["ids"] == found["labels"] == MARY
    assert found["encoder"] is None
    assert found["shift"] == "loss"
    assert [(each["position"], each["predicts_id"]) for each in found["targets"]] == list(enumerate(MARY[1:]))
    assert [sum(row) for row in found["masks"]["decoder"]] == [1, 2, 3, 4, 5]


def test_packed_lm_takes_documents_apart_at_blank_lines(capsys) -> None:
    texts = ("--text", "I like cats.\n\nParis is in France.")
    words = ("packed_lm", "--model", GPT2, *texts, "--set", "block=10", "--set")
    found = example(capsys, *words, "isolate=true")
    assert found["decoder"]["ids"][:6] == [40, 588, 11875, 13, 50256, 40313]
    assert found["decoder"]["position_ids"] == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4]
    assert found["decoder"]["documents"] == [0] * 5 + [1] * 5
    assert sum(map(sum, found["masks"]["decoder"])) == 30
    leaky = example(capsys, *words, "isolate=false")
    assert sum(map(sum, leaky["masks"]["decoder"])) == 55


def test_sft_on_a_prompt_and_a_response(capsys) -> None:
    texts = ("--text", "Q: What is the capital of France?\nA:", "--target", " Paris.")
    found = example(capsys, "sft", "--model", GPT2, *texts)
    assert found["labels"] == [IGNORE] * 12 + [6342, 13, 50256]
    assert [(each["position"], each["predicts_id"]) for each in found["targets"]] == [
        (11, 6342), (12, 13), (13, 50256),
    ]  # fmt: skip


MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello there"}]


def test_sft_on_messages_from_a_file(capsys, tmp_path) -> None:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES), encoding="utf-8-sig")
    found = example(capsys, "sft", "--model", GPT2, "--messages", str(file))
    assert [each["predicts_id"] for each in found["targets"]][-1] == 50256
    assert "response" in found["decoder"]["roles"]


def test_sft_on_messages_from_standard_input(capsys, tmp_path, monkeypatch) -> None:
    file = tmp_path / "messages.json"
    file.write_text(json.dumps(MESSAGES), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO(json.dumps(MESSAGES)))
    words = ("sft", "--model", GPT2, "--messages")
    assert example(capsys, *words, "-") == example(capsys, *words, str(file))


def test_prefix_lm(capsys) -> None:
    words = " ".join("abcdefghij")
    found = example(capsys, "prefix_lm", "--model", GPT2, "--text", words, "--set", "prefix=6")
    assert len(found["decoder"]["ids"]) == 10
    assert sum(map(sum, found["masks"]["decoder"])) == 70
    assert [each["position"] for each in found["targets"]] == [5, 6, 7, 8]
    assert found["shift"] == "loss"


def test_denoising_as_typed(capsys) -> None:
    original = "UN Chief Says There Is No Plan to Stop Chemical Weapons in Syria"
    texts = ("--text", "UN Chief Says There Is No <mask> in Syria", "--target", original)
    found = example(capsys, "denoising", "--model", BART, *texts)
    labels = [0, 4154, 1231, 15674, 345, 1534, 440, 5427, 7, 12457, 14329, 28054, 11, 1854, 2]
    assert len(found["encoder"]["ids"]) == 11
    assert found["labels"] == labels
    assert found["decoder"]["ids"] == [2, *labels[:-1]]
    assert found["shift"] == "decoder_input"
    assert found["n_targets"] == 15


def test_denoising_spans_by_hand(capsys) -> None:
    text = ("--text", "My friends are good but they eat too much sugar")
    whole = example(capsys, "denoising", "--model", BART, *text, "--set", "rate=0")["labels"]
    found = example(capsys, "denoising", "--model", BART, *text, "--set", "spans=3:6,8:8")
    assert found["labels"] == whole
    assert found["encoder"]["ids"] == [*whole[:3], 50264, *whole[6:8], 50264, *whole[8:]]


def test_span_corruption_by_hand(capsys) -> None:
    text = ("--text", "The cute dog walks in the park")
    found = example(capsys, "span_corruption", "--model", T5, *text, "--set", "spans=1:3,5:6")
    assert found["encoder"]["ids"] == [37, 32099, 10681, 16, 32098, 2447, 1]
    assert found["labels"] == [32099, 5295, 1782, 32098, 8, 32097, 1]
    assert found["decoder"]["ids"] == [0, 32099, 5295, 1782, 32098, 8, 32097]
    assert found["encoder"]["roles"].count("sentinel") == 2


def test_seq2seq(capsys) -> None:
    texts = ("--text", "summarize: The cat sat on the mat all day.", "--target", "A cat rested.")
    found = example(capsys, "seq2seq", "--model", T5, *texts)
    assert found["decoder"]["visible"][0] == "<pad>"
    assert found["decoder"]["ids"] == [0, *found["labels"][:-1]]
    assert [each["predicts"] for each in found["targets"]] == ["·A", "·cat", "·reste", "d", ".", "</s>"]
    assert len(found["masks"]["cross"]) == len(found["labels"])
    assert len(found["masks"]["cross"][0]) == len(found["encoder"]["ids"])


def test_the_usual_model_of_an_objective(capsys) -> None:
    assert example(capsys, "causal_lm", "--text", "the dog")["model"] == GPT2


def test_an_example_for_a_reader(capsys) -> None:
    text = ("--text", "my dog is hairy", "--set", "select=2")
    lines = printed(capsys, "example", "masked_lm", "--model", BERT, *text).splitlines()
    row = next(line for line in lines if line.split()[:1] == ["2"])
    assert {"3899", "dog"} <= set(row.split())
    assert any("1 targets" in line or "1 target" in line for line in lines)


def test_words_in_the_text_are_never_options(capsys) -> None:
    found = answer(capsys, "tokens", "--model", GPT2, "--text", "--layer 3")
    assert "".join(found["pieces"]) == "--layerĠ3"
    assert answer(capsys, "tokens", "--model", GPT2, "--text=--json")["ids"]
    assert answer(capsys, "tokens", "--model", GPT2, "--text", "--")["pieces"] == ["--"]
    assert answer(capsys, "tokens", "--model", GPT2, "--text=--")["pieces"] == ["--"]
    assert answer(capsys, "tokens", "--model", GPT2, "--text", "-")["pieces"] == ["-"]


def test_a_seed_may_be_any_whole_number(capsys) -> None:
    words = ("masked_lm", "--model", BERT, "--text", "my dog is hairy", "--set", "rate=0.5", "--seed")
    assert example(capsys, *words, "9" * 400)["seed"] == int("9" * 400)


def test_a_score_without_weights_names_what_has_them(capsys) -> None:
    line = refusal(capsys, "score", "causal_lm", "--model", GPT2, "--text", "the dog")
    assert GPT2 in line
    assert "weights" in line
