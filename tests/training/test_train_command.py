"""`python -m explorer train`: what a person types, sees and gets."""

from __future__ import annotations

import json

import pytest

from explorer.__main__ import main
from explorer.training import recipes, shipping
from tests.terminal import refusal
from tests.training.conftest import tiny


@pytest.fixture
def small(monkeypatch, empty):
    """The command with tiny recipes, and without the larger model that figures are compared with."""
    monkeypatch.setattr(shipping, "smollm", lambda texts: None)
    monkeypatch.setattr(recipes, "RECIPES", {name: tiny(name) for name in recipes.RECIPES})
    return empty


def run(capsys, *words: str) -> tuple[dict, str]:
    assert main(["train", *words, "--workers", "0", "--device", "cpu", "--json"]) == 0
    out, err = capsys.readouterr()
    return json.loads(out), err


def test_a_model_is_trained_measured_and_gone_on_with(small, capsys, corpus) -> None:
    where = ["gpt", "--corpus", str(corpus), "--out", str(small / "out")]
    first, log = run(capsys, *where, "--steps", "4")
    assert first["steps"] == 4
    assert {"bits per byte", "loss of a target, nats"} <= {figure["name"] for figure in first["figures"]}
    assert "gpt on " in log
    assert "step 4" in log
    assert (small / "out" / "final" / "model.safetensors").is_file()
    further, _ = run(capsys, *where, "--steps", "6", "--resume")
    assert further["steps"] == 6
    assert further["tokens"] > first["tokens"]
    assert "--steps 6" in (small / "out" / "final" / "README.md").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("gpt9 --corpus .", "no recipe gpt9; there are: bert, gpt, bart, t5, transformer"),
        ("gpt --corpus nowhere", "no folder nowhere"),
        ("gpt --corpus . --device toaster", "no device toaster"),
        ("gpt --corpus . --minutes 0", "minutes is 0"),
        ("gpt", "--corpus"),
    ],
)
def test_a_mistake_is_one_line(capsys, words: str, told: str) -> None:
    assert told in refusal(capsys, "train", *words.split())


def test_there_is_no_checkpoint_to_go_on_from(small, capsys, corpus) -> None:
    words = ["gpt", "--corpus", str(corpus), "--out", str(small / "none"), "--workers", "0", "--resume"]
    assert main(["train", *words]) == 2
    assert "There is no checkpoint" in capsys.readouterr().err


def test_a_damaged_checkpoint_is_told(small, capsys, corpus) -> None:
    where = ["gpt", "--corpus", str(corpus), "--out", str(small / "out"), "--workers", "0", "--device", "cpu"]
    assert main(["train", *where, "--steps", "1"]) == 0
    (small / "out" / "checkpoint" / "weights.safetensors").write_bytes(b"torn")
    capsys.readouterr()
    assert main(["train", *where, "--steps", "2", "--resume"]) == 2
    assert "cannot be used" in capsys.readouterr().err
