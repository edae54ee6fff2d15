"""What the attention page shows beside one head, with tiny random models of each family in the place of real ones."""

from __future__ import annotations

import re

import numpy as np
import pytest

from explorer.influence import LONGEST
from explorer.looking import example_for
from explorer.models import tokenizer
from explorer.objectives import Texts
from explorer.tokens import SpecialIds
from explorer.ui import change_part
from explorer.views.bertviz_page import missing
from tests.app.conftest import Open, picture, words
from tests.app.test_attention import PICTURE, weights
from tests.fakes import LetterTokenizer

MODELS = {"tiny/gpt2": "decoder", "tiny/bert-body": "encoder", "tiny/bart": "cross", "tiny/t5": "decoder"}
TEXTS = {"text": "the cat", "target": "a dog"}
PARTS = ("heads", "influence", "change", "mask", "masks", "positions", "bertviz")

pytestmark = pytest.mark.usefixtures("tiny_models")


def plain(app) -> str:
    return re.sub(r"<[^>]+>|\\", "", words(app))


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("model", MODELS)
def test_every_part_opens_for_every_family(open_anywhere: Open, model: str, part: str):
    app = open_anywhere("attention", model=model, kind=MODELS[model], part=part, **TEXTS)
    assert not app.exception
    assert not app.error
    assert app.session_state["part"] == part
    assert nameless(words(app)) == []


def nameless(html: str) -> list[str]:
    """Pictures that say nothing to a person who cannot see them."""
    drawn = re.findall(r"<[^>]*(?:role=\"(?:img|region)\"|role=(?:img|region)|<img)[^>]*>", html)
    assert drawn
    return [tag for tag in drawn if not re.search(r"(?:aria-label|alt)=\"?[^\"\s>]", tag)]


