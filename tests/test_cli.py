"""The command line without models: masks, sampling, losses; and what holds for every command."""

from __future__ import annotations

import subprocess
import sys
from math import exp, log

import pytest

from explorer.__main__ import main
from tests.house import ROOT
from tests.terminal import answer, printed

THREE = "[[2,1,0.1,0.5,0.3],[0.5,2.5,0.2,0.1,0.8],[0.3,0.1,3,0.4,0.2]]"


def logs(*probabilities: float) -> str:
    """Logits whose softmax gives these probabilities."""
    return ",".join(str(log(each)) for each in probabilities)


@pytest.mark.parametrize(
    ("words", "rows"),
    [
        ("full --length 2", ["11", "11"]),
        ("full --length 2 --keys 3", ["111", "111"]),
        ("causal --length 3", ["100", "110", "111"]),
        ("causal --length 5 --pad 0,0,1,1,1", ["00000", "00000", "00100", "00110", "00111"]),
        ("prefix --length 5 --prefix 3", ["11100", "11100", "11100", "11110", "11111"]),
        ("padding --length 3 --pad 1,1,0", ["110", "110", "110"]),
        ("cross --length 2 --keys 3 --pad 1,1,0", ["110", "110"]),
        ("block --length 5 --documents 3,2", ["10000", "11000", "11100", "00010", "00011"]),
    ],
)
def test_masks(capsys, words: str, rows: list[str]) -> None:
    found = answer(capsys, "mask", *words.split())
    assert found == {"mask": [[int(cell) for cell in row] for row in rows], "allowed": "".join(rows).count("1")}


@pytest.mark.parametrize(
    ("words", "cells"),
    [
        ("causal --length 5", 15),
        ("block --length 5 --documents 3,2", 9),
        ("prefix --length 10 --prefix 6", 70),
        ("prefix --length 5 --prefix 3", 18),
        ("full --length 5", 25),
        ("causal --length 5 --pad 0,0,1,1,1", 6),
    ],
)
def test_masks_of_the_cases_have_so_many_open_cells(capsys, words: str, cells: int) -> None:
    assert answer(capsys, "mask", *words.split())["allowed"] == cells


def test_a_mask_for_a_reader(capsys) -> None:
    assert printed(capsys, "mask", "causal", "--length", "2").splitlines()[:2] == ["1 0", "1 1"]


@pytest.mark.parametrize(
    ("logits", "flags", "final"),
    [
        ("3,2,1", "--temperature 0", [1, 0, 0]),
        ("3,2,1", "--temperature 0.5", [0.8668, 0.1173, 0.0159]),
        (logs(0.4, 0.3, 0.2, 0.1), "--top-p 0.8", [0.4444, 0.3333, 0.2222, 0]),
        (logs(0.5, 0.3, 0.1, 0.1), "--top-p 0.8", [0.625, 0.375, 0, 0]),
        (logs(0.9, 0.06, 0.04), "--min-p 0.1 --temperature 2", [0.6807, 0.1758, 0.1435]),
        (logs(0.9, 0.06, 0.04), "--min-p 0.1", [1, 0, 0]),
        ("2,1,0.1", "", [0.6590, 0.2424, 0.0986]),
        ("2,1,0.1", "--top-k 1", [1, 0, 0]),
        ("2,1,0.1", "--greedy", [1, 0, 0]),
    ],
)
def test_sampling_keeps_what_the_cases_say(capsys, logits: str, flags: str, final: list[float]) -> None:
    found = answer(capsys, "sample", "--logits", logits, *flags.split())
    assert found["final"] == pytest.approx(final, abs=5e-5)
    assert found["stages"][-1]["probabilities"] == found["final"]
    assert found["stages"][-1]["kept"] == [id for id, share in enumerate(final) if share]
    assert found["chosen"] in found["stages"][-1]["kept"]


def test_the_repetition_penalty_punishes_negative_logits_too(capsys) -> None:
    words = ("--logits", "2,-1,0.5", "--seen", "0,1", "--repetition-penalty", "1.5")
    found = answer(capsys, "sample", *words)
    assert [stage["name"] for stage in found["stages"]] == ["model", "repetition_penalty"]
    same = answer(capsys, "sample", "--logits", "1.3333333333333333,-1.5,0.5")
    assert found["final"] == pytest.approx(same["final"], abs=1e-12)
    assert found["order"] == ["repetition_penalty", "temperature", "top_k", "top_p", "min_p", "typical_p"]


def test_a_row_of_logits_may_begin_with_a_dash(capsys) -> None:
    assert answer(capsys, "sample", "--logits", "-1,2") == answer(capsys, "sample", "--logits=-1,2")


def test_the_same_seed_draws_the_same_token(capsys) -> None:
    even = ("--logits", ",".join(["0"] * 50))
    drawn = [answer(capsys, "sample", *even, "--seed", str(seed))["chosen"] for seed in range(20)]
    assert drawn == [answer(capsys, "sample", *even, "--seed", str(seed))["chosen"] for seed in range(20)]
    assert len(set(drawn)) > 10


def test_sampling_for_a_reader_marks_what_is_cut(capsys) -> None:
    lines = printed(capsys, "sample", "--logits", "2,1,0.1", "--top-k", "2").splitlines()
    assert lines[0].split() == ["id", "model", "top_k"]
    assert lines[1].split() == ["0", "0.6590", "0.7311"]
    assert lines[3].split() == ["2", "0.0986", "-"]


