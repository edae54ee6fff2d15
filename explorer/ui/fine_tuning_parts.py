"""What the fine-tuning page has between the token rows and the mask: labels by hand, the head drawn, what it says."""

from __future__ import annotations

from dataclasses import replace

import streamlit as st

from explorer.models.heads import head_layers
from explorer.types import Example, HeadOutput, Message
from explorer.ui.answer_part import answer_part, mark_answer
from explorer.ui.controls import Asked
from explorer.ui.head_says import head_says, trains_here
from explorer.ui.tag_part import tag_grid, tag_part
from explorer.ui.words import literal, sentence, t
from explorer.views.head_drawing import head_drawing
from explorer.views.heads import seen_bars

PARTS = {"question_answering": answer_part, "token_classification": tag_part}


def fine_tuning_parts(asked: Asked, made: Example) -> bool:
    """For the objective that is on the page; True where a head can be trained here in place of one that is missing."""
    if made.objective == "question_answering":
        mark_answer(asked)
    if made.objective == "token_classification":
        with st.expander(t("Tags in a grid, word by word")):
            tag_grid(asked, made)
    st.header(t("The head"), anchor=False)
    layers = head_layers(asked.model, made.objective, len(made.classes))
    if layers and trains_here(asked) and st.session_state.get("own_head"):
        layers = (replace(layers[-1], name="linear", bias=True),)
    if layers:
        st.html(head_drawing(made, layers, t))
    said = head_says(asked, made)
    if said is not None:
        PARTS.get(made.objective, _classes)(asked, made, said)
    return trains_here(asked)


def _classes(asked: Asked, made: Example, said: HeadOutput) -> None:
    """The classes by probability, or the one number."""
    if made.value is not None:
        number = float(said.logits[0])
        given = {"said": number, "wanted": made.value, "error": (number - made.value) ** 2}
        st.markdown(sentence(Message("Said {said:.2f}, wanted {wanted:g}: squared error {error:.3f}.", given)))
        return
    order = said.probabilities.argsort()[::-1]
    best = said.names[int(order[0])]
    columns = [f"{logit:+.2f}" for logit in said.logits]
    st.html(seen_bars(said.probabilities, said.names, Message("Logit, class, probability"), t, columns))
    wanted = made.classes[made.targets[0].predicts_id]
    right = best.casefold() == wanted.casefold()
    told = {"said": best, "wanted": wanted}
    st.markdown(
        sentence(Message("Said {said}: right.", told) if right else Message("Said {said}, wanted {wanted}.", told))
    )
    st.caption(
        literal(t("A linear layer and a softmax: the class with the largest logit has the largest probability."))
    )
