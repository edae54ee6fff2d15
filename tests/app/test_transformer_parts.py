"""What the Transformer page shows beside its objective, with and without weights."""

from __future__ import annotations

import re

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui.transformer_parts import PARTS
from tests.app.conftest import Open, words


def drawn(app: AppTest) -> str:
    """All words, of an app whose drawings are in components: st.html takes every svg out."""
    assert not [each for each in app.get("html") if "<svg" in each.proto.body]
    return words(app)


def plain(app: AppTest) -> str:
    return drawn(app).replace("\\", "").replace("`", "")


@pytest.mark.models
@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_every_part_opens_without_weights(open_page: Open, part: str, lang: str):
    app = open_page("transformer", lang, part=part, model="google-t5/t5-small")
    assert not app.exception
    assert not app.error
    assert app.session_state["part"] == part
    if part in {"alignment", "free"} and lang == "en":
        assert "no weights on this machine, so there is nothing to see here" in plain(app)


@pytest.mark.parametrize("part", ["memory", "alignment", "free"])
@pytest.mark.parametrize("model", ["explorer/transformer", "explorer/t5", "explorer/bart"])
def test_every_part_opens_with_weights(only_bundled, open_anywhere: Open, part: str, model: str):
    app = open_anywhere("transformer", part=part, model=model)
    assert not app.exception
    assert not app.error
    assert "nothing to see here" not in plain(app)
    assert {"memory": "largest change of a logit", "alignment": 'class="best"', "free": "right token"}[part] in drawn(
        app
    )


@pytest.mark.models
def test_label_smoothing_of_8000(open_page: Open):
    told = plain(open_page("transformer", model="google-t5/t5-small"))
    assert all(number in told for number in ("0.9000125", "0.0000125", "1.2237", "8.987"))


@pytest.mark.models
def test_the_learning_rate_peaks_at_step_4000(open_page: Open):
    app = open_page("transformer", part="rate", model="google-t5/t5-small")
    assert "<b>0.000699</b> at step 4,000, the peak" in drawn(app)
    assert "<b>0.000349</b> at step 16,000, half of it" in drawn(app)
    assert drawn(app).count("<polyline") == 3


@pytest.mark.models
def test_a_mask_left_out_by_numbers(open_page: Open):
    rows = re.findall(
        r"<td>([\d.]+)</td><td>([\d.]+)</td><td>([\d.]+)%</td>",
        drawn(open_page("transformer", part="memory", model="google-t5/t5-small")),
    )
    alone, masked, bare = [tuple(map(float, row)) for row in rows]
    assert alone[0] == masked[0] != bare[0]
    assert masked[1] < 1e-4 < bare[1]
    assert (alone[2], masked[2]) == (0, 0)
    assert bare[2] > 0
