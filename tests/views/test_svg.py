"""Pictures as SVG: every cell in its place with its word, names that are text and nothing else."""

from __future__ import annotations

from xml.etree import ElementTree

import numpy as np
import pytest

from explorer.masks import Rules, reason
from explorer.views.grid import Axes
from explorer.views.painting import mask_painting, signed_painting, weights_painting
from explorer.views.svg import CELL, ROOM, painting_svg

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = ("</svg><script>alert(1)</script>", 'a"b\x00&', "나")


def drawn(svg: str) -> ElementTree.Element:
    """The picture; what is not well formed is an error."""
    return ElementTree.fromstring(svg)


def cells(picture: ElementTree.Element) -> list[ElementTree.Element]:
    return [each for each in picture.iter(f"{SVG}rect") if len(each)]


def test_a_mask_has_a_square_for_each_cell_and_says_why() -> None:
    rules = Rules(2, 2, causal=True)
    axes = Axes(("a", "b"), ("a", "b"))
    found = drawn(painting_svg(mask_painting(rules.mask, axes, "Mask", str, lambda i, j: reason(rules, i, j))))
    assert [each.get("fill") for each in cells(found)] == [
        "rgb(127,176,216)",
        "url(#closed)",
        "rgb(127,176,216)",
        "rgb(127,176,216)",
    ]
    assert cells(found)[1][0].text == ("0 a → 1 b: Closed: position 1 comes after position 0, and nobody looks ahead.")
    assert (cells(found)[1].get("x"), cells(found)[1].get("y")) == (str(ROOM + CELL), str(ROOM))
    assert found.find(f"{SVG}title").text == "Mask"
    assert found.get("aria-labelledby") == found.find(f"{SVG}title").get("id")


def test_where_the_answer_looks_at_itself_the_mask_is_deeper() -> None:
    mask, answer = np.tri(2, dtype=bool), np.array([False, True])
    found = mask_painting(mask, Axes("ab", "ab"), "", str, lambda i, j: reason(Rules(2, 2), i, j), answer=answer)
    assert found.colours[1].tolist() == [[127, 176, 216], [42, 107, 166]]


def test_weights_are_told_and_dark_where_they_are_large() -> None:
    weights = np.array([[1.0, 0.0], [0.25, 0.75]])
    found = drawn(painting_svg(weights_painting(weights, Axes("ab", "ab"), "head", mask=np.tri(2, dtype=bool))))
    assert [each[0].text.rpartition(" ")[2] for each in cells(found)] == ["1.0000", "0.0000", "0.2500", "0.7500"]
    assert cells(found)[0].get("fill") == "rgb(8,48,107)"
    assert cells(found)[1].get("fill") == "url(#closed)"


def test_differences_have_a_sign() -> None:
    found = drawn(painting_svg(signed_painting(np.array([[0.5, -0.25]]), Axes("a", "bc"), "x")))
    assert [each[0].text.rpartition(" ")[2] for each in cells(found)] == ["+0.5000", "-0.2500"]


@pytest.mark.parametrize("size", [3, 100])
def test_hostile_names_are_text(size: int) -> None:
    names = (HOSTILE * 40)[:size]
    svg = painting_svg(weights_painting(np.tri(size), Axes(names, names), HOSTILE[0]))
    found = drawn(svg)
    assert not list(found.iter(f"{SVG}script"))
    assert found.find(f"{SVG}title").text == HOSTILE[0]
    assert any((each.text or "").startswith("0 </svg><script>") for each in found.iter(f"{SVG}text"))


def test_a_large_matrix_is_one_image_and_stays_small() -> None:
    names = tuple(map(str, range(512)))
    svg = painting_svg(weights_painting(np.tri(512), Axes(names, names), "long"))
    found = drawn(svg)
    [image] = found.iter(f"{SVG}image")
    assert image.get("href").startswith("data:image/png;base64,")
    assert cells(found) == []
    assert len(svg) < 200_000