def test_the_overview_has_a_tile_for_each_head_and_opens_it(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abc", layer="1", head="2")
    html = picture(app, "overview")
    assert html.count('class="tile"') == 2 * (4 + 1)
    assert re.findall(r'data-click="([^"]+)"[^>]*aria-pressed=true', html) == ["head:1:2"]


@pytest.mark.parametrize(("how", "sums"), [("mean", 1), ("maximum", None), ("rollout", 1)])
def test_heads_as_one(open_anywhere: Open, how: str, sums: float | None):
    app = open_anywhere("attention", model="tiny/gpt2", text="abcd", layer="1", combine=how)
    rows = weights(app).sum(axis=1)
    if sums is not None:
        np.testing.assert_allclose(rows, sums, atol=5e-4)
    else:
        assert (rows >= 1 - 5e-4).all()


def test_special_tokens_are_hidden_and_it_is_said(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/bert", text="a b", hide="true")
    assert weights(app).shape == (2, 2)
    np.testing.assert_allclose(weights(app).sum(axis=1), 1, atol=5e-4)
    assert "each row is divided by what is left of it" in plain(app)


def test_one_sentence_looks_at_the_other(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/bert", text="a b", text_b="c", pair="ab")
    html = picture(app, PICTURE)
    assert re.findall(r'scope="row" title="(\d+) ', html) == ["0", "1", "2", "3"]
    assert re.findall(r'scope="col" title="(\d+) ', html) == ["4", "5"]


def test_a_logarithmic_scale_is_said_on_the_legend(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abc", scale="log")
    assert "<span>logarithmic</span>" in picture(app, PICTURE)


@pytest.mark.parametrize(("focus", "axis"), [("query:2", 0), ("key:1", 1)])
def test_the_text_is_lit_by_the_token_in_hand(open_anywhere: Open, focus: str, axis: int):
    app = open_anywhere("attention", state={"focus": focus}, model="tiny/gpt2", text="abcd")
    at = int(focus[-1])
    line = weights(app)[at] if axis == 0 else weights(app)[:, at]
    shares = [float(share) for share in re.findall(r"--v:([\d.]+)", picture(app, "lit_text"))]
    np.testing.assert_allclose(shares, line / line.max(), atol=2e-3)
    assert ("is looked at most by" in plain(app)) == (axis == 1)


def test_source_and_target_light_each_other(open_anywhere: Open):
    app = open_anywhere("attention", state={"focus": "key:1"}, model="tiny/bart", kind="cross", **TEXTS)
    html = picture(app, "lit_text")
    assert html.count('data-click="query:') == weights(app).shape[0]
    assert html.count('data-click="key:') == weights(app).shape[1]
    assert html.count("--v:") == weights(app).shape[0]


def test_a_long_text_comes_in_blocks_with_the_tokens_of_one(open_anywhere: Open):
    app = open_anywhere("attention", state={"zoom": "150:10"}, model="tiny/gpt2", text="abcde" * 40)
    assert picture(app, "attention_block").count('scope="row"') == 29
    html = picture(app, PICTURE)
    assert re.findall(r'scope="row" title="(\d+) ', html)[0] == "134"
    assert re.findall(r'scope="col" title="(\d+) ', html)[-1] == "31"
    assert "Blocks of 7 tokens" in plain(app)


def test_influence_tells_the_mask(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abcd", part="influence")
    assert "No path is open to 6 cells, and the change there is exactly 0." in plain(app)
    app = open_anywhere("attention", model="tiny/gpt2", text="abcd", part="influence", run_mask="full")
    assert "no cell is closed" in plain(app)


def test_influence_says_its_limit(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="ab" * 40, part="influence")
    told = app.error[0].value.replace("\\", "")
    assert "80 tokens" in told
    assert f"up to {LONGEST}" in told


def test_mask_and_weights_agree(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abcd", part="mask")
    assert "6 cells are closed, and all 8 heads have weight 0 there." in plain(app)


def test_three_masks_have_three_losses(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abcdefgh", part="masks", prefix_length="4")
    losses = re.findall(r"Mean loss `?([\d.]+)`? over 7 targets", plain(app))
    assert len(set(losses)) == 3
    app = open_anywhere("attention", model="tiny/bert", text="abcd", part="masks")
    assert "Choose a decoder-only model" in plain(app)


def test_another_token_changes_weights_and_predictions(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/bert-masked-lm", text="abc", state={"focus": "query:2"}, part="change")
    assert "Position 2: `[MASK]` in the place of `##b`." in plain(app)
    table = app.dataframe[0].value
    assert len(table) == 5
    app.text_input(key="in_place").set_value("z").run()
    assert "Position 2: `z` in the place of `##b`." in plain(app)


def test_without_a_mask_token_another_of_the_text_takes_the_place():
    words = tokenizer("tiny/gpt2")
    bare = LetterTokenizer(special=SpecialIds())
    stream = example_for("decoder", Texts("abcd"), words).decoder
    assert change_part._id("", 1, stream, bare) == stream.ids[2]
    assert change_part._id("z", 1, stream, words) == words.id("z")
    assert change_part._id("", 1, stream, words) == words.special.mask


@pytest.mark.skipif(bool(missing()), reason="the packages of requirements-bertviz.txt are not installed")
def test_bertviz_says_what_it_left_out(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="abcde" * 20, part="bertviz")
    assert "it gets the first 64 of 100 tokens" in plain(app)
    app = open_anywhere("attention", model="tiny/t5", part="bertviz", bertviz="neuron", **TEXTS)
    assert "adds a bias of positions" in plain(app)


def test_a_single_token_has_a_picture(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="a")
    assert not app.exception
    assert weights(app).tolist() == [[1.0]]


def test_as_many_tokens_as_the_page_takes_have_a_picture(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="ab" * 256)
    assert not app.exception
    assert not app.error
    assert 'role="img"' in picture(app, "attention_block") or 'role="grid"' in picture(app, "attention_block")


def test_ten_thousand_tokens_are_refused_in_words(open_anywhere: Open):
    app = open_anywhere("attention", model="tiny/gpt2", text="a" * 10_000)
    told = app.error[0].value.replace("\\", "")
    assert "10000 tokens" in told
    assert "512" in told
