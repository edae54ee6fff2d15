"""An exercise as HTML: nothing in it is markup, signs stand beside colours, and reasons stand under their sheet."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pytest

from explorer.exercises import Board, Cell, Choice, Code, Exercise, Line, Sheet, Shown
from explorer.exercises.desk import Desk, begin, check, press, solve
from explorer.types import Message, Role
from explorer.views.exercises import exercise_picture

HOSTILE = "<img src=x onerror=alert(1)>"
WHY = Message("It must be {piece}.", {"piece": HOSTILE})


def cell(at: int, right: str, **how) -> Cell:
    return Cell(f"cell:0:{at}", Message("label {at}", {"at": at}), right, WHY, **how)


@pytest.fixture
def tokens() -> Exercise:
    """Two cells under two hostile tokens."""
    given = Line(Message("input"), (Shown(HOSTILE, "7", Role.MASKED), Shown('" onclick="x', "8")))
    asked = Line(Message("labels"), (cell(0, "7"), cell(1, "-100")))
    choices = (Choice("7", HOSTILE, "7"), Choice("-100", "−100"))
    return Exercise(Code("labels", 1, 1), Message("Which?"), sheets=(Sheet((given, asked), choices),))


@pytest.fixture
def mask() -> Exercise:
    """A mask of two positions of which only the first cell is given as open."""
    cells = tuple(
        Cell(f"cell:{i}:{j}", Message("cell"), right, WHY, start="0", flips=True)
        for (i, j), right in zip(np.ndindex(2, 2), "1011", strict=True)
    )
    board = Board(("a", "b"), ("a", "b"), np.zeros((2, 2), dtype=bool), cells)
    return Exercise(Code("mask", 1, 1), Message("Draw."), board=board)


def drawn(exercise: Exercise, desk: Desk) -> str:
    return exercise_picture(exercise, desk, str)


def test_hostile_pieces_are_shown_literally(tokens: Exercise) -> None:
    desk, _ = check(press(begin(tokens), tokens, "put:0:-100"), tokens)
    html = drawn(tokens, desk)
    assert "<img" not in html
    assert '" onclick' not in html
    assert "<code>&lt;img src=x onerror=alert(1)&gt;</code>" in html


def test_before_a_check_nothing_is_marked(tokens: Exercise) -> None:
    html = drawn(tokens, press(begin(tokens), tokens, "put:0:7"))
    assert re.findall(r'<td class="(asked[^"]*)"', html) == ["asked filled", "asked"]
    assert 'class="why"' not in html
    assert html.count("aria-current") == 1


def test_a_check_marks_each_cell_and_says_why_under_the_sheet(tokens: Exercise) -> None:
    desk = press(press(begin(tokens), tokens, "put:0:7"), tokens, "put:0:7")
    html = drawn(tokens, check(desk, tokens)[0])
    assert re.findall(r'<td class="(asked[^"]*)"', html) == ["asked right filled", "asked wrong filled"]
    assert re.findall(r'aria-label="(label[^"]*)"', html) == [
        "label 0, &lt;img src=x onerror=alert(1)&gt;, right",
        "label 1, &lt;img src=x onerror=alert(1)&gt;, wrong",
    ]
    assert html.index("</table>") < html.index('class="put"') < html.index('class="why"')
    assert "<li><b>label 1</b> It must be" in html


def test_the_legend_names_the_roles_that_are_given(tokens: Exercise, mask: Exercise) -> None:
    assert re.findall(r'key (r-\w+)"', drawn(tokens, begin(tokens))) == ["r-masked"]
    assert "r-" not in drawn(mask, begin(mask))


def test_empty_cells_are_counted_in_one_line(tokens: Exercise) -> None:
    html = drawn(tokens, check(begin(tokens), tokens)[0])
    assert re.findall("<li>(Still to.*?)</li>", html) == ["Still to be filled in: 2."]
    assert re.findall(r'<td class="(asked[^"]*)"', html) == ["asked", "asked"]
    assert '"label 0, empty"' in html


def test_a_choice_without_a_place_is_marked_where_it_stands(tokens: Exercise) -> None:
    alone = replace(tokens, sheets=(Sheet((), tokens.sheets[0].choices, (cell(0, "7"),)),))
    html = drawn(alone, check(press(begin(alone), alone, "put:0:-100"), alone)[0])
    assert re.findall(r'<li class="([^"]*)"><div[^>]*aria-pressed="(\w+)"', html) == [
        ("", "false"),
        ("wrong filled", "true"),
    ]


def test_a_mask_is_drawn_as_the_reader_has_it(mask: Exercise) -> None:
    desk, _ = check(press(press(begin(mask), mask, "cell:0:0"), mask, "cell:0:1"), mask)
    found = re.findall(r'<td class="([^"]*)"', drawn(mask, desk))
    assert found == ["open right", "open wrong", "closed", "closed"]
    assert re.findall("<li>(Still to.*?)</li>", drawn(mask, desk)) == ["Still to be clicked: 2."]


def test_the_whole_mask_is_marked_when_the_reader_asks(mask: Exercise) -> None:
    desk, _ = check(press(begin(mask), mask, "cell:0:0"), mask)
    html = drawn(mask, replace(desk, whole=True))
    assert re.findall(r'<td class="([^"]*)"', html) == ["open right", "closed right", "closed wrong", "closed wrong"]
    assert "Still to" not in html
    assert html.count("<li><b>cell</b> It must be") == 2


def test_the_solution_shows_every_right_answer(mask: Exercise, tokens: Exercise) -> None:
    classes = re.findall(r'<td class="(\w+)', drawn(mask, solve(begin(mask), mask)))
    assert classes == ["open", "closed", "open", "open"]
    html = drawn(tokens, solve(begin(tokens), tokens))
    assert "−100" in re.findall(r'<td class="asked[^"]*".*?</td>', html)[1]
