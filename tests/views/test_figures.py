"""The line of figures, against literal counts and losses."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.types import IGNORE
from explorer.views.figures import figures_line, runs


def figures(html: str) -> list[str]:
    return [re.sub(r"<[^>]+>", "", item) for item in re.findall(r"<li.*?</li>", html)]


def test_decoder_with_scores(sft, scored):
    html = figures_line(sft, str, scores=scored(sft, [1.42, 0.31, 2.05]))
    assert figures(html) == [
        "5 positions",
        "3 targets (outputs 1–3)",
        "60% of positions",
        "1.26 mean loss",
        "3.53 perplexity",
    ]


def test_two_stacks(taught):
    assert figures(figures_line(taught, str))[:3] == [
        "3 source positions",
        "3 target positions",
        "3 targets (outputs 0–2)",
    ]


def test_one_target_is_said_in_the_singular(masked):
    labels = np.array([IGNORE, IGNORE, 4937, IGNORE, IGNORE, IGNORE, IGNORE])
    assert figures(figures_line(replace(masked, labels=labels), str))[1] == "1 target (output 2)"


def test_scattered_targets_are_counted_and_not_listed(masked, scored):
    labels = np.where(np.arange(7) % 2 == 0, 5, IGNORE)
    assert figures(figures_line(replace(masked, labels=labels), str))[1] == "4 targets (outputs 0, 2, 4, 6)"
    long = replace(masked.encoder, **{name: value * 2 for name, value in _texts(masked).items()}, **_arrays(masked))
    example = replace(masked, encoder=long, labels=np.tile(labels, 2), label_visible=("",) * 14, masks=masked.masks)
    assert figures(figures_line(example, str))[1] == "8 targets"


def _texts(example):
    return {name: getattr(example.encoder, name) for name in ("pieces", "visible", "roles")}


def _arrays(example):
    names = ("ids", "attention_mask", "position_ids", "token_types")
    return {name: np.tile(getattr(example.encoder, name), 2) for name in names}


def test_no_targets_are_told_in_words(masked):
    none = replace(masked, labels=np.full(7, IGNORE))
    told = figures(figures_line(none, str, expect_loss=True))
    assert told == ["7 positions", "No targets: nothing is learned here, and the loss is undefined."]


def test_place_is_kept_while_scores_are_awaited(sft):
    assert figures(figures_line(sft, str, expect_loss=True))[3:] == ["– mean loss", "– perplexity"]


def test_next_sentence_loss_is_added(masked, scored):
    scores = replace(scored(masked, [1.0, 2.0, 3.0]), next_sentence=(0.9, 0.1), next_sentence_loss=0.105)
    told = figures(figures_line(masked, str, scores=scores))
    assert told[-2:] == ["0.10 next sentence loss", "2.10 both losses together"]


@pytest.mark.parametrize(
    ("numbers", "told"), [([], []), ([3], ["3"]), ([0, 1, 2], ["0–2"]), ([0, 2, 3, 5, 6, 7], ["0", "2, 3", "5–7"])]
)
def test_runs(numbers: list[int], told: list[str]):
    assert runs(numbers) == told
