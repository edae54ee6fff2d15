"""Tagging words: the tags are entered in a grid, and what the head says is merged into names."""

from __future__ import annotations

from collections.abc import Sequence

import pandas as pd
import streamlit as st

from explorer.entities import agreement, merged, tags_of_words
from explorer.models import tokenizer
from explorer.objectives.assemble import read
from explorer.objectives.token_classification import words_of
from explorer.types import Example, HeadOutput, Message
from explorer.ui.controls import Asked
from explorer.ui.words import sentence, t
from explorer.views.entities import marked_text, word_table

MOST_WORDS = 200
"""Words of a sentence that the grid holds."""

USUAL = ("O", "B-PER", "I-PER", "B-ORG", "I-ORG", "B-LOC", "I-LOC", "B-MISC", "I-MISC")


def tag_grid(asked: Asked, made: Example) -> None:
    """A row for each word with its tag; rows may be added and taken away."""
    words, tags = asked.texts.text.split(), (asked.texts.target or "").split()
    if len(words) > MOST_WORDS:
        st.caption(t("The grid holds up to {most} words; use the boxes above.", most=MOST_WORDS))
        return
    # The grid keeps what was changed apart from what it was given, so other words need another grid.
    key = f"grid_{hash((tuple(words), tuple(tags)))}"
    st.data_editor(
        pd.DataFrame({"word": words, "tag": tags}),
        key=key,
        hide_index=True,
        num_rows="dynamic",
        height=min(38 * (len(words) + 2), 320),
        column_config={
            "word": st.column_config.TextColumn(t("word"), required=True),
            "tag": st.column_config.SelectboxColumn(
                t("tag"), options=list(dict.fromkeys([*made.classes, *tags, *USUAL])), required=True, default="O"
            ),
        },
        on_change=lambda: _take(words, tags, st.session_state[key]),
    )


def _take(words: Sequence[str], tags: Sequence[str], edits: dict[str, object]) -> None:
    """Write what was changed in the grid into the boxes."""
    rows, tagged = edited(list(zip(words, tags, strict=True)), edits), []
    for word, tag in rows:
        # A word with a space in it would be two.
        tagged += [(part, tag) for part in word.split()]
    st.session_state["text"] = " ".join(word for word, _ in tagged)
    st.session_state["target"] = " ".join(tag for _, tag in tagged)


def edited(rows: Sequence[tuple[str, str]], edits: dict[str, object]) -> list[tuple[str, str]]:
    """The rows after the edits that Streamlit reports: `edited_rows`, `deleted_rows`, `added_rows`."""
    changed, added = edits.get("edited_rows") or {}, edits.get("added_rows") or []
    gone = edits.get("deleted_rows") or []
    assert isinstance(changed, dict) and isinstance(added, list) and isinstance(gone, list)  # noqa: S101
    kept = [
        (str(changed.get(at, {}).get("word") or word), str(changed.get(at, {}).get("tag") or tag))
        for at, (word, tag) in enumerate(rows)
        if at not in gone
    ]
    return kept + [(str(row["word"]), str(row.get("tag") or "O")) for row in added if row.get("word")]


def tag_part(asked: Asked, made: Example, said: HeadOutput) -> None:
    """The names as they should be and as they were found, then each word with its tag."""
    encoding = read(asked.texts.text, tokenizer(asked.model))
    words, wanted, of = asked.texts.text.split(), (asked.texts.target or "").split(), words_of(encoding)
    chances = said.probabilities[: len(of)]
    tags = [said.names[best] for best in chances.argmax(axis=1)]
    found = tags_of_words(of, tags, len(words))
    shares = tags_of_words(of, [f"{chance:.6f}" for chance in chances.max(axis=1)], len(words))
    st.html(marked_text(Message("As it should be"), words, merged(wanted), t))
    st.html(marked_text(Message("As the head says, merged into names"), words, merged(found), t))
    _score(wanted, found)
    pairs = [(tag, float(share)) if tag else None for tag, share in zip(found, shares, strict=True)]
    st.html(word_table(words, wanted, pairs, t))
    st.caption(
        t(
            "A word has the tag of its first piece. B- begins a name, I- goes on with one of the same kind; an I- "
            "without such a name before it begins one all the same (dashed frame)."
        )
    )


def _score(wanted: Sequence[str], found: Sequence[str]) -> None:
    counts = agreement(wanted, found)
    if counts.f1 is None:
        st.markdown(t("There are no names, neither wanted nor found."))
        return
    given = {"right": counts.right, "wanted": counts.wanted, "found": counts.found, "f1": counts.f1}
    st.markdown(sentence(Message("Names wanted {wanted}, found {found}, right {right}: F1 {f1:.2f}.", given)))
