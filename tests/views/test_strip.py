"""The token rows as a picture: what stands where, in bands, as SVG and as PNG."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree

import numpy as np
from PIL import Image

from explorer.objectives import Texts
from explorer.types import ModelId, Scores
from explorer.views.paint import strip_png
from explorer.views.strip import BAND, LOSS_FILL, NAMES, rows_strip
from explorer.views.svg import strip_svg
from tests.examples import make
from tests.fakes import LetterTokenizer

SVG = "{http://www.w3.org/2000/svg}"
BERT = LetterTokenizer(template=True)


def rows(strip) -> list[list[str]]:
    """The texts of each row, its name first."""
    found: dict[float, list[str]] = {}
    for box in strip.boxes:
        found.setdefault(box.y, []).append(box.text)
    return [found[y] for y in sorted(found)]


def scored(*losses: float) -> Scores:
    n = len(losses)
    return Scores(ModelId("m"), np.array(losses), np.zeros((n, 1)), np.ones((n, 1)), (("x",),) * n)


def test_each_column_has_its_position_piece_target_and_loss() -> None:
    made = make("masked_lm", BERT, Texts("a b"), {"select": "2"})
    assert rows(rows_strip(made, "BERT", str, scored(1.25))) == [
        ["position", "0", "1", "2", "3"],
        ["input", "[CLS]", "a", "[MASK]", "[SEP]"],
        ["must say", "", "", "b", ""],
        ["loss", "", "", "1.25", ""],
    ]


def test_two_stacks_stand_one_under_the_other() -> None:
    made = make("seq2seq", LetterTokenizer(), Texts("a b", target="c"))
    assert [row[0] for row in rows(rows_strip(made, "", str))] == [
        "position",
        "encoder input",
        "position",
        "decoder input",
        "must say",
    ]


def test_a_long_text_goes_on_in_another_band() -> None:
    made = make("causal_lm", LetterTokenizer(), Texts("a " * 60))
    strip = rows_strip(made, "", str)
    assert strip.width <= NAMES + BAND
    assert [row[0] for row in rows(strip)].count("input") > 1
    assert [text for row in rows(strip) if row[0] == "position" for text in row[1:]] == [str(t) for t in range(60)]


def test_the_svg_is_text_and_says_each_role() -> None:
    made = make("masked_lm", BERT, Texts("a b"), {"select": "2"})
    svg = strip_svg(rows_strip(made, "</svg><script>", str))
    picture = ElementTree.fromstring(svg)
    assert picture.find(f"{SVG}title").text == "</svg><script>"
    assert not list(picture.iter(f"{SVG}script"))
    told = [each[0].text for each in picture.iter(f"{SVG}rect") if len(each)]
    assert told == ["[CLS]: special token", "a: kept", "[MASK]: masked", "[SEP]: special token", "b"]
    assert [each.get("fill") for each in picture.iter(f"{SVG}rect")].count(LOSS_FILL) == 1
    texts = [each.text for each in picture.iter(f"{SVG}text")]
    assert any((text or "").startswith("M ") for text in texts)


def test_the_png_has_the_same_boxes() -> None:
    made = make("masked_lm", BERT, Texts("a b"), {"select": "2"})
    strip = rows_strip(made, "BERT", str)
    page = np.asarray(Image.open(BytesIO(strip_png(strip))).convert("RGB"))
    [target] = [box for box in strip.boxes if box.fill == LOSS_FILL]
    assert page[int(target.y) + 36 + 3, int(target.x) + 12 + 6].tolist() == [0xFD, 0xEE, 0xE2]
    assert page.shape[1] == int(strip.width) + 24
