"""Pages where weights are there: tiny random models of each family stand in for real ones."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.models import runtime
from explorer.ui.made import example
from tests.app.conftest import Open, picture, words

pytestmark = pytest.mark.usefixtures("tiny_models")


def losses(app: AppTest) -> list[float]:
    """The losses under the token rows."""
    return [float(number) for number in re.findall(r'<td class="bar[^>]*>([\d.]+)</td>', picture(app, "rows"))]


@pytest.mark.parametrize(
    ("page", "model"), [("gpt", "tiny/gpt2"), ("bert", "tiny/bert"), ("t5", "tiny/t5"), ("bart", "tiny/bart")]
)
def test_each_target_has_its_loss_and_they_average_to_the_figure(open_anywhere: Open, page: str, model: str):
    app = open_anywhere(page, model=model, text="the cat saw the dog and the bird")
    assert not app.error
    found = losses(app)
    assert len(found) == int(re.search(r"<b>(\d+)</b> target", words(app))[1])
    mean = float(re.search(r"<b>([\d.]+)</b> mean loss", words(app))[1])
    assert mean == pytest.approx(np.mean(found), abs=0.01)
    assert len(app.dataframe) == (3 if page in {"t5", "bart"} else 2)


def test_a_model_without_the_head_says_so_and_offers_one_that_has_it(open_anywhere: Open):
    app = open_anywhere("bert", model="tiny/bert-body")
    assert not losses(app)
    assert any("without the head" in each.value for each in app.markdown)
    app.button(key="use_other").click().run()
    assert losses(app)


def written(app: AppTest) -> list[int]:
    """The ids written so far."""
    return list(app.session_state["writing"].session.generation.ids)


@pytest.mark.parametrize("model", ["tiny/gpt2", "tiny/llama", "tiny/t5", "tiny/bart"])
def test_steps_back_and_reset(open_anywhere: Open, model: str):
    app = open_anywhere("generate", model=model, text="abc", seed="3")
    assert written(app) == []
    for count in (1, 2, 3):
        app.button(key="step").click().run()
        if app.session_state["writing"].session.generation.stopped is None:
            assert len(written(app)) == count
    before = written(app)
    app.button(key="undo").click().run()
    assert written(app) == before[:-1]
    app.button(key="step").click().run()
    assert written(app) == before
    app.button(key="reset").click().run()
    assert written(app) == []
    assert not app.error


def test_ten_steps_at_once_are_ten_single_steps(open_anywhere: Open):
    app = open_anywhere("generate", model="tiny/gpt2", text="abc", greedy="true")
    app.button(key="step_10").click().run()
    at_once = written(app)
    app.button(key="reset").click().run()
    for _ in range(10):
        if not app.button(key="step").disabled:
            app.button(key="step").click().run()
    assert written(app) == at_once


def test_sliders_cut_without_another_pass_and_steps_stay(open_anywhere: Open, monkeypatch: pytest.MonkeyPatch):
    app = open_anywhere("generate", model="tiny/gpt2", text="abc")
    app.button(key="step").click().run()
    before = written(app)
    monkeypatch.setattr(type(runtime()), "advance", None)
    monkeypatch.setattr(type(runtime()), "prefill", None)
    app.slider(key="top_k").set_value(2).run()
    assert not app.exception
    assert written(app) == before
    assert "top-k 2" in words(app)


def test_another_prompt_begins_anew(open_anywhere: Open):
    app = open_anywhere("generate", model="tiny/gpt2", text="abc")
    app.button(key="step").click().run()
    app.text_area(key="text").set_value("xyz").run()
    assert written(app) == []
    assert app.session_state["writing"].asked.prompt == "xyz"


def test_an_empty_prompt_starts_from_the_start_token_and_says_so(open_anywhere: Open):
    app = open_anywhere("generate", model="tiny/gpt2")
    app.text_area(key="text").set_value("").run()
    assert not app.error
    assert any("The prompt is empty" in each.value for each in app.caption)


def test_examples_are_shared_and_scores_belong_to_them(open_anywhere: Open):
    app = open_anywhere("gpt", model="tiny/gpt2", text="the cat")
    info = example.cache_info()
    app.run()
    assert example.cache_info().hits > info.hits
    assert example.cache_info().misses == info.misses
    assert all(math.isfinite(loss) for loss in losses(app))
