"""The exercises page: one exercise at a time, made from its code, and what the reader has done with it so far."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from random import SystemRandom

import numpy as np
import streamlit as st

from explorer.exercises import KINDS, LARGEST, LEVELS, Code, Exercise, make, parse_code
from explorer.models import runtime, tokenizer
from explorer.models.catalog import best, suited
from explorer.models.places import Progress
from explorer.objectives import objective
from explorer.sampling import Floats
from explorer.types import InputProblem
from explorer.ui import frame
from explorer.ui.exercise_part import exercise_part
from explorer.ui.jobs import AT_ONCE, Job, wait
from explorer.ui.models import NOWHERE, standing
from explorer.ui.visits import enter, leave, refuse, refused
from explorer.ui.words import literal, sentence, t

FIRST = Code("labels", 1, 1)
FIELDS = ("code",)


def exercises() -> None:
    """What to practise, and the exercise."""
    code = _ask()
    try:
        exercise = _next(code) if code.kind == "next" else _made(code, _names())
    except InputProblem as problem:
        st.error(sentence(problem.message))
        return
    if exercise is not None:
        exercise_part(exercise)


def _ask() -> Code:
    """Kind, level and code. The code alone stands in the URL, and the other fields write to it."""
    if enter("exercises", {"code": str(FIRST)}):
        _set_address_right()
    code = _read(st.text_input("?code=", str(FIRST), key="code", bind="query-params", label_visibility="collapsed"))
    leave(FIELDS)
    for reason in refused():
        st.warning(sentence(reason))
    for name, value in (("exercise", code.kind), ("level", code.level), ("code_shown", str(code))):
        st.session_state[name] = value
    with st.container(key="strip"):
        _fields(code)
    return code


def _set_address_right() -> None:
    """The address has the code of the exercise on the page, however it was written there. Once the field is drawn it
    writes the address alone, so this comes before."""
    given = st.query_params.get("code", str(FIRST))
    code = str(_read(given))
    if given != code:
        st.query_params["code"] = code
        st.rerun()


def _read(text: str) -> Code:
    """The code; the first exercise, and why, where there is none."""
    try:
        return parse_code(text)
    except InputProblem as problem:
        refuse([problem.message])
        return FIRST


def _fields(code: Code) -> None:
    kinds = {kind: t(title) for kind, title in KINDS.items()}
    st.segmented_control(
        t("What to practise"), [*kinds], format_func=kinds.__getitem__, key="exercise", required=True, on_change=_other
    )
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        one = code.kind == "open"
        label = t("Level (open questions have only one)") if one else t("Level")
        st.segmented_control(label, LEVELS, key="level", required=True, on_change=_other, disabled=one)
        st.text_input(
            t("Code ({kind})", kind=kinds[code.kind]), key="code_shown", help=_help(kinds), on_change=_typed, width=224
        )
        st.button(t("Another exercise"), key="another", icon=":material/shuffle:", on_click=_other)


def _help(kinds: Mapping[str, str]) -> str:
    """What a code is for, and the kind that each of them begins with."""
    words = t("Whoever types this code, or opens the address of this page, gets the same exercise.")
    begins = t("The word that a code begins with tells the kind:")
    listed = " · ".join(f"`{kind}` {literal(name)}" for kind, name in kinds.items())
    return "\n\n".join([literal(words), literal(begins), listed])


def _other() -> None:
    """Another exercise of the kind and level that are chosen."""
    number = SystemRandom().randint(1, LARGEST)
    _go(Code(st.session_state["exercise"], st.session_state["level"], number))


def _typed() -> None:
    """The exercise that was asked for; where there is none, the one that stands on the page stays."""
    try:
        _go(parse_code(st.session_state["code_shown"]))
    except InputProblem as problem:
        refuse([problem.message])


def _go(code: Code) -> None:
    st.session_state["code"] = str(code)
    refuse(())


def _names() -> tuple[tuple[str, str], ...]:
    """The canonical model of each objective, and the one whose tokenizer stands for it on this machine."""
    models = {objective(key).model for key in ("masked_lm", "causal_lm", "denoising", "span_corruption")}
    return tuple((model, best(model) or model) for model in sorted(models))


@lru_cache(maxsize=512)
def _made(code: Code, names: tuple[tuple[str, str], ...]) -> Exercise:
    """Shared by all readers: a class that does one exercise has it made once."""
    here = dict(names)
    return make(code, lambda model: tokenizer(here[model]))


def _next(code: Code) -> Exercise | None:
    """The exercise against a model, None while the model is being loaded or where there is none."""
    model = suited(objective("causal_lm"), "language model")
    if model is None:
        st.markdown(sentence(NOWHERE))
        return None
    place, job = st.empty(), _guessed(code, model)
    found = job.within(AT_ONCE)
    frame.status(model, standing(model, None))
    if found is None:
        wait(job, place)
    return found


@lru_cache(maxsize=128)
def _guessed(code: Code, model: str) -> Job[Exercise]:
    def work(tell: Progress) -> Exercise:
        found = runtime().identify(model, progress=tell)
        runtime().load(found, tell)

        def says(ids: tuple[int, ...]) -> Floats:
            handle, logits = runtime().prefill(found, ids)
            runtime().close(handle)
            return np.asarray(logits, dtype=np.float64)

        return make(code, lambda _: tokenizer(model), says)

    return Job(work)
