"""The measures of all heads as a table, and the heads with a name as a list to click."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from html import escape
from itertools import groupby

import numpy as np
import pandas as pd

from explorer.head_atlas import Measures, Named, named
from explorer.types import Message
from explorer.views.roles import Say
from explorer.views.style import attribute

COLUMNS = {
    "entropy": Message("entropy, in nats"),
    "even": Message("evenness"),
    "distance": Message("mean distance"),
    "first": Message("on the first token"),
    "last": Message("on the last token"),
    "own": Message("on itself"),
    "previous": Message("on the token before"),
    "pads": Message("on padding"),
    "copying": Message("on what followed before"),
}


def atlas_table(measures: Measures, say: Say) -> pd.DataFrame:
    """One row a head: layer, head, name and score where it has them, and every measure."""
    layers, heads = measures.entropy.shape
    names = {(each.layer, each.head): each for each in named(measures)}
    places = list(np.ndindex(layers, heads))
    found = [names.get(place) for place in places]
    columns: dict[str, object] = {
        say(Message("layer")): [layer for layer, _ in places],
        say(Message("head")): [head for _, head in places],
        say(Message("name")): ["" if each is None else say(each.pattern.name) for each in found],
        say(Message("score")): [np.nan if each is None else each.score for each in found],
    }
    columns |= {say(COLUMNS[each.name]): getattr(measures, each.name).ravel() for each in fields(measures)}
    return pd.DataFrame(columns).round(4)


def named_list(heads: Sequence[Named], say: Say) -> str:
    """Heads by pattern, each to click; their mark is "head:3:5"."""
    if not heads:
        none = say(Message("No head reaches a threshold on this text."))
        return f'<p class="xp soft">{escape(none)}</p>'
    groups = groupby(heads, key=lambda each: each.pattern)
    items = "".join(_group(list(members), say) for _, members in groups)
    return f'<dl class="xp named">{items}</dl>'


def _group(heads: Sequence[Named], say: Say) -> str:
    pattern = heads[0].pattern
    column = Message("{measure} at least {threshold}", {
        "measure": COLUMNS[pattern.measure], "threshold": f"{pattern.threshold:g}"
    })  # fmt: skip
    chips = "".join(_chip(each, say) for each in heads)
    return f"<dt>{escape(say(pattern.name))} <small>{escape(say(column))}</small></dt><dd>{chips}</dd>"


def _chip(each: Named, say: Say) -> str:
    words = say(Message("Layer {layer}, head {head}", {"layer": each.layer, "head": each.head}))
    hover = attribute("title", words)
    return (
        f'<button data-click="head:{each.layer}:{each.head}"{hover}>{each.layer}.{each.head} '
        f"<b>{each.score:.2f}</b></button>"
    )