def test_the_loss_of_one_position(capsys) -> None:
    found = answer(capsys, "loss", "--logits", "[2.0, 1.0, 0.1]", "--labels", "0")
    assert found["per_position"] == [pytest.approx(0.4170, abs=5e-5)]
    assert found["n_targets"] == 1


def test_the_loss_of_three_positions(capsys) -> None:
    found = answer(capsys, "loss", "--logits", THREE, "--labels", "[0, 1, 2]")
    assert found["mean"] == pytest.approx(0.431481, abs=5e-7)
    assert [exp(-loss) for loss in found["per_position"]] == pytest.approx([0.5200, 0.6627, 0.7953], abs=5e-5)
    assert found["perplexity"] == pytest.approx(exp(0.431481), abs=5e-6)


def test_ignored_labels_have_no_loss(capsys) -> None:
    found = answer(capsys, "loss", "--logits", THREE, "--labels", "[0, -100, 2]")
    assert found["per_position"][1] is None
    assert (found["n_targets"], found["mean"]) == (2, pytest.approx(-(log(0.5200) + log(0.7953)) / 2, abs=1e-4))


def test_no_supervised_token_is_told_in_words(capsys) -> None:
    found = answer(capsys, "loss", "--logits", "[[2, 1]]", "--labels", "[-100]")
    assert (found["mean"], found["perplexity"], found["n_targets"], found["per_position"]) == (None, None, 0, [None])
    assert "no supervised tokens" in found["warnings"][0]
    assert "no supervised tokens" in printed(capsys, "loss", "--logits", "[[2, 1]]", "--labels", "[-100]")


def test_smoothing_spreads_over_all_classes(capsys) -> None:
    found = answer(capsys, "loss", "--logits", "[2, 1, 0.1]", "--labels", "0", "--smoothing", "0.1")
    losses = (0.41703, 1.41703, 2.31703)
    assert found["mean"] == pytest.approx(0.9 * losses[0] + 0.1 * sum(losses) / 3, abs=1e-4)


def test_an_infinite_loss_is_null_in_json(capsys) -> None:
    found = answer(capsys, "loss", "--logits", "[[1, -Infinity]]", "--labels", "[1]")
    assert (found["per_position"], found["mean"], found["n_targets"]) == ([None], None, 1)
    assert "infinite at 1 of 1 targets, first at position 0" in found["warnings"][0]
    lines = printed(capsys, "loss", "--logits", "[[1, -Infinity]]", "--labels", "[1]").splitlines()
    assert lines[-2] == "mean inf over 1 target, perplexity inf"


def test_top_k_says_that_equals_stay(capsys) -> None:
    found = answer(capsys, "sample", "--logits", "1,2,2,2", "--top-k", "2")
    assert found["stages"][-1]["kept"] == [1, 2, 3]
    assert found["notes"] == ["Top-k 2 keeps 3 tokens: those that are as probable as the last of them stay too."]
    assert answer(capsys, "sample", "--logits", "1,2,3", "--top-k", "2")["notes"] == []


@pytest.mark.parametrize("words", [["--help"], ["example", "--help"], ["generate", "-h"]])
def test_help_is_an_answer(capsys, words: list[str]) -> None:
    assert printed(capsys, *words).startswith("usage: python -m explorer")


@pytest.mark.parametrize(
    "words",
    [
        ["mask", "causal", "--length", "3", "--json"],
        ["sample", "--logits", "2,1,0.1", "--json"],
        ["loss", "--logits", "[[2,1]]", "--labels", "[0]", "--json"],
        ["models", "--json"],
    ],
    ids=lambda words: words[0],
)
def test_what_needs_no_model_imports_no_torch(words: list[str]) -> None:
    code = (
        "import sys; from explorer.__main__ import main\n"
        f"code = main({words})\n"
        "print(code, sorted({'torch', 'transformers', 'pandas', 'streamlit'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[-1] == "0 []"
    assert done.stderr == ""


def test_the_module_is_a_command_with_an_exit_code() -> None:
    run = [sys.executable, "-m", "explorer", "mask", "causal", "--length"]
    good = subprocess.run([*run, "2"], cwd=ROOT, capture_output=True, text=True, check=False)
    bad = subprocess.run([*run, "0"], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (good.returncode, good.stderr) == (0, "")
    assert (bad.returncode, bad.stdout) == (2, "")


def test_a_reader_that_goes_away_is_no_error() -> None:
    command = f"{sys.executable} -m explorer mask full --length 2000 | head -n 1"
    done = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, check=True)
    assert (done.stdout.split(), done.stderr) == (["1"] * 2000, "")


def test_a_terminal_that_knows_only_ascii(tmp_path) -> None:
    code = "from explorer.__main__ import main; main(['example', '\\uac00'])"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        capture_output=True,
        check=False,
        env={"PYTHONIOENCODING": "ascii:strict", "PATH": ""},
    )
    assert done.stderr.startswith(b"There is no objective \\uac00")
    assert len(done.stderr.splitlines()) == 1


def test_errors_leave_nothing_behind(capsys) -> None:
    for _ in range(3):
        assert main(["mask", "causal", "--length", "x"]) == 2
        capsys.readouterr()
        assert answer(capsys, "mask", "causal", "--length", "1") == {"mask": [[1]], "allowed": 1}
