"""The padding mask of cross-attention left out, by numbers: on the page's model where it has weights, else on a small
torch.nn.Transformer."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from explorer.memory_mask import LeftOut
from explorer.models.catalog import parts
from explorer.models.places import Progress
from explorer.types import Example, Message
from explorer.ui.jobs import Job
from explorer.ui.measured import awaited, measured
from explorer.ui.words import own_comments, sentence, t
from explorer.views.memory_mask import memory_figures, memory_picture


def memory_mask_part(model: str, example: Example) -> None:
    """How many pads, then the pass alone, with the mask, and without it."""
    pads = st.slider(t("Padding tokens"), 1, 12, 5, key="pads", bind="query-params", width=240)
    if "language model" in parts(model):
        found = _real(model, example, pads)
    else:
        st.caption(
            sentence(
                Message(
                    "{model} has no weights on this machine, so this is a small torch.nn.Transformer with random "
                    "weights: its numbers mean nothing, but what changes them is the same in any model.",
                    {"model": model},
                )
            )
        )
        found = awaited(_small(pads))
    if found is None:
        return
    st.html(memory_figures(found, t))
    st.html(memory_picture(found, t))
    given = {"share": found.share(found.bare), "change": found.change(found.bare)}
    st.markdown(
        sentence(
            Message(
                "Without memory_key_padding_mask, cross-attention gives {share:.1%} of its weight to pads and a logit "
                "changes by up to {change:.4f}: the same sentence gets another answer in another batch, and no error "
                "is raised. src_key_padding_mask alone does not help, for the encoder computes states for pads too.",
                given,
            )
        )
    )
    st.code(own_comments(CALL), language="python")


CALL = """model(
    src, tgt,
    tgt_mask=causal,                          # (S, S)  True = hidden
    src_key_padding_mask=src == pad,          # (B, T)  encoder self-attention
    tgt_key_padding_mask=tgt == pad,          # (B, S)  decoder self-attention
    memory_key_padding_mask=src == pad,       # (B, T)  cross-attention: easily left out
)"""


def _real(model: str, example: Example, pads: int) -> LeftOut | None:
    return measured(("left out", example, pads), model, lambda run, found, _: run.left_out(found, example, pads))


@lru_cache(maxsize=16)
def _small(pads: int) -> Job[LeftOut]:
    def work(tell: Progress) -> LeftOut:
        from explorer.models.left_out import small_left_out

        tell(Message("A small model is built"), None)
        return small_left_out(pads)

    return Job(work)
