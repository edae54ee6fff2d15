"""What there is to take home of a reading: the weights that are shown as code, numbers and pictures, all heads as one
picture, and all weights of all kinds as .npz."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import partial

import streamlit as st

from explorer.looking import attention_code, head_figures
from explorer.models.forward import sides
from explorer.models.in_code import loading
from explorer.sights import Choice, Sight, sight
from explorer.types import Message
from explorer.ui.attention_lab import Asked, Seen
from explorer.ui.files import File, drawn_files, picture_files
from explorer.ui.head_part import axes_of, mask_of
from explorer.ui.overview_part import mosaic_of
from explorer.ui.sight_fields import HOWS, choice_now
from explorer.ui.take_home_part import Parcel
from explorer.ui.words import t
from explorer.views.grid import Axes
from explorer.views.heads import head_line, one_head
from explorer.views.matrix import weights_picture
from explorer.views.painting import weights_painting
from explorer.views.roles import Say, legend
from explorer.views.rows import roles_shown, token_rows
from explorer.views.tables import weights_table

SHOWN = Message("What is shown")


@dataclass(frozen=True)
class Shown:
    """The weights as the page shows them. log: on a logarithmic scale."""

    choice: Choice
    found: Sight
    axes: Axes
    log: bool


def attention_parcel(asked: Asked, seen: Seen) -> Parcel:
    """Of what the page shows: one head, or several as one, without what is hidden."""
    choice, log = choice_now(asked), st.session_state.get("scale") == "log"
    found = sight(seen.attention[asked.kind].weights, mask_of(asked), choice, *sides(asked.example, asked.kind))
    shown = Shown(choice, found, axes_of(asked, found), log)
    which = f"head{asked.head}" if choice.how == "head" else choice.how
    name = f"attention_{asked.kind}_layer{asked.layer}_{which}"
    title = f"{asked.model} {name}"

    paint = partial(weights_painting, found.weights, shown.axes, title, mask=found.mask, log=log)
    return Parcel(
        name,
        Message("Attention"),
        asked.model,
        attention_code(asked.example, seen.model, asked.kind, choice, loading(asked.model)),
        partial(_record, asked, shown),
        partial(weights_table, found.weights, shown.axes, mask=found.mask),
        partial(_parts, asked, shown),
        [(t(SHOWN), picture_files(name, paint)), (t(Message("All heads")), _all_files(asked, seen, log=log))],
    )


def _record(asked: Asked, shown: Shown) -> dict[str, object]:
    found = shown.found
    return {
        "model": asked.model,
        "kind": asked.kind,
        **asdict(shown.choice),
        "rows": found.rows,
        "columns": found.columns,
        "queries": shown.axes.queries,
        "keys": shown.axes.keys,
        "weights": found.weights,
        "open": found.mask,
    }


def _parts(asked: Asked, shown: Shown, say: Say) -> list[tuple[str, str]]:
    """What is read, and the weights with their figures."""
    found, axes = shown.found, shown.axes
    figures = (head_figures(found.weights, found.mask), axes) if found.mask.any() else None
    picture = weights_picture(found.weights, axes, say, mask=found.mask, log=shown.log)
    place = Message("Layer {layer}, head {head}", {"layer": asked.layer, "head": asked.head})
    heading = f"{say(HOWS[shown.choice.how])} · {say(place)}"
    example = asked.example
    read = token_rows(example, say, brief=True) + legend(roles_shown(example), say, loss=example.n_targets > 0)
    return [(say(Message("Text")), read), (heading, head_line(figures, say) + one_head(picture, len(axes.keys)))]


def _all_files(asked: Asked, seen: Seen, *, log: bool) -> list[File]:
    name = f"attention_{asked.kind}"

    def png() -> bytes:
        from explorer.views.paint import mosaic_png

        return mosaic_png(mosaic_of(asked, seen, log=log)[0])

    def svg() -> str:
        from explorer.views.svg import mosaic_svg

        return mosaic_svg(mosaic_of(asked, seen, log=log)[0], f"{asked.model} {name}")

    def npz() -> bytes:
        from explorer.views.tensors import attention_npz

        return attention_npz(asked.example, seen.attention)

    return [*drawn_files(name, png, svg), File("npz", "attention.npz", "application/octet-stream", npz)]
