"""Pages where weights are there: tiny random models of each family stand in for real ones."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

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
    assert len(app.dataframe) == 1


def test_best_guesses_are_made_when_they_are_looked_at(open_anywhere: Open):
    app = open_anywhere("gpt", model="tiny/gpt2", text="the cat saw the dog")
    losses_there = losses(app)
    assert [len(each.value) for each in app.dataframe] == [len(losses_there) + 1]
    app.session_state["top_five"] = True
    app.run()
    tables = [each.value for each in app.dataframe]
    assert [len(each) for each in tables] == [len(losses_there) + 1, len(losses_there)]
    assert tables[1]["loss"].round(2).tolist() == losses_there


def test_a_model_without_the_head_says_so_and_offers_one_that_has_it(open_anywhere: Open):
    app = open_anywhere("bert", model="tiny/bert-body")
    assert not losses(app)
    assert any("without the head" in each.value for each in app.markdown)
    app.button(key="use_other").click().run()
    assert losses(app)


def test_examples_are_shared_and_scores_belong_to_them(open_anywhere: Open):
    app = open_anywhere("gpt", model="tiny/gpt2", text="the cat")
    info = example.cache_info()
    app.run()
    assert example.cache_info().hits > info.hits
    assert example.cache_info().misses == info.misses
    assert all(math.isfinite(loss) for loss in losses(app))
