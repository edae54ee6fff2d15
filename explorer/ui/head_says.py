"""What a head of fine-tuning says of an Example: the model's own, or one that is trained here on a class's examples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from explorer.decoding import ENDS
from explorer.host import forbidden, rules
from explorer.linear_head import Head, Learned, learn, rows_of, split
from explorer.models import tokenizer
from explorer.models.catalog import best, parts
from explorer.models.checkpoint import head_for
from explorer.models.places import Progress
from explorer.models.runtime import Runtime
from explorer.raw_data import common_settings, make_examples, read_data
from explorer.types import Example, HeadOutput, InputProblem, Message, ModelId
from explorer.ui.controls import Asked
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.measured import measuring
from explorer.ui.own_data import own_data
from explorer.ui.words import literal, sentence, t

T = TypeVar("T")

STEPS = 200
FEWEST = 4
"""Examples that a head needs: three to learn from, one held out."""


@dataclass(frozen=True, eq=False)
class Trained:
    """A head, the numbers of examples it learned from and that were held out, and what it says of the latter: the line
    of the data, the text, what is wanted and what was said."""

    learned: Learned
    counts: tuple[int, int]
    held: tuple[tuple[int, str, str, str], ...]


def trains_here(asked: Asked) -> bool:
    """Whether the page's model has a body but no head for the page's objective."""
    have = parts(asked.model)
    return rules().training and "encoder" in have and head_for(asked.objective.key) not in have


def head_says(asked: Asked, made: Example) -> HeadOutput | None:
    """The output of the head; where there is none, the way to one is shown."""
    if head_for(made.objective) not in parts(asked.model):
        if not rules().training:
            st.caption(sentence(forbidden(Message("Training"), "EXPLORER_TRAINING")))
            return None
        if "encoder" not in parts(asked.model):
            _offer_body(asked.model)
            return None
        words = t("Put a head on this model that is trained here, on the examples below")
        if not st.toggle(words, key="own_head", bind="query-params"):
            told = t("The checkpoint has no head for this task. The body stays frozen; only a linear layer learns.")
            st.caption(told)
            return None
    return output_of(asked, made)


def output_of(asked: Asked, made: Example) -> HeadOutput | None:
    """The output of the model's own head, or else of the one that is trained here."""
    if head_for(made.objective) in parts(asked.model):
        return found(_head(asked, made))
    trained = own_head(asked)
    states = found(_states(asked, made))
    return None if trained is None or states is None else trained.learned.head.output(states, made)


def said_so_far(asked: Asked, made: Example) -> tuple[HeadOutput, Head | None] | None:
    """What is known by now of the output, and the head if it is one that was trained here; nothing is waited for."""
    if head_for(made.objective) in parts(asked.model):
        said = _head(asked, made).result
        return None if said is None else (said, None)
    if not trains_here(asked) or not st.session_state.get("own_head"):
        return None
    trained, states = _learning(asked).result, _states(asked, made).result
    if trained is None or states is None:
        return None
    return trained.learned.head.output(states, made), trained.learned.head


def _head(asked: Asked, made: Example) -> Job[HeadOutput]:
    return measuring(("head", made), asked.model, lambda run, model, _: run.head(model, made))


def _states(asked: Asked, made: Example) -> Job[NDArray[np.float32]]:
    return measuring(("states", made), asked.model, lambda run, model, _: run.features(model, made))


def own_head(asked: Asked) -> Trained | None:
    """The head that the data of the page teach; None while it is awaited or where there is a problem, which is told."""
    return found(_learning(asked))


def _learning(asked: Asked) -> Job[Trained]:
    key, text, settings = asked.objective.key, own_data(asked.objective.key).text, asked.settings

    def work(run: Runtime, model: ModelId, tell: Progress) -> Trained:
        return _train(run, model, tell, key=key, text=text, settings=settings)

    return measuring(("own head", key, text, settings), asked.model, work)


def found(job: Job[T]) -> T | None:
    """As `awaited`; a problem is told without a button, for the page may tell the same of its losses."""
    result = job.within(AT_ONCE)
    if result is None and job.done and job.problem is not None:
        st.error(sentence(job.problem.message))
    elif result is None:
        wait(job, st.empty())
    return result


def _offer_body(model: str) -> None:
    """A model whose body is here, where the page has not offered one with the whole head."""
    other = best(model, "encoder")
    if other is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(sentence(Message("A head can be trained here on {model}.", {"model": other})))
            st.button(literal(t("Use {model}", model=other)), key="use_body", on_click=_use, args=(other,))


def _use(model: str) -> None:
    st.session_state.update(model=model, own_head=True)


def _train(run: Runtime, model: ModelId, tell: Progress, *, key: str, text: str, settings: Any) -> Trained:
    words = tokenizer(model.name)
    _, items = read_data(text, key, words.classes)
    made = make_examples(key, items, words, common_settings(settings, items, words), 0).with_targets
    if len(made.examples) < FEWEST:
        given = {"count": len(made.examples), "least": FEWEST}
        raise InputProblem("The data have {count} examples that can be read; a head needs at least {least}.", given)
    states = []
    for number, example in enumerate(made.examples):
        given = {"number": number + 1, "count": len(made.examples)}
        tell(Message("Reading example {number} of {count}", given), number / len(made.examples))
        states.append(run.features(model, example))
    taught, held = split(["" if each.value is not None else str(each.extra.get("class")) for each in made.examples])
    names = ENDS if key == "question_answering" else made.examples[0].classes
    rows = [rows_of([made.examples[at] for at in part], [states[at] for at in part]) for part in (taught, held)]

    def told(step: int) -> None:
        tell(Message("Step {step} of {count}", {"step": step, "count": STEPS}), step / STEPS)

    learned = learn(rows[0], rows[1], names, STEPS, told)
    texts = {item.line: item.texts.text for item in items}
    outputs = [learned.head.output(states[at], made.examples[at]) for at in held]
    answers = [
        (_wanted(made.examples[at]), _said(made.examples[at], output)) for at, output in zip(held, outputs, strict=True)
    ]
    kept = [(made.lines[at], texts[made.lines[at]], *both) for at, both in zip(held, answers, strict=True)]
    return Trained(learned, (len(taught), len(held)), tuple(kept))


def _wanted(example: Example) -> str:
    """The labels of an example as words."""
    if example.objective == "question_answering":
        first, last = (target.position for target in example.targets)
        return " ".join(example.output.visible[first : last + 1])
    return " ".join(target.predicts for target in example.targets)


def _said(example: Example, output: HeadOutput) -> str:
    """What the head says at the same places."""
    if example.value is not None:
        return f"{output.logits[0]:.2f}"
    if example.objective == "question_answering":
        first, last = output.logits.argmax(axis=0).tolist()
        return " ".join(example.output.visible[first : last + 1]) or f"{first}–{last}"
    if example.objective == "sequence_classification":
        return output.names[int(output.logits.argmax())]
    return " ".join(output.names[int(output.logits[target.position].argmax())] for target in example.targets)
