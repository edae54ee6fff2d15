"""Mask and weights pictures: the cells, the axes, the legend; the layers of large ones read back from their PNG."""

from __future__ import annotations

import base64
import re
import struct
import zlib

import numpy as np
import pytest

from explorer.types import Message
from explorer.views.grid import Axes
from explorer.views.matrix import mask_picture, shares, signed_picture, weights_picture
from explorer.views.png import opacity_png

WORDS = ("the", "cat", "saw", "the")
CAUSAL = np.tril(np.ones((4, 4), dtype=bool))


def cells(page) -> list[list]:
    """The td cells of each row that has any."""
    return [[cell for cell in row if cell.tag == "td"] for _, row in page.rows[1:]]


def classes(page) -> list[list[str]]:
    return [[cell.attributes.get("class", "") for cell in row] for row in cells(page)]


def decode(png: bytes) -> np.ndarray:
    """The palette indices of a PNG of ours, checked chunk by chunk."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, found = 8, {}
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at : at + 8])
        data = png[at + 8 : at + 8 + size]
        assert struct.unpack(">I", png[at + 8 + size : at + 12 + size])[0] == zlib.crc32(kind + data)
        found[kind], at = data, at + 12 + size
    width, height, depth, colour = struct.unpack(">IIBB", found[b"IHDR"][:10])
    assert (depth, colour, len(found[b"PLTE"])) == (8, 3, 768)
    assert found[b"tRNS"] == bytes(range(256))
    rows = np.frombuffer(zlib.decompress(found[b"IDAT"]), dtype=np.uint8).reshape(height, width + 1)
    assert not rows[:, 0].any()
    return rows[:, 1:]


def layers(html: str) -> dict[str, np.ndarray]:
    found = re.findall(r'<i class="(\w+)" style="--png:url\(data:image/png;base64,([^)]+)\)"', html)
    return {name: decode(base64.b64decode(data)) for name, data in found}


def test_png_keeps_the_levels():
    levels = np.arange(12, dtype=np.uint8).reshape(3, 4) * 23
    assert np.array_equal(decode(opacity_png(levels)), levels)


def test_causal_mask_cell_by_cell(read):
    page = read(mask_picture(CAUSAL, WORDS, WORDS, str))
    assert classes(page) == [
        ["open", "closed", "closed", "closed"],
        ["open", "open", "closed", "closed"],
        ["open", "open", "open", "closed"],
        ["open", "open", "open", "open"],
    ]


def test_equal_tokens_keep_their_own_row_and_column(read):
    page = read(mask_picture(CAUSAL, WORDS, WORDS, str))
    assert [cell.text for cell in page.rows[0][1][1:]] == ["0  the", "1  cat", "2  saw", "3  the"]
    assert [row[0].text for _, row in page.rows[1:]] == ["0  the", "1  cat", "2  saw", "3  the"]


def test_answer_looks_at_answer_is_deeper(read):
    page = read(mask_picture(CAUSAL, WORDS, WORDS, str, answer=np.array([False, False, True, True])))
    assert classes(page)[3] == ["open", "open", "deep", "deep"]
    assert classes(page)[2] == ["open", "open", "deep", "closed"]


def test_hover_tells_query_key_and_reason(read):
    html = mask_picture(CAUSAL, WORDS, WORDS, str, reason=lambda i, j: Message("row {i}, column {j}", {"i": i, "j": j}))
    assert cells(read(html))[2][1].attributes["title"] == "2 saw → 1 cat\nrow 2, column 1"
    assert cells(read(mask_picture(CAUSAL, WORDS, WORDS, str)))[0][3].attributes["title"] == "0 the → 3 the\nclosed"


def test_clickable_grid_has_one_tab_stop(read):
    found = [
        cell
        for row in cells(read(mask_picture(CAUSAL, WORDS, WORDS, str, clickable=True, chosen=(2, 1))))
        for cell in row
    ]
    assert [cell.attributes["data-click"] for cell in found] == [f"cell:{i}:{j}" for i in range(4) for j in range(4)]
    assert [k for k, cell in enumerate(found) if cell.attributes["tabindex"] == "0"] == [2 * 4 + 1]
    assert [k for k, cell in enumerate(found) if "aria-selected" in cell.attributes] == [2 * 4 + 1]


def test_legend_lists_only_what_is_drawn():
    full = mask_picture(np.ones((2, 3), bool), ["u", "v"], ["x", "y", "z"], str)
    assert "may look" in full
    assert ">closed</li>" not in full
    assert ">closed</li>" in mask_picture(CAUSAL, WORDS, WORDS, str)


def test_cross_mask_is_not_square(read):
    page = read(mask_picture(np.ones((2, 3), bool), ["u", "v"], ["x", "y", "z"], str))
    assert [len(row) for row in cells(page)] == [3, 3]


def test_weights_hatch_the_mask_and_cross_out_what_is_no_number(read):
    weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    page = read(weights_picture(weights, Axes(["a", "b"], ["a", "b"]), str, mask=np.tril(np.ones((2, 2), bool))))
    (first, closed), (low, high) = cells(page)
    assert first.attributes["style"] == "--v:1.000"
    assert closed.attributes == {"class": "closed", "title": "0 a → 1 b\nclosed"}
    assert low.attributes == {"style": "--v:0.250", "title": "1 b → 0 a\n0.2500"}
    assert high.attributes["title"] == "1 b → 1 b\n0.7500"
    odd = weights_picture(np.array([[np.nan, 0.5]]), Axes(["a"], ["a", "b"]), str)
    assert cells(read(odd))[0][0].attributes == {"class": "odd", "title": "0 a → 0 a\nnot a number"}
    assert "not a number</li>" in odd


def test_row_that_may_look_at_nothing_has_no_query(read):
    mask = np.array([[False, False], [False, True]])
    page = read(
        weights_picture(np.array([[np.nan, np.nan], [0.0, 1.0]]), Axes(["[PAD]", "a"], ["[PAD]", "a"]), str, mask=mask)
    )
    assert [row[0].text for _, row in page.rows[1:]] == ["0  [PAD]  no query", "1  a"]
    assert classes(page) == [["closed", "closed"], ["closed", ""]]
    assert "no query" in mask_picture(mask, ["[PAD]", "a"], ["[PAD]", "a"], str)


@pytest.mark.parametrize(("largest", "told"), [(0.5, "0.5000"), (0.0, "0.0000")])
def test_scale_runs_to_the_largest_weight(largest: float, told: str):
    html = weights_picture(np.array([[largest, 0.0]]), Axes(["a"], ["a", "b"]), str)
    assert f"<span>{told}</span>" in html


def test_long_mask_is_drawn_as_layers():
    n = 200
    mask = np.tril(np.ones((n, n), bool))
    names = [f"w{k}" for k in range(n)]
    html = mask_picture(mask, names, names, str, answer=np.arange(n) >= 150, clickable=True)
    found = layers(html)
    assert list(found) == ["closed", "open", "deep"]
    assert np.array_equal(found["open"] == 255, mask)
    assert np.array_equal(found["closed"] == 255, ~mask)
    assert found["deep"].astype(bool).sum() == 50 * 51 // 2
    assert 'data-cells="200:200"' in html
    assert "199 w199" in html
    assert '<tr><th scope="row">199 w199</th><td>0–199</td></tr>' in html
    assert len(html) < 30_000


def test_chosen_row_of_a_long_picture_is_marked():
    names = ["w"] * 200
    html = mask_picture(np.ones((200, 200), bool), names, names, str, clickable=True, chosen=(50, 3))
    assert '<b style="--at:25.000%;--share:0.500%"></b>' in html
    assert "<b " not in mask_picture(np.ones((200, 200), bool), names, names, str, clickable=True)


def test_long_weights_are_drawn_as_layers():
    n = 100
    mask = np.tril(np.ones((n, n), bool))
    weights = mask / mask.sum(axis=1, keepdims=True)
    weights[7, 3] = np.nan
    names = ["w"] * n
    html = weights_picture(weights, Axes(names, names), str, mask=mask)
    assert '<tr><th scope="row">1 w</th><td>0 w: 0.5000</td></tr>' in html
    found = layers(html)
    assert list(found) == ["closed", "low", "high", "odd"]
    assert found["high"][1, 0] == 128
    assert found["high"][0, 0] == 255
    assert np.argwhere(found["odd"]).tolist() == [[7, 3]]


def test_hostile_tokens_are_shown_literally(read, hostile):
    names = hostile.output.visible
    n = len(names)
    long = tuple(names) * 10
    for html in (
        mask_picture(np.ones((n, n), bool), names, names, str, clickable=True),
        weights_picture(np.full((n, n), 1 / n), Axes(names, names), str),
        mask_picture(np.ones((70, 70), bool), long, long, str, clickable=True),
    ):
        page = read(html)
        assert not {tag for tag, _ in page.tags} & {"img", "script"}
        assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)


def test_a_weight_where_the_mask_is_closed_is_an_error(read):
    weights = np.array([[0.75, 0.25], [0.5, 0.5]])
    html = weights_picture(weights, Axes(["a", "b"], ["a", "b"]), str, mask=np.tri(2, dtype=bool))
    assert classes(read(html)) == [["", "wrong"], ["", ""]]
    assert "error: a weight where the mask is closed (0.2500)" in cells(read(html))[0][1].attributes["title"]
    assert "error: a weight where the mask is closed</li>" in html


def test_a_logarithmic_scale_says_so(read):
    html = weights_picture(np.array([[1.0, 0.01, 0.0]]), Axes(["a"], ["a", "b", "c"]), str, log=True)
    assert [cell.attributes["style"] for cell in cells(read(html))[0]] == ["--v:1.000", "--v:0.500", "--v:0.000"]
    assert "logarithmic" in html
    assert "0.0001" in html
    assert shares(np.array([2.0, 1.0]), log=False).tolist() == [1.0, 0.5]


def test_names_of_an_axis_take_the_place_of_its_numbers(read):
    axes = Axes(["b", "c"], ["d"], rows=["1", "2"], columns=["7–9"])
    html = weights_picture(np.array([[0.5], [1.0]]), axes, str, clickable=True)
    assert cells(read(html))[1][0].attributes["title"] == "2 c → 7–9 d\n1.0000"
    assert "data-click=query:1" in html
    assert "data-click=key:0" in html


def test_differences_have_a_sign_and_not_only_a_colour(read):
    html = signed_picture(np.array([[0.5, -0.25, 0.0]]), Axes(["a"], ["a", "b", "c"]), str, Message("difference"))
    assert classes(read(html)) == [["plus", "minus", "plus"]]
    assert [cell.attributes["title"].split("\n")[1] for cell in cells(read(html))[0]] == [
        "+0.5000",
        "-0.2500",
        "+0.0000",
    ]
    assert "−0.5000" in html


def test_long_pictures_bring_their_numbers_for_the_hover():
    n = 70
    weights = np.tri(n) / np.arange(1, n + 1)[:, None]
    html = weights_picture(weights, Axes(["x"] * n, ["y"] * n), str)
    packed = np.frombuffer(base64.b64decode(re.search(r'data-values="([^"]+)"', html)[1]), dtype="<u2")
    np.testing.assert_allclose(packed.reshape(n, n) / 65535, weights, atol=1e-5)
    assert 'data-largest="1"' in html
