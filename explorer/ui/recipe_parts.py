"""The recipe of Vaswani et al. 2017 in pictures that need no model: label smoothing, the learning rate, positions."""

from __future__ import annotations

from math import log

import numpy as np
import streamlit as st

from explorer.loss import smoothed_target, smoothing_floor
from explorer.position_maps import likeness, sinusoids
from explorer.schedules import KINDS, learning_rate, rates
from explorer.types import Example, Message
from explorer.ui.clickable import clickable
from explorer.ui.words import literal, sentence, t
from explorer.views.figures import number_line
from explorer.views.grid import Axes
from explorer.views.matrix import signed_picture
from explorer.views.smoothing import smoothing_bars
from explorer.views.written_lines import line_picture

VOCABULARIES = (8, 100, 8000, 50257)


def smoothing_part(_: str, __: Example) -> None:
    """The smoothed target as bars, and the loss that it leaves."""
    with st.container(horizontal=True, gap="medium"):
        size = st.select_slider(t("Vocabulary"), VOCABULARIES, 8000, key="vocabulary", width=240)
        share = st.slider(t("Label smoothing"), 0.0, 0.5, 0.1, 0.05, key="epsilon", bind="query-params", width=240)
    target = smoothed_target(0, size, share)
    st.html(smoothing_bars(float(target[0]), float(target[-1]), size, t))
    given = {"floor": smoothing_floor(size, share), "even": log(size)}
    words = Message(
        "The lowest loss that is left is {floor:.4f}, that of saying exactly this target; an even guess costs "
        "{even:.3f} as ever. A model that is surer than the target is punished for it.",
        given,
    )
    st.markdown(sentence(words))


def rate_part(_: str, __: Example) -> None:
    """Three schedules with one peak, over the steps."""
    with st.container(horizontal=True, gap="medium"):
        size = st.select_slider(t("Width of the model"), (128, 256, 512, 1024), 512, key="width", width=240)
        warmup = st.slider(t("Warm-up steps"), 500, 10_000, 4000, 500, key="warmup", bind="query-params", width=240)
        last = st.slider(t("Steps in all"), 10_000, 100_000, 40_000, 10_000, key="last", bind="query-params", width=240)
    peak = learning_rate(warmup, size, warmup)
    at = np.unique(np.linspace(1, last, 400).astype(int))
    lines = {t(word): rates(kind, at, peak=peak, warmup=warmup, last=last) for kind, word in KINDS.items()}
    title = Message("learning rate by step")
    picture = line_picture(lines, title, t, places=6, axis=("1", f"{last:,}"))
    clickable(f'<div class="xp rates">{picture}</div>', "rates")
    parts = (
        (f"{learning_rate(1, size, warmup):.1e}", Message("at step 1")),
        (f"{peak:.6f}", Message("at step {step}, the peak", {"step": f"{warmup:,}"})),
        (
            f"{learning_rate(4 * warmup, size, warmup):.6f}",
            Message("at step {step}, half of it", {"step": f"{4 * warmup:,}"}),
        ),
    )
    st.html(number_line(parts, t))
    st.markdown(
        literal(
            t(
                "d^-0.5 · min(step^-0.5, step · warmup^-1.5), with Adam and β2 = 0.98. The wider the model, the lower "
                "the rate. Linear and cosine end at 0; here they have the same peak."
            )
        )
    )


def sinusoid_part(_: str, __: Example) -> None:
    """The table, and how alike two positions are by their distance."""
    with st.container(horizontal=True, gap="medium"):
        positions = st.slider(t("Positions"), 10, 200, 100, 10, key="positions", bind="query-params", width=240)
        size = st.select_slider(t("Numbers of a position"), (16, 32, 64, 128, 256, 512), 128, key="numbers", width=240)
    table = sinusoids(positions, size)
    words = Message("positions"), Message("numbers of the embedding")
    axes = Axes([""] * positions, [""] * size, words=words)
    left, right = st.columns([3, 2], gap="large")
    with left:
        st.html(signed_picture(table, axes, t, Message("Sinusoidal table")))
    with right:
        line = line_picture(
            {"": likeness(table)[0]},
            Message("how alike position 0 and each other one are (cosine)"),
            t,
            places=2,
            axis=("0", str(positions - 1)),
        )
        clickable(f'<div class="xp lines">{line}</div>', "likeness")
        st.markdown(
            literal(
                t(
                    "Two neighbouring columns are sine and cosine of one angle, which grows with the position, ever "
                    "more slowly to the right. Nothing is learned. How alike two positions are depends on their "
                    "distance alone. The table is added to the embeddings, which are multiplied by √d before."
                )
            )
        )
