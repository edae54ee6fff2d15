"""The code that the page shows, run as it stands: it writes the text of the page."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from explorer import generation
from explorer.example import Loading
from explorer.types import ModelId, SamplingSettings
from explorer.views.writing_code import writing_code

PLANS = {
    "drawn": [SamplingSettings(temperature=0.8, top_p=0.9, seed=3)] * 6,
    "every filter": [SamplingSettings(0.7, 40, 0.95, 0.02, 1.2, seed=1, typical_p=0.95)] * 6,
    "greedy, then drawn": [SamplingSettings(greedy=True, repetition_penalty=1.3)] * 3 + [SamplingSettings(seed=5)] * 3,
}


def run(code: str) -> None:
    exec(compile(code, "the code of the page", "exec"), {})


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("name", ["tiny/gpt2", "tiny/t5"])
def test_the_code_writes_the_text_of_the_page(
    tiny_models: Path, capsys: pytest.CaptureFixture[str], name: str, plan: str
) -> None:
    session, used = generation.start(ModelId(name), "The cat"), []
    for settings in PLANS[plan]:
        if session.generation.stopped is None:
            session = generation.step(session, settings)
            used.append(settings)
    begun = session.handle.ids[: session.begun]
    code = writing_code(Loading(repr(str(tiny_models / name))), begun, used, session.handle.source_ids)
    run(code)
    assert capsys.readouterr().out.removesuffix("\n").rstrip("\ufffd") == session.text


def test_the_code_leaves_behind_what_the_text_has_left_behind(
    tiny_models: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = generation.start(ModelId("tiny/gpt2"), "The cat")
    session = replace(session, facts=replace(session.facts, limit=11, ends=frozenset()))
    settings = SamplingSettings(1.5, repetition_penalty=1.3, seed=4)
    for _ in range(16):
        session = generation.step(generation.forget(session), settings)
    assert session.forgotten == 15
    place = Loading(repr(str(tiny_models / "tiny/gpt2")))
    used = [settings] * len(session.generation.steps)
    run(writing_code(place, session.opening, used, limit=11))
    assert capsys.readouterr().out.removesuffix("\n").rstrip("\ufffd") == session.text


def test_steps_with_the_same_settings_are_counted() -> None:
    first, second = SamplingSettings(top_k=8), SamplingSettings(greedy=True, temperature=0.5, seed=2)
    code = writing_code(Loading('"gpt2"'), [5, 6], [first, first, second])
    assert "plan = [([TopKLogitsWarper(8)], 0)] * 2 + [([TopKLogitsWarper(1)], 2)] * 1\n" in code
    assert "ids, shares = torch.tensor([[5, 6]]), []\n" in code
