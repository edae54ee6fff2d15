"""The exercises page: every kind in both languages, from the empty sheet to the solution; the score of a session."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from streamlit.testing.v1 import AppTest

from explorer.exercises import KINDS, Exercise, make, parse_code
from explorer.exercises.desk import Desk, Tally
from explorer.models import tokenizer
from explorer.ui.words import catalogue
from tests.app.conftest import Open, picture, words

OF_TABLES = [kind for kind in KINDS if kind not in {"next", "open"}]


def made(text: str) -> Exercise:
    return make(parse_code(text), tokenizer)


def desk(app: AppTest) -> Desk:
    return app.session_state["desk"]


def tally(app: AppTest) -> Tally:
    return app.session_state["tally"]


def answer(app: AppTest, **changes: str) -> AppTest:
    """Fill in the sheet and press the button."""
    app.session_state["desk"] = replace(desk(app), answers={**desk(app).answers, **changes})
    app.button(key="check").click().run()
    assert not app.exception
    return app


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize("kind", OF_TABLES)
def test_each_kind_from_the_empty_sheet_to_the_solution(open_page: Open, kind: str, lang: str) -> None:
    code = f"{kind}-2-3"
    app = open_page("exercises", lang, code=code)
    assert not app.exception
    assert not app.warning
    exercise = made(code)
    say = catalogue(lang).get if lang == "ko" else lambda id, _: id
    right = exercise.right
    cell = next(each for each in exercise.cells if each.start != each.right)
    if len(right) == 1:
        answer(app, **right)
    else:
        answer(app, **{**right, cell.key: cell.start})
        [mark] = [mark for each in exercise.cells if (mark := desk(app).mark(each)) and not mark.right]
        assert mark.cell == cell
        assert 'class="why"' in picture(app, "sheet")
        assert (tally(app).full, tally(app).right, tally(app).cells) == (0, len(right) - 1, len(right))
        answer(app, **right)
    assert 'class="why"' not in picture(app, "sheet")
    assert say("All right: {right} of {all}.", "").format(right=len(right), all=len(right)) in app.success[0].value
    app.button(key="solution").click().run()
    assert not app.exception
    assert desk(app).answers == right
    if exercise.examples:
        assert "compared" in words(app)


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_token_against_a_model_that_comes_with_the_app(only_bundled, open_anywhere: Open, lang: str) -> None:
    app = open_anywhere("exercises", lang, code="next-1-2")
    while "desk" not in app.session_state:
        app.run()
    assert not app.exception
    assert not app.error
    [key] = desk(app).answers
    assert app.code[0].value.startswith("The train to Paris")
    answer(app, **{key: "no token"})
    assert 'class="why"' in picture(app, "sheet") or app.info


@pytest.mark.parametrize("kind", OF_TABLES)
def test_what_comes_with_the_app_is_enough(only_bundled, open_anywhere: Open, kind: str) -> None:
    app = open_anywhere("exercises", code=f"{kind}-3-5")
    assert not app.exception
    assert not app.error
    assert desk(app).answers


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_an_open_question_shows_its_answer_when_asked(open_page: Open, lang: str) -> None:
    app = open_page("exercises", lang, code="open-1-1")
    exercise = made("open-1-1")
    own = exercise.steps[0].id if lang == "en" else catalogue("ko")[exercise.steps[0].id]
    start = own[:30]
    assert start not in words(app)
    app.text_area(key="own_answer").set_value("Because it sees both sides.").run()
    app.button(key="solution").click().run()
    assert start in words(app)
    assert app.text_area(key="own_answer").value == "Because it sees both sides."


@pytest.mark.models
def test_no_code_is_told_and_another_one_is_taken(open_page: Open) -> None:
    app = open_page("exercises", code="dance-1-1")
    assert "dance-1-1" in app.warning[0].value
    assert desk(app).code == parse_code("labels-1-1")
    app.text_input(key="code_shown").set_value("mask-2-17").run()
    assert not app.warning
    assert desk(app).code == parse_code("mask-2-17")
    assert app.text_input(key="code").value == "mask-2-17"


@pytest.mark.models
@pytest.mark.parametrize(("lang", "label", "listed"), [("en", "Code (Sampling)", "`write` Input and target"),
                                                       ("ko", "코드(샘플링)", "`write` 입력과 목표")])  # fmt: skip
def test_a_code_stands_beside_the_name_of_its_kind(open_page: Open, lang: str, label: str, listed: str) -> None:
    field = open_page("exercises", lang, code="stages-1-1").text_input(key="code_shown")
    assert field.label == label
    assert listed in field.help.split(" · ")


@pytest.mark.models
def test_the_address_shows_the_exercise_that_stands_on_the_page(open_page: Open) -> None:
    app = open_page("exercises", code="dance-1-1")
    assert app.text_input(key="code").value == "labels-1-1"
    assert "code" not in app.query_params
    app.text_input(key="code_shown").set_value("mask 2\u201317").run()
    assert app.text_input(key="code_shown").value == "mask-2-17"
    assert app.query_params["code"] == "mask-2-17"
    app.text_input(key="code_shown").set_value("mask-2-x").run()
    assert "mask-2-x" in app.warning[0].value
    assert desk(app).code == parse_code("mask-2-17")
    assert app.query_params["code"] == "mask-2-17"
    assert app.text_input(key="code_shown").value == "mask-2-17"
    app.button(key="another").click().run()
    assert not app.warning


@pytest.mark.models
@pytest.mark.parametrize("code", ["write-3-4", "mask-3-4"])
@pytest.mark.parametrize(
    ("lang", "told"), [("en", "Nothing is filled in yet."), ("ko", "아직 아무것도 채우지 않았습니다.")]
)
def test_an_untouched_sheet_is_not_graded(open_page: Open, code: str, lang: str, told: str) -> None:
    before = Tally(frozenset({"loss-1-1"}), full=1, right=10, cells=10, streak=1, best=1)
    app = open_page("exercises", lang, {"tally": before}, code=code)
    app.button(key="check").click().run()
    assert [box.value for box in app.info] == [told]
    assert tally(app) == before
    assert desk(app).checked is None
    assert not re.search(r'class="[^"]*\b(right|wrong)\b', picture(app, "sheet"))
    first = next(iter(made(code).right))
    answer(app, **{first: "0" if code == "mask-3-4" else "101"})
    assert told not in [box.value for box in app.info]
    assert (len(tally(app).counted), tally(app).streak) == (2, 0)


@pytest.mark.models
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_what_nobody_touched_is_marked_when_the_reader_asks(open_page: Open, lang: str) -> None:
    app = answer(open_page("exercises", lang, code="loss-2-2"), **{"cell:0:11": "1"})
    marked = re.compile(r'class="asked (right|wrong)')
    assert marked.findall(picture(app, "sheet")) == ["right"]
    before = tally(app)
    app.button(key="missing").click().run()
    assert not app.exception
    assert marked.findall(picture(app, "sheet")) == ["right"] * 12 + ["wrong"] * 2 + ["right"]
    assert tally(app) == before
    assert "missing" not in [button.key for button in app.button]


@pytest.mark.models
def test_empty_cells_that_are_plain_to_see_are_not_offered(open_page: Open) -> None:
    app = answer(open_page("exercises", code="labels-1-1"), **{"cell:0:0": "1135"})
    assert "missing" not in [button.key for button in app.button]


@pytest.mark.models
def test_open_questions_say_that_they_have_one_level(open_page: Open) -> None:
    app = open_page("exercises", code="open-3-4")
    level = app.button_group(key="level")
    assert level.label == "Level (open questions have only one)"
    assert level.disabled
    assert not open_page("exercises", code="mask-3-4").button_group(key="level").disabled


@pytest.mark.models
def test_another_exercise_keeps_kind_and_level_and_the_score(open_page: Open) -> None:
    app = open_page("exercises", code="loss-2-2")
    answer(app, **made("loss-2-2").right)
    assert (tally(app).full, tally(app).streak) == (1, 1)
    app.button(key="another").click().run()
    code = desk(app).code
    assert (code.kind, code.level) == ("loss", 2)
    assert code.number != 2
    assert desk(app).checked is None
    right = made(str(code)).right
    first = next(iter(right))
    answer(app, **{**right, first: "1" if right[first] == "0" else "0"})
    assert (tally(app).full, len(tally(app).counted), tally(app).streak, tally(app).best) == (1, 2, 0, 1)


@pytest.mark.models
def test_hints_come_one_by_one_and_starting_over_takes_all_away(open_page: Open) -> None:
    app = open_page("exercises", code="mask-3-2")
    hints = made("mask-3-2").hints
    for number in range(1, len(hints) + 1):
        app.button(key="hint").click().run()
        assert f"**Hint {number}**" in words(app)
    assert app.button(key="hint").disabled
    answer(app, **{"cell:0:1": "1"})
    assert len(desk(app).answers) == 36
    app.button(key="start_over").click().run()
    assert desk(app).answers == made("mask-3-2").start
    assert desk(app).hints == 0
