"""The mosaic of all heads, the lit text, the atlas, bertviz's page, and pictures as files."""

from __future__ import annotations

import re
import zipfile
from io import BytesIO

import numpy as np
import pytest
from PIL import Image

from explorer.head_atlas import measure, named
from explorer.looking import example_for
from explorer.objectives import Texts
from explorer.types import Attention, Message
from explorer.views.atlas import atlas_table, named_list
from explorer.views.bertviz_page import MOST, bertviz_page, missing, shortened
from explorer.views.grid import Axes
from explorer.views.lit import lit_text
from explorer.views.mosaic import SIDE, mosaic, mosaic_picture, mosaic_sheet
from explorer.views.paint import mosaic_png, painting_png
from explorer.views.painting import signed_painting, weights_painting
from explorer.views.tensors import attention_npz
from tests.fakes import LetterTokenizer
from tests.views.test_matrix import decode

HOSTILE = ("</script><script>alert(1)</script>", "<img src=x onerror=alert(1)>", 'a"b', "<!--")
CAUSAL = np.tri(4, dtype=bool)


def heads(layers: int, count: int, size: int) -> Attention:
    """Causal weights drawn at random."""
    rng = np.random.default_rng(0)
    weights = rng.dirichlet(np.ones(size), size=(layers, count, size)) * np.tri(size)
    weights /= weights.sum(axis=-1, keepdims=True)
    return Attention(weights.astype(np.float32), ("a",) * size, ("a",) * size, "decoder")


class TestMosaic:
    def test_every_tile_is_its_head_and_the_last_of_a_row_the_mean(self):
        attention = heads(2, 3, 30)
        found = mosaic(attention, np.tri(30, dtype=bool))
        height, width = found.tile
        for layer, head in np.ndindex(2, 4):
            top, left = layer * height + found.margins[0], head * width
            tile = found.levels["high"][top : top + 30, left : left + 30] / 255
            wanted = attention.weights[layer, head] if head < 3 else attention.weights[layer].mean(axis=0)
            np.testing.assert_allclose(tile, wanted / wanted.max(), atol=1 / 32)
            closed = found.levels["closed"][top : top + 30, left : left + 30]
            assert ((closed == 255) == ~np.tri(30, dtype=bool)).all()

    def test_every_tile_has_its_name_and_can_be_clicked(self):
        html = mosaic_picture(mosaic(heads(2, 3, 4), CAUSAL), (4, 4), str, (1, 2))
        marks = re.findall(r'class="tile" data-click="([^"]+)"', html)
        assert marks == [f"{kind}" for layer in (0, 1) for kind in
                         (*(f"head:{layer}:{head}" for head in range(3)), f"mean:{layer}")]  # fmt: skip
        assert re.findall(r'data-click="([^"]+)"[^>]*aria-pressed=true', html) == ["head:1:2"]
        assert 'title="Layer 1, head 2"' in html
        assert {"layer:0", "layer:1", "column:0", "column:1", "column:2"} <= set(
            re.findall(r'data-click="([^"]+)"', html)
        )

    def test_choosing_another_head_sends_no_picture(self):
        found = mosaic(heads(2, 3, 4), CAUSAL)
        assert "data:image" not in mosaic_picture(found, (4, 4), str, (0, 0))
        assert mosaic_sheet(found).count("data:image/png") == len(found.levels) == 3

    def test_what_is_no_number_has_a_pattern_of_its_own(self):
        weights = np.full((1, 1, 2, 2), 0.5, dtype=np.float32)
        weights[0, 0, 1, 0] = np.nan
        found = mosaic(Attention(weights, ("a", "b"), ("a", "b"), "encoder"), np.ones((2, 2), dtype=bool))
        assert "odd" in found.levels
        assert "closed" not in found.levels

    def test_a_long_text_is_drawn_in_blocks_and_stays_small(self):
        found = mosaic(heads(1, 1, 300), np.tri(300, dtype=bool))
        assert found.tile[0] - found.margins[0] <= SIDE

    def test_a_single_token(self):
        html = mosaic_picture(mosaic(heads(1, 1, 1), np.ones((1, 1), dtype=bool)), (1, 1), str, None)
        assert html.count('class="tile"') == 2

    def test_the_file_has_a_tile_for_each_head(self):
        found = mosaic(heads(2, 3, 30), np.tri(30, dtype=bool))
        page = Image.open(BytesIO(mosaic_png(found)))
        assert page.width / page.height == pytest.approx(4 * found.tile[1] / (2 * found.tile[0]), rel=0.02)


