"""The token rows: what stands in which cell, what is quiet, what is escaped, and that it stays light."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.types import IGNORE, Example, Masks, Role, Stream
from explorer.views.columns import characters, column_widths
from explorer.views.rows import roles_shown, token_rows
from explorer.views.style import stylesheet

ALLOWED = {"div", "table", "caption", "colgroup", "col", "thead", "tbody", "tr", "th", "td", "b", "i", "small"}


def texts(cells) -> list[str]:
    return [cell.text for cell in cells]


def long_example(n: int) -> Example:
    ids, visible = np.arange(n), tuple(f"·w{k}" for k in range(n))
    stream = Stream(ids, visible, visible, (Role.KEPT,) * n, np.ones(n), np.arange(n))
    return Example(
        "causal_lm", "gpt2", None, stream, ids, visible, "loss", Masks(decoder=np.tril(np.ones((n, n), bool)))
    )


def test_rows_of_a_decoder(read, sft, scored):
    page = read(token_rows(sft, str, scores=scored(sft, [1.42, 0.31, 2.05])))
    assert page.kinds == ["position", "input", "passed", "gap", "compared", "losses"]
    assert texts(page.row("position")) == ["0", "1", "2", "3", "4"]
    assert texts(page.row("input")) == ["A 32", ": 25", "·Paris 6342", ". 13", "<|endoftext|> 50256"]
    assert texts(page.row("passed")) == ["−100", "−100", "·Paris 6342", ". 13", "<|endoftext|> 50256"]
    assert texts(page.row("compared")) == ["", "·Paris 6342", ". 13", "<|endoftext|> 50256", ""]
    assert texts(page.row("losses")) == ["", "1.42", "0.31", "2.05", ""]


def test_table_is_accessible(read, sft):
    page = read(token_rows(sft, str))
    assert [tag for tag, _ in page.tags].count("caption") == 1
    names = [cells[0] for kind, cells in page.rows if kind != "gap"]
    assert {cell.attributes["scope"] for cell in names} == {"row"}
    assert {cell.attributes["scope"] for cell in page.row("position")} == {"col"}
    assert len({len(cells) for kind, cells in page.rows if kind != "gap"}) == 1


def test_input_cells_have_the_class_of_their_role(read, sft):
    cells = read(token_rows(sft, str)).row("input")
    assert [min(cell.classes & {"r-prompt", "r-response", "r-special"}) for cell in cells] == [
        "r-prompt", "r-prompt", "r-response", "r-response", "r-special",
    ]  # fmt: skip


def test_loss_carries_the_eye_and_the_rest_is_quiet(read, sft):
    page = read(token_rows(sft, str))
    assert ["label" in cell.classes for cell in page.row("compared")] == [False, True, True, True, False]
    assert ["quiet" in cell.classes for cell in page.row("passed")] == [True, True, False, False, False]


def test_hover_says_why(read, sft):
    titles = [cell.attributes["title"] for cell in read(token_rows(sft, str)).row("compared")]
    assert titles == [
        "No loss: the next token belongs to the prompt; its label is -100 and is ignored.",
        "Loss here: the output has read up to this token and must say ·Paris.",
        "Loss here: the output has read up to this token and must say ..",
        "Loss here: the output has read up to this token and must say <|endoftext|>.",
        "No loss: nothing follows the last position.",
    ]


def test_first_causal_label_is_shown_as_unused(read):
    first = read(token_rows(long_example(3), str)).row("passed")[0]
    assert "unused" in first.classes
    assert first.attributes["title"] == "·w0 is not used: no output stands before the first label."


def test_masked_compares_in_place_and_tells_segments(read, masked):
    page = read(token_rows(masked, str))
    assert texts(page.row("passed")) == ["−100", "−100", "cat 4937", "−100", "on 2006", "mat 13523", "−100"]
    assert texts(page.row("compared")) == ["", "", "cat 4937", "", "on 2006", "mat 13523", ""]
    assert texts(page.row("told")) == ["0", "0", "0", "0", "0", "0", "1"]


def test_two_stacks_make_two_tables(read, taught):
    page = read(token_rows(taught, str, clickable=True))
    assert [tag for tag, _ in page.tags].count("table") == 2
    source, target = [cells[1:] for kind, cells in page.rows if kind == "input"]
    assert texts(source) == ["x 7", "y 8", "</s> 1"]
    assert texts(target) == ["<pad> 0", "u 9", "v 10"]
    assert texts(page.row("passed")) == texts(page.row("compared")) == ["u 9", "v 10", "</s> 1"]
    assert [cell.inside[0]["data-click"] for cell in source] == ["source:0", "source:1", "source:2"]
    assert [cell.inside[0]["data-click"] for cell in target] == ["pos:0", "pos:1", "pos:2"]


def test_clickable_cells_take_the_keyboard(read, sft):
    inside = [cell.inside[0] for cell in read(token_rows(sft, str, clickable=True)).row("input")]
    assert {(item["tabindex"], item["role"]) for item in inside} == {("0", "button")}
    assert "data-click" not in token_rows(sft, str)


def test_loss_row_keeps_its_place_while_scores_are_missing(read, sft, scored):
    waiting = read(token_rows(sft, str, expect_loss=True))
    done = read(token_rows(sft, str, scores=scored(sft, [1.0, 2.0, 3.0])))
    assert waiting.kinds == done.kinds
    assert texts(waiting.row("losses")) == [""] * 5
    assert "losses" not in read(token_rows(sft, str)).kinds


def test_bars_are_measured_against_the_largest_loss(read, sft, scored):
    cells = read(token_rows(sft, str, scores=scored(sft, [1.0, 4.0, float("nan")]))).row("losses")
    assert cells[1].attributes["style"] == "--h:0.250"
    assert cells[2].attributes["style"] == "--h:1.000"
    assert cells[3].text == "not a number"


@pytest.mark.parametrize(("n", "lines"), [(13, True), (14, False)])
def test_lines_are_drawn_for_up_to_twelve_targets(read, n: int, lines: bool):
    tables = [attributes for tag, attributes in read(token_rows(long_example(n), str)).tags if tag == "table"]
    assert ("lines" in tables[0]["class"].split()) is lines


def test_hostile_text_is_shown_literally(read, hostile, scored):
    html = token_rows(hostile, str, scores=scored(hostile, [1.0] * 6), clickable=True)
    page = read(html)
    assert {tag for tag, _ in page.tags} <= ALLOWED
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert texts(page.row("input")) == [f"{piece} {k}" for k, piece in enumerate(hostile.output.visible)]


def test_words_are_translated_and_escaped(read, sft):
    page = read(token_rows(sft, lambda message: f"<u>{message}</u>"))
    assert "u" not in {tag for tag, _ in page.tags}
    assert page.rows[0][1][0].text == "<u>position</u>"


def test_hover_of_a_wide_piece_tells_its_bytes(read):
    stream = Stream(np.array([5]), ("X",), ("·고양",), (Role.KEPT,), np.ones(1), np.arange(1))
    example = Example("masked_lm", "m", stream, None, np.array([IGNORE]), ("",), "none", Masks())
    title = read(token_rows(example, str)).row("input")[0].attributes["title"]
    assert title == "0  ·고양  kept\nX\n고 ea b3 a0  양 ec 96 91"


def test_column_widths_have_limits():
    assert characters("고양이") == 6
    assert column_widths(["a", "x" * 40, "고양이다"]) == [6, 14, 8]


def test_documents_are_set_apart_and_pads_told(read):
    n = 4
    documents, keep, positions = np.array([0, 0, 1, 1]), np.array([1, 1, 1, 0]), np.array([0, 1, 0, 0])
    roles = (Role.KEPT, Role.KEPT, Role.KEPT, Role.PAD)
    stream = Stream(np.arange(n), tuple("abcd"), tuple("abcd"), roles, keep, positions, documents=documents)
    labels = np.array([0, 1, IGNORE, IGNORE])
    page = read(token_rows(Example("packed_lm", "m", None, stream, labels, ("a", "b", "", ""), "loss", Masks()), str))
    assert ["begins" in cell.classes for cell in page.row("position")] == [False, False, True, False]
    assert [texts(cells[1:]) for kind, cells in page.rows if kind == "told"] == [list("0100"), list("1110")]
    assert page.row("compared")[1].attributes["title"].startswith("No loss: the next token begins another document")


def test_roles_shown_are_those_of_both_stacks(taught):
    assert set(roles_shown(taught)) == {Role.KEPT, Role.SPECIAL}


def test_long_sequences_stay_light(scored):
    example = long_example(512)
    scores = scored(example, [1.0] * 511)
    html = token_rows(example, str, scores=scores, clickable=True)
    assert len(html.encode()) < 400_000


def test_stylesheet_survives_the_page_sanitiser():
    """DOMPurify drops a style element whose text looks like markup."""
    assert "<" not in stylesheet()
