"""Put another token in the place of one and see attention and predictions change."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

import pandas as pd
import streamlit as st

from explorer.influence import replacements, with_token
from explorer.models import tokenizer
from explorer.models.catalog import parts
from explorer.models.forward import sides
from explorer.tokens import Tokenizer
from explorer.types import AttentionKind, Example, InputProblem, Message, Scores, Stream
from explorer.ui.attention_lab import Asked, Seen, reading
from explorer.ui.files import signed_files
from explorer.ui.measured import awaited, measured
from explorer.ui.sight_fields import focus
from explorer.ui.words import literal, sentence, t
from explorer.views.grid import Axes
from explorer.views.heads import one_head
from explorer.views.matrix import signed_picture


def change_part(asked: Asked, seen: Seen) -> None:
    """The fields, the difference in the chosen head, and what the model predicts before and after."""
    queries, keys = sides(asked.example, asked.kind)
    words = tokenizer(asked.model)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        at = st.selectbox(
            t("Token"),
            range(len(keys)),
            index=_first(asked),
            format_func=lambda position: f"{position} {keys.visible[position]}",
            width=200,
        )
        typed = st.text_input(t("In its place"), key="in_place", width=200)
    try:
        id = _id(typed, at, keys, words)
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return
    example = _changed(asked.example, asked.kind, at, id, asked.model)
    after = awaited(reading(asked.model, example))
    if after is None:
        return
    new = sides(example, asked.kind)[1].visible[at]
    told = {"at": at, "before": keys.visible[at], "after": new, "layer": asked.layer, "head": asked.head}
    st.markdown(sentence(Message("Position {at}: {after} in the place of {before}.", told)))
    left, right = st.columns(2, gap="large")
    with left:
        st.caption(sentence(Message("Layer {layer}, head {head}: weight after minus weight before", told)))
        place = asked.layer, asked.head
        moved = after.attention[asked.kind].weights[place] - seen.attention[asked.kind].weights[place]
        axes = Axes(queries.visible, sides(example, asked.kind)[1].visible)
        caption = Message("How the weights change")
        st.html(one_head(signed_picture(moved.astype(float), axes, t, caption), len(keys)))
        signed_files(f"change_{asked.kind}_layer{asked.layer}_head{asked.head}", moved, axes)
    with right:
        _predictions(asked, example)


def _first(asked: Asked) -> int:
    """The token in the reader's hand, or one in the middle."""
    queries, keys = sides(asked.example, asked.kind)
    found = focus(len(queries), len(keys))
    at = len(keys) // 2 if found is None else found.at
    return min(at, len(keys) - 1)


def _id(typed: str, at: int, keys: Stream, words: Tokenizer) -> int:
    """The first token of what was typed, begun like the token that it replaces. Where nothing was typed: the mask, or,
    for a model without one, another token of the text. Raises InputProblem where there is no other."""
    if typed.strip():
        text = f" {typed.strip()}" if keys.visible[at][:1] in {"·", "▁"} else typed.strip()
        return int(words.encode(text, add_special=False).ids[0])
    return int(replacements(keys.ids)[at]) if words.special.mask is None else words.special.mask


@lru_cache(maxsize=32)
def _changed(example: Example, kind: AttentionKind, at: int, id: int, model: str) -> Example:
    return with_token(example, kind, at, id, tokenizer(model))


@lru_cache(maxsize=64)
def _scored(example: Example) -> Example:
    """The example with a target at every position of an encoder, so that its predictions can be read."""
    if example.decoder is not None:
        return example
    stream = example.output
    return replace(example, labels=stream.ids, label_visible=stream.visible)


def _predictions(asked: Asked, example: Example) -> None:
    """The best guess at each position before and after, those that change first."""
    if "language model" not in parts(asked.model):
        st.caption(
            sentence(Message("{model} has no language-model head, so it predicts no tokens.", {"model": asked.model}))
        )
        return
    st.caption(literal(t("Best guess at each position")))
    both = [_scores(asked.model, _scored(each)) for each in (asked.example, example)]
    if both[0] is not None and both[1] is not None:
        st.dataframe(_table(asked.example, both[0], both[1]), hide_index=True)


def _scores(model: str, example: Example) -> Scores | None:
    return measured(("score", example), model, lambda run, found, _: run.score(found, example))


def _table(example: Example, before: Scores, after: Scores) -> pd.DataFrame:
    """One row a position."""
    targets = _scored(example).targets
    table = pd.DataFrame(
        {
            t("position"): [target.position for target in targets],
            t("reads"): [target.reads for target in targets],
            t("guess before"): [pieces[0] for pieces in before.top_pieces],
            t("probability before"): before.top_probabilities[:, 0].round(4),
            t("guess after"): [pieces[0] for pieces in after.top_pieces],
            t("probability after"): after.top_probabilities[:, 0].round(4),
        }
    )
    same = table[t("guess before")] == table[t("guess after")]
    return table.assign(same=same).sort_values(["same", t("position")]).drop(columns="same")
