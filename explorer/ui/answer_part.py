"""Finding an answer: it is marked in the text, start and end scores as bars, the best span under the rules beside two
separate maxima, and all windows of a long context."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import streamlit as st

from explorer.answers import Answer, best_answers, broken, marked, overlap, plain, separate
from explorer.models import tokenizer
from explorer.objectives.question_answering import Window, window_of
from explorer.types import Bools, Example, HeadOutput, Message
from explorer.ui.clickable import clickable
from explorer.ui.controls import Asked
from explorer.ui.head_says import output_of
from explorer.ui.made import example
from explorer.ui.words import sentence, t
from explorer.views.answers import Span, score_bars, words_to_mark

LONGEST = 15
"""Tokens of an answer, unless told otherwise."""

MOST_WORDS, MOST_WINDOWS = 400, 12


def mark_answer(asked: Asked) -> None:
    """The words and signs of the context to click."""
    context = asked.texts.text_b or ""
    words = [word.span() for word in re.finditer(r"\w+|[^\w\s]", context)][:MOST_WORDS]
    span = _marked_now(asked, context)
    chosen = [span is not None and a < span[1] and b > span[0] for a, b in words]
    html = words_to_mark(
        [context[a:b] for a, b in words], chosen, t("Mark the answer: click its first word, then its last")
    )

    def mark(clicked: str) -> None:
        new = marked(words, span, int(clicked.partition(":")[2]))
        st.session_state["target"] = "" if new is None else context[slice(*new)]
        st.session_state["answer_start"] = -1 if new is None else new[0]

    clickable(html, "marking", mark)
    if span is not None:
        given = {"start": span[0], "end": span[1], "answer": context[slice(*span)]}
        st.caption(sentence(Message("Characters {start} to {end} of the context: {answer}", given)))


def _marked_now(asked: Asked, context: str) -> tuple[int, int] | None:
    answer = (asked.texts.target or "").strip()
    start = context.find(answer) if asked.settings.answer_start < 0 else asked.settings.answer_start
    return (start, start + len(answer)) if answer and start >= 0 else None


def answer_part(asked: Asked, made: Example, said: HeadOutput) -> None:
    """Bars, the two ways to choose, and the windows."""
    window = window_of(asked.texts, tokenizer(asked.model), asked.settings)
    inside = _inside(window, made)
    longest = int(st.number_input(t("Longest answer, in tokens"), 1, 512, LONGEST, key="longest_answer", width=200))
    start, end = said.logits.T
    best = next(iter(best_answers(start, end, inside, longest)), None)
    wanted = Span(made.extra["start_positions"], made.extra["end_positions"])
    shown = None if best is None else Span(best.first, best.last)
    st.html(score_bars(made.output.visible, said, inside, t, best=shown, wanted=wanted))
    st.dataframe(_choices(asked, made, said, window, longest), hide_index=True)
    if best is not None and asked.texts.target:
        _compare(asked, _text(asked, window, made, best, inside))
    if window.count > 1:
        _windows(asked, window.count, longest)


def _inside(window: Window, made: Example) -> Bools:
    return np.pad(window.inside, (0, len(made.output) - len(window.inside)))


def _text(asked: Asked, window: Window, made: Example, answer: Answer, inside: Bools) -> str:
    """The characters of the context that a span covers; its pieces where it is not in the context."""
    if broken(answer, inside, len(inside)) is not None:
        return " ".join(made.output.visible[answer.first : answer.last + 1])
    first, last = window.characters(answer.first, answer.last)
    return (window.encoding.pair or "")[first:last]


def _choices(asked: Asked, made: Example, said: HeadOutput, window: Window, longest: int) -> pd.DataFrame:
    """Each maximum alone, the best spans under the rules, and no answer."""
    inside, (start, end) = _inside(window, made), said.logits.T
    cls = int(np.flatnonzero(made.output.ids == tokenizer(asked.model).special.cls)[0])
    none = Answer(cls, cls, float(start[cls] + end[cls]))
    rows = [(t("each maximum alone"), separate(start, end)), (t("no answer: [CLS] twice"), none)]
    for place, answer in enumerate(best_answers(start, end, inside, longest, 3), 1):
        rows.insert(place, (t("under the rules, place {place}", place=place), answer))
    reasons = [broken(answer, inside, longest) if answer is not none else None for _, answer in rows]
    return pd.DataFrame(
        {
            t("chosen how"): [name for name, _ in rows],
            t("first"): [answer.first for _, answer in rows],
            t("last"): [answer.last for _, answer in rows],
            t("score"): [round(answer.score, 3) for _, answer in rows],
            t("text"): ["" if answer is none else _text(asked, window, made, answer, inside) for _, answer in rows],
            t("broken rule"): ["" if reason is None else t(reason) for reason in reasons],
        }
    )


def _compare(asked: Asked, said: str) -> None:
    """Exact match and F1, as SQuAD counts them."""
    wanted = asked.texts.target or ""
    given = {
        "exact": int(plain(wanted) == plain(said)),
        "f1": overlap(wanted, said),
        "said": said,
        "wanted": wanted,
    }
    st.markdown(sentence(Message("Said {said}, wanted {wanted}: exact match {exact}, F1 {f1:.2f}.", given)))


def _windows(asked: Asked, count: int, longest: int) -> None:
    """The best span of each window beside its score of no answer; the best of all windows is the answer."""
    with st.expander(t("All {count} windows", count=count), key="windows", on_change="rerun") as box:
        if not box.open:
            return
        rows = []
        for number in range(min(count, MOST_WINDOWS)):
            there = replace(asked, settings=replace(asked.settings, window=number))
            made = example(asked.objective.key, there.texts, there.settings, there.seed, there.model)
            said = output_of(there, made)
            if said is None:
                return
            rows.append(_window_row(there, made, said, number, longest))
        st.dataframe(pd.DataFrame(rows), hide_index=True)
        best = max(rows, key=lambda row: float(str(row[t("score")])))
        given = {"window": best[t("window")], "text": best[t("best span")]}
        st.markdown(sentence(Message("The highest score of all windows is that of window {window}: {text}.", given)))
        if count > MOST_WINDOWS:
            st.caption(t("Only the first {most} windows are compared.", most=MOST_WINDOWS))


def _window_row(asked: Asked, made: Example, said: HeadOutput, number: int, longest: int) -> dict[str, object]:
    window = window_of(asked.texts, tokenizer(asked.model), asked.settings)
    inside, (start, end) = _inside(window, made), said.logits.T
    [best] = best_answers(start, end, inside, longest)
    cls = int(np.flatnonzero(made.output.ids == tokenizer(asked.model).special.cls)[0])
    first, last = window.characters(*np.flatnonzero(inside)[[0, -1]].tolist())
    return {
        t("window"): number,
        t("characters of the context"): f"{first}–{last}",
        t("best span"): _text(asked, window, made, best, inside),
        t("score"): round(best.score, 3),
        t("score of no answer"): round(float(start[cls] + end[cls]), 3),
        t("label"): t("answer here") if made.extra["start_positions"] != cls else t("no answer here"),
    }
