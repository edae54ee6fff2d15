"""House rules come from the environment; what cannot be used changes nothing."""

from __future__ import annotations

import pytest

from explorer.host import TEXT, Rules, rules

NAMES = ("EXPLORER_TRAINING", "EXPLORER_UPLOADS", "EXPLORER_LONGEST_TEXT", "EXPLORER_LANGUAGE")


@pytest.fixture(autouse=True)
def no_rules(monkeypatch):
    for name in NAMES:
        monkeypatch.delenv(name, raising=False)


def test_at_first_all_is_allowed() -> None:
    assert rules() == Rules(training=True, uploads=True, longest=20_000, language=None)


@pytest.mark.parametrize("value", ["0", "false", "No", " off "])
def test_training_and_uploads_are_switched_off(monkeypatch, value) -> None:
    monkeypatch.setenv("EXPLORER_TRAINING", value)
    monkeypatch.setenv("EXPLORER_UPLOADS", value)
    assert rules() == Rules(training=False, uploads=False)


@pytest.mark.parametrize(
    ("value", "longest"), [("500", 500), ("1000000", TEXT), ("0", TEXT), ("-3", TEXT), ("x", TEXT)]
)
def test_the_longest_text_can_only_be_made_shorter(monkeypatch, value, longest) -> None:
    monkeypatch.setenv("EXPLORER_LONGEST_TEXT", value)
    assert rules().longest == longest


def test_the_language_is_a_code(monkeypatch) -> None:
    monkeypatch.setenv("EXPLORER_LANGUAGE", "KO")
    assert rules().language == "ko"
