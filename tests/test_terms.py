"""Terms in the lessons carry their meaning, once each, in both languages, and change nothing else."""

from __future__ import annotations

import re
from html import unescape

import pytest

from explorer.ui.frame import PAGES
from explorer.ui.terms import TERMS, explained
from explorer.ui.words import LOCALE, catalogue

SPAN = re.compile(r'<span class="term" tabindex="0" data-meaning="([^"]*)">(.*?)</span>')


def terms(html: str) -> list[str]:
    return [word for _, word in SPAN.findall(html)]


def test_a_term_is_explained_where_it_comes_first() -> None:
    html = explained("The loss here. Another loss, two masks.", "en")
    assert terms(html) == ["loss", "mask"]
    assert "Minus the logarithm" in SPAN.search(html)[1]


def test_the_longest_term_wins_and_a_term_is_no_part_of_a_word() -> None:
    assert terms(explained("Cross entropy is no entropy.", "en")) == ["Cross entropy", "entropy"]
    assert terms(explained("A causal mask. It is masked, lossless.", "en")) == ["causal mask"]


def test_headings_code_and_names_of_buttons_stay_as_they_are() -> None:
    text = "## The loss\n`loss` and *Mask* and **Label**"
    assert explained(text, "en") == text


def test_signs_of_markup_in_a_lesson_are_shown() -> None:
    assert explained("<extra_id_0> and `<mask>`", "en") == "&lt;extra_id_0> and `<mask>`"


def test_a_korean_term_is_found_before_its_particle() -> None:
    assert terms(explained("손실(loss)은 토큰마다 있습니다. 손실을 더합니다.", "ko")) == ["손실", "토큰"]


def test_every_meaning_is_translated() -> None:
    korean = catalogue("ko")
    assert [meaning.id for _, meaning in TERMS if meaning.id not in korean] == []


@pytest.mark.parametrize("code", ["en", "ko"])
@pytest.mark.parametrize("page", [page for page in PAGES if page != "home"])
def test_a_lesson_explains_some_terms_and_keeps_its_words(page: str, code: str) -> None:
    lesson = (LOCALE / "lessons" / code / f"{page}.md").read_text(encoding="utf-8")
    html = explained(lesson, code)
    assert terms(html)
    assert unescape(SPAN.sub(r"\2", html)) == lesson


@pytest.mark.parametrize("page", [page for page in PAGES if page != "home"])
def test_a_korean_lesson_has_the_english_of_a_term_in_brackets_where_it_comes_first(page: str) -> None:
    """Behind the term, or behind the compound that it is a part of."""
    korean = {catalogue("ko")[term.id].partition("(")[0].strip(): term.id for term, _ in TERMS}
    lesson = (LOCALE / "lessons" / "ko" / f"{page}.md").read_text(encoding="utf-8")
    plain = re.sub(r"^#.*$|`[^`]*`", "", lesson, flags=re.MULTILINE)
    said = {word: korean[word].split()[-1] for word in terms(explained(lesson, "ko"))}
    first = {word: plain[plain.index(word) + len(word) :] for word in said}
    assert [word for word in said if not re.match(rf"[-* 가-힣]{{0,12}}\([^)]*{said[word]}", first[word])] == []
