"""The generate page up to the first step: the prompt, the model, and the model's reading of the prompt."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from explorer import generation
from explorer.generation import Session
from explorer.models import runtime, tokenizer
from explorer.models.cards import Card
from explorer.models.catalog import best, canonical, card, parts
from explorer.models.checkpoint import Part
from explorer.models.places import Progress
from explorer.prompts import first_prompt, prompts, suits
from explorer.sharing import IDS
from explorer.tree import EMPTY, Tree
from explorer.types import InputProblem, Message, ModelId, SamplingSettings
from explorer.ui.controls import check_address, chips, model_field, report_address
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.leaving import hold
from explorer.ui.models import check_models, first_linked, introduce, models_with, offer
from explorer.ui.sampling_fields import Pace, SamplingFields, Weights, ask_precision, suit_greedy
from explorer.ui.texts import text_field
from explorer.ui.visits import enter, is_ready, leave
from explorer.ui.words import literal, t

HEAD: Part = "language model"
FILTERS = {each.name: each.default for kind in (SamplingFields, Pace, Weights) for each in fields(kind)}
FIELDS = ("text", "target", "model", *FILTERS)
"""The names of all fields of the page."""


@dataclass(frozen=True)
class Asked:
    """What a text is written from. target: what an encoder-decoder's answer begins with; precision: of the model's
    numbers, None where the app chooses; stack: which stacks the model has."""

    model: str
    prompt: str
    target: str
    precision: str | None
    stack: str


@dataclass(frozen=True)
class Writing:
    """The text being written, and what it belongs to.

    job: the model's reading of the prompt, None where it has no weights; session: the text, None until the prompt is
    read; tree: all that was written from this prompt, the text among it; owed: tokens still to be written without a
    further press; given: the ids that a link brought, as far as they are still to be written; seen: how many presses
    of buttons have been answered; clicked: what else was asked for since the last run, as "token:464", "step:3",
    "node:12", "follow:464 12", "link:464 12" or "append:a text"; wanted: by the key of its button, the long
    work that was last asked for.
    """

    asked: Asked
    job: Job[Session] | None = None
    session: Session | None = None
    tree: Tree = EMPTY
    owed: int = 0
    given: tuple[int, ...] = ()
    seen: int = 0
    clicked: tuple[str, ...] = ()
    wanted: Mapping[str, object] = field(default_factory=dict)

    @property
    def used(self) -> tuple[SamplingSettings, ...]:
        """The settings of each step of the text."""
        return self.tree.settings()

    @property
    def busy(self) -> bool:
        """Whether tokens are written that nobody presses for."""
        return bool(self.owed or self.given)

    @property
    def running(self) -> ModelId | None:
        """The model as it was loaded, None until the prompt is read."""
        return None if self.session is None else self.session.generation.model


def writing_now() -> Writing:
    """The reader's text; call it where the page has begun one."""
    writing = current()
    assert writing is not None  # noqa: S101 - for the type checker
    return writing


def current() -> Writing | None:
    """The reader's text."""
    kept = st.session_state.get("writing")
    return kept if isinstance(kept, Writing) else None


def keep(writing: Writing) -> Writing:
    """Make it the reader's text; the one that it replaces is freed where it is another."""
    before = current()
    if before is not None and before.asked != writing.asked:
        _free(before)
    hold("writing", partial(_free, writing))
    st.session_state["writing"] = writing
    return writing


def _free(writing: Writing) -> None:
    """Give up what the model keeps for a text, or will when its prompt is read."""
    if writing.session is not None:
        generation.close(writing.session)
    elif writing.job is not None:
        writing.job.drop(generation.close)


def pressed(writing: Writing, key: str, label: str, what: object) -> bool:
    """Draw a button for work that takes its time; whether exactly this work has been asked for."""
    if st.button(literal(label), key=key):
        writing = keep(replace(writing_now(), wanted={**writing_now().wanted, key: what}))
    return writing.wanted.get(key) == what


def ask() -> Asked:
    """Draw the fields: prompt, model, and for an encoder-decoder what its answer begins with. Raises InputProblem; all
    that was typed stays."""
    models, first = models_with(HEAD, "decoder", ("decoder", "encoder-decoder"))
    begins = first_prompt(first_linked(first))
    start = {"text": begins, "target": "", "model": first, **FILTERS}
    if enter("generate", start):
        check_address(SamplingFields, Pace, Weights)
        check_models("model")
        _suit_settings(first_linked(str(st.session_state["model"])))
        _stop()
    report_address()
    left, right = st.columns([3, 1])
    with left:
        prompt = text_field("text", t("Prompt"), begins)
        below = st.container()
    with right:
        model = model_field(models, first, _suit)
        precision = ask_precision()
    leave(FIELDS)
    with below:
        found = card(model)
        target = _beside(found)
        introduce(model)
    return Asked(canonical(model), prompt, target, precision, found.stack)


def _suit() -> None:
    """Another model was chosen: a prompt that is the app's own, and for another model, makes way for its own."""
    text, model = str(st.session_state["text"]), str(st.session_state["model"])
    if is_ready(text) and not suits(text, model):
        st.session_state["text"] = first_prompt(model)
    _suit_settings(model)


def _suit_settings(model: str) -> None:
    """What nobody has chosen of the settings begins as suits the model. One that cannot be had is told elsewhere."""
    before = current()
    with suppress(InputProblem):
        suit_greedy("" if before is None else before.asked.stack, card(model).stack)


def _beside(model: Card) -> str:
    """The ready prompts; for an encoder-decoder also what its answer begins with."""
    ready = prompts(model.family, model.stack, tokenizer(model.name))
    chips([each.title for each in ready], [{"text": each.text} for each in ready])
    if model.stack != "encoder-decoder":
        return ""
    return text_field("target", t("What the answer begins with (optional)"), rows=1)


def _stop() -> None:
    """Whoever comes back finds the text as it was left, not growing."""
    kept = current()
    if kept is not None:
        keep(replace(kept, owed=0, given=()))


def begin(asked: Asked) -> Writing:
    """The text as far as it has been written; a new one where something else is asked for."""
    kept = current()
    if kept is None or kept.asked != asked:
        kept = Writing(asked, seen=0 if kept is None else kept.seen)
    if kept.job is None and HEAD in parts(asked.model):
        kept = replace(kept, job=_reading(asked))
    if kept.job is not None and kept.session is None:
        kept = replace(kept, session=kept.job.within(AT_ONCE))
    brought = st.session_state.pop(IDS, "")
    if brought:
        kept = replace(kept, clicked=(f"link:{brought}",))
    return keep(kept)


def finish(writing: Writing, place: DeltaGenerator) -> None:
    """Where the prompt is not read yet: wait for it in `place` and draw the page again, or say what is missing."""
    if writing.session is not None:
        return
    if writing.job is not None:
        wait(writing.job, place)
    else:
        nearest = best("decoder", HEAD) or best("encoder-decoder", HEAD)
        offer(writing.asked.model, HEAD, place, lambda: _fetch(writing), otherwise=nearest)


def _fetch(writing: Writing) -> Job[Session]:
    job = _reading(writing.asked)
    keep(replace(writing, job=job))
    return job


def _reading(asked: Asked) -> Job[Session]:
    """The model is loaded once for all readers; each has a cache of their own, so no step gets in another's way."""

    def work(tell: Progress) -> Session:
        found = runtime().identify(asked.model, dtype=asked.precision, progress=tell)
        runtime().load(found, tell)
        tell(Message("{model} reads the prompt", {"model": asked.model}), None)
        return generation.start(found, asked.prompt, asked.target)

    return Job(work)
