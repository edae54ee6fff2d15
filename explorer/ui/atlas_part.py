"""What each head does, in numbers to sort by, and the heads that have a name; a click opens a head."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import streamlit as st

from explorer.head_atlas import Measures, measure, named
from explorer.models.forward import sides
from explorer.types import AttentionKind
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.clickable import clickable
from explorer.ui.head_part import mask_of
from explorer.ui.overview_part import open_mark
from explorer.ui.tables import table_with_csv
from explorer.ui.words import literal, t
from explorer.views.atlas import atlas_table, named_list

_measures: WeakKeyDictionary[Seen, dict[AttentionKind, Measures]] = WeakKeyDictionary()
"""Numbers live as long as the weights that they were taken from."""


def atlas_part(asked: Asked, seen: Seen) -> None:
    """Named heads first, then all of them."""
    found = _measure(asked, seen)
    st.markdown(
        literal(t("A head has a name where its score reaches the threshold on this text; another text may differ."))
    )
    clickable(named_list(named(found), t), "named_heads", open_mark)
    table_with_csv(atlas_table(found, t), f"heads_{asked.kind}", [t("name")])


def _measure(asked: Asked, seen: Seen) -> Measures:
    kept = _measures.setdefault(seen, {})
    if asked.kind not in kept:
        _, keys = sides(asked.example, asked.kind)
        weights, real = seen.attention[asked.kind].weights, keys.attention_mask.astype(bool)
        kept[asked.kind] = measure(weights, mask_of(asked), keys.ids, real, same=asked.kind != "cross")
    return kept[asked.kind]