class TestLitText:
    def test_a_token_is_as_strong_as_its_weight_and_has_a_bar(self):
        html = lit_text(
            ("the", "cat", "the"), "query", Message("text"), str, weights=np.array([0.5, 0.25, 0.0]), chosen=1
        )
        assert re.findall(r"--v:([\d.]+)", html) == ["1.000", "0.500", "0.000"]
        assert re.findall(r'data-click="([^"]+)" aria-pressed=(\w+)', html) == [
            ("query:0", "false"),
            ("query:1", "true"),
            ("query:2", "false"),
        ]
        assert 'title="0 the\n0.5000"' in html

    def test_hostile_tokens_are_shown_literally(self, read):
        page = read(f"<table><tr><td>{lit_text(HOSTILE, 'key', Message('text'), str)}</td></tr></table>")
        assert not {tag for tag, _ in page.tags} & {"img", "script"}


class TestAtlas:
    def test_one_row_a_head_with_name_and_score(self):
        rows = np.array([[1, 0, 0, 0], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0]], dtype=float)
        found = measure(np.stack([rows, np.eye(4)])[None], CAUSAL, np.arange(4), np.ones(4, dtype=bool), same=True)
        table = atlas_table(found, str)
        assert table["name"].tolist() == ["previous token", "itself (diagonal)"]
        assert table["score"].tolist() == [1.0, 1.0]
        assert table["on the token before"].tolist() == [1.0, 0.0]
        html = named_list(named(found), str)
        assert re.findall(r'data-click="([^"]+)"', html) == ["head:0:0", "head:0:1"]
        assert "on the token before at least 0.5" in html

    def test_no_name_is_said(self):
        assert "No head reaches a threshold" in named_list((), str)


@pytest.mark.skipif(bool(missing()), reason="the packages of requirements-bertviz.txt are not installed")
class TestBertviz:
    @pytest.mark.parametrize("view", ["head", "model"])
    def test_nothing_is_fetched_and_no_token_ends_the_script(self, view):
        attention = Attention(heads(2, 2, 4).weights, HOSTILE, HOSTILE, "decoder")
        html = bertviz_page(view, attention, 1, 0)
        scripts = re.findall(r"<script>(.*?)</script>", html, flags=re.DOTALL)
        assert len(scripts) == 4
        assert html.count("</script") == 4
        assert "<img" not in html
        around = re.sub(r"<script>.*?</script>", "", html, flags=re.DOTALL)
        assert not re.search(r"<script|<link|src=|url\(", around)
        assert "cdnjs" not in html
        assert "\\u003c/script\\u003e" in scripts[-1]

    def test_the_neuron_view_gets_queries_and_keys(self):
        attention = Attention(heads(1, 2, 4).weights, ("a",) * 4, ("a",) * 4, "decoder")
        vectors = np.ones((1, 2, 4, 8), dtype=np.float32)
        html = bertviz_page("neuron", attention, 0, 1, (vectors, vectors))
        assert '<select id="layer" hidden>' in html
        assert "window.bertviz_params=" in html
        assert '"bidirectional": false' in html

    def test_a_long_text_is_capped(self):
        cut = shortened(heads(1, 1, 100), MOST["head"])
        assert cut.weights.shape == (1, 1, 64, 64)
        assert len(cut.queries) == len(cut.keys) == 64


class TestFiles:
    def test_weights_are_dark_where_they_are_large_and_hatched_where_closed(self):
        found = weights_painting(
            np.array([[1.0, 0.0], [0.5, 0.5]]), Axes(("a", "b"), ("a", "b")), "head", mask=np.tri(2, dtype=bool)
        )
        page = np.asarray(Image.open(BytesIO(painting_png(found))).convert("RGB"), dtype=int)
        assert page[140, 140].tolist() == [8, 48, 107]
        closed = page[130:150, 150:170]
        assert {tuple(colour) for colour in closed.reshape(-1, 3).tolist()} == {(255, 255, 255), (185, 192, 203)}

    def test_differences_are_blue_and_orange(self):
        found = signed_painting(np.array([[1.0, -1.0]]), Axes(("나",), ("a", "b")), "x")
        page = np.asarray(Image.open(BytesIO(painting_png(found))), dtype=int)
        assert page[140, 140].tolist() == [0, 114, 178]
        assert page[140, 160].tolist() == [213, 94, 0]

    def test_a_large_matrix_is_a_picture_too(self):
        names = tuple(map(str, range(512)))
        page = Image.open(BytesIO(painting_png(weights_painting(np.tri(512), Axes(names, names), "long"))))
        assert page.width > 1024

    def test_npz_gives_back_every_array(self):
        example = example_for("decoder", Texts("a b c d"), LetterTokenizer())
        data = attention_npz(example, {"decoder": heads(2, 3, 4)})
        assert zipfile.is_zipfile(BytesIO(data))
        with np.load(BytesIO(data)) as found:
            np.testing.assert_array_equal(found["decoder"], heads(2, 3, 4).weights)
            assert (found["decoder_mask"] == CAUSAL).all()
            assert found["decoder_keys"].tolist() == ["a"] * 4


def test_palette_pictures_are_read_back():
    found = mosaic(heads(1, 1, 30), np.tri(30, dtype=bool))
    from explorer.views.png import opacity_png

    np.testing.assert_array_equal(decode(opacity_png(found.levels["high"])), found.levels["high"])
