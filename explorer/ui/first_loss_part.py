"""The first loss against ln V, measured on fresh models: a check of how a model is built, and tied embeddings."""

from __future__ import annotations

from functools import lru_cache

import streamlit as st

from explorer.first_loss import Check, even_guess
from explorer.models.places import Progress
from explorer.types import Example, Message
from explorer.ui.jobs import Job
from explorer.ui.measured import awaited
from explorer.ui.words import literal, sentence, t
from explorer.views.first_loss import first_loss_table, shapes_line

VOCABULARIES = (100, 1000, 8000)


def first_loss_part(_: str, __: Example) -> None:
    """The vocabulary, a row for each way of building, and the shapes on the way."""
    size = st.select_slider(t("Vocabulary"), VOCABULARIES, 8000, key="first_vocabulary", width=240)
    found = awaited(_job(size))
    if found is None:
        return
    given = {"size": size, "even": even_guess(size)}
    st.markdown(sentence(Message("A fresh model knows nothing: its loss must lie near ln {size} = {even:.3f}.", given)))
    st.html(first_loss_table(found.ways, even_guess(size), t))
    st.markdown(
        literal(
            t(
                "A loss far above says that the first logits are too large; one far below, that the model sees its "
                "answers. Tied embeddings are one matrix for the way in and the way out: half of the numbers. What "
                "goes in is then found again on the way out, so the larger its spread, the surer a fresh model "
                "repeats the token that it has just read."
            )
        )
    )
    st.html(shapes_line(found.ways[0], t))
    st.markdown(
        literal(
            t(
                "torch.nn.Transformer is Post-LN like the paper, but brings neither embeddings nor positions: "
                "sinusoids or a learned table, the √D and the tied head are up to who builds with it."
            )
        )
    )
    small = found.small
    told = {"size": small.vocabulary, "loss": small.loss, "even": even_guess(small.vocabulary), "leak": small.leak}
    st.markdown(
        sentence(
            Message(
                "The smallest check: one causal block over {size} tokens begins at {loss:.4f}, near ln {size} = "
                "{even:.3f}, and another last token changes the outputs before it by {leak:.8f}.",
                told,
            )
        )
    )


@lru_cache(maxsize=8)
def _job(size: int) -> Job[Check]:
    def work(tell: Progress) -> Check:
        from explorer.models.fresh import first_losses
        from explorer.models.one_block import one_block

        tell(Message("Fresh models are built"), None)
        return Check(first_losses(size), one_block())

    return Job(work)
