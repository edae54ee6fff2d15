"""Exercises: the right answers are those of the objectives, one wrong cell is found and named, every code works."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from explorer.exercises import KINDS, LEVELS, Cell, Code, Exercise, Sheet, Shown, grade, make, parse_code
from explorer.exercises.desk import Tally, begin, check, press, solve, untouched
from explorer.exercises.questions import QUESTIONS
from explorer.messages import InputProblem, Message
from explorer.tokens import Tokenizer
from explorer.types import IGNORE
from explorer.ui.words import say_in

GPT2, BERT = "openai-community/gpt2", "google-bert/bert-base-uncased"
GRADED = [kind for kind in KINDS if kind != "open"]

Make = Callable[[str], Exercise]


def says(ids: tuple[int, ...]) -> np.ndarray:
    """Logits that depend on what was read and mean nothing."""
    return np.random.default_rng(ids).normal(0, 3, 50257)


@pytest.fixture(scope="module")
def made(tokenizer: Callable[[str], Tokenizer]) -> Make:
    """The exercise of a code as it is written."""
    return lambda text: make(parse_code(text), tokenizer, says)


def messages(exercise: Exercise) -> list[Message]:
    """Every sentence that an exercise can say."""
    found = [exercise.question, *exercise.hints, *exercise.steps]
    for sheet in exercise.sheets:
        found += [line.name for line in sheet.lines]
        found += [choice.text for choice in sheet.choices if isinstance(choice.text, Message)]
    for cell in exercise.cells:
        found += [cell.name, cell.why, cell.reason(""), *cell.slips.values()]
    return found


def asked(exercise: Exercise, row: int = 0) -> list[str]:
    """The right answers of one row."""
    return [cell.right for cell in exercise.cells if cell.key.startswith(f"cell:{row}:")]


def given_row(exercise: Exercise, line: int, sheet: int = 0) -> list[str]:
    entries = exercise.sheets[sheet].lines[line].entries
    return [entry.text for entry in entries if isinstance(entry, Shown)]


class TestCodes:
    @given(some.sampled_from([*KINDS]), some.sampled_from(LEVELS), some.integers(0, 99_999))
    def test_a_code_is_read_as_it_is_written(self, kind: str, level: int, number: int) -> None:
        code = Code(kind, level, number)
        assert parse_code(f"  {code} ".upper()) == code

    @pytest.mark.parametrize("text", ["mask 2 17", "mask\u20132\u201317", "Mask \u2014 2 17", "mask\u22122\u201117"])
    def test_a_code_may_be_typed_with_spaces_or_other_dashes(self, text: str) -> None:
        assert parse_code(text) == Code("mask", 2, 17)

    @pytest.mark.parametrize(
        ("text", "code"),
        [
            ("Sampling-1-3", "stages-1-3"),
            ("input and target 2 9", "write-2-9"),
            ("Next token\u20133\u20131", "next-3-1"),
        ],
    )
    def test_the_name_on_the_page_may_stand_for_the_kind(self, text: str, code: str) -> None:
        assert str(parse_code(text)) == code

    @pytest.mark.parametrize(
        "text",
        [
            "",
            "mask",
            "mask-4-1",
            "mask-0-1",
            "mask-1-",
            "mask-1-100000",
            "dance-1-1",
            "mask-1-²",
            "1-1",
            "next-tok-1-1",
        ],
    )
    def test_what_is_no_code_is_named(self, text: str) -> None:
        with pytest.raises(InputProblem, match="There is no exercise") as caught:
            parse_code(text)
        assert caught.value.message.values["code"] == text

    @pytest.mark.models
    @pytest.mark.parametrize("kind", KINDS)
    def test_the_same_code_is_the_same_exercise(self, tokenizer, kind: str) -> None:
        first, second = (make(Code(kind, 3, 41), tokenizer, says) for _ in range(2))
        assert first.right == second.right
        assert first.sheets == second.sheets
        assert first.question == second.question

    def test_a_model_is_needed_to_predict_against(self) -> None:
        with pytest.raises(ValueError, match="there is none"):
            make(Code("next", 1, 1), pytest.fail)


@pytest.mark.models
class TestAnswers:
    """Literal answers, one of each kind."""

    def test_labels_of_gpt_are_its_input(self, made: Make) -> None:
        exercise = made("labels-1-1")
        assert given_row(exercise, 0) == ["We", "·planted", "·three", "·trees", "·behind", "·the", "·house", "."]
        assert asked(exercise) == ["1135", "18969", "1115", "7150", "2157", "262", "2156", "13"]
        wrong = exercise.right | {"cell:0:1": "1115"}
        assert "passed unshifted" in str(grade(exercise, wrong).wrong[0].reason)

    def test_labels_of_an_sft_prompt_are_ignored(self, made: Make) -> None:
        exercise = made("labels-2-1")
        assert asked(exercise) == ["-100"] * 10 + ["2635", "13", "50256"]

    def test_loss_lies_one_place_to_the_left_of_the_label(self, made: Make) -> None:
        exercise = made("loss-2-2")
        assert given_row(exercise, 1) == ["−100"] * 12 + ["·Paris", ".", "<|endoftext|>"]
        assert asked(exercise) == ["0"] * 11 + ["1", "1", "1", "0"]

    def test_a_mask_with_a_prefix(self, made: Make) -> None:
        exercise = made("mask-3-2")
        assert exercise.board is not None
        assert "".join(asked(exercise, 0)) == "111000"
        assert "".join(asked(exercise, 3)) == "111100"
        start = np.array([cell.start for cell in exercise.cells]).reshape(6, 6)
        assert "".join(start[0]) == "100000"

    def test_bart_hides_a_span_behind_one_mask(self, made: Make) -> None:
        exercise = made("write-1-1")
        assert exercise.words == ("He found a silver key in the drawer.",)
        mask, stop = "50264", "4"
        fed, wanted = asked(exercise, 0), asked(exercise, 1)
        assert fed.count(mask) == 2
        assert fed[-2:] == [stop, "2"]
        assert wanted == ["0", "894", "303", "10", "4334", "762", "11", "5", "31807", "4", "2"]

    def test_three_families_lose_the_same_words(self, made: Make) -> None:
        exercise = made("write-3-2")
        assert "blue fish" in exercise.question.values["words"]
        assert asked(exercise, 0)[6:9] == ["103", "103", "1012"]
        assert asked(exercise, 2)[6:8] == ["50264", "4"]
        assert asked(exercise, 5) == ["32099", "1692", "2495", "32098", "1", "", ""]

    def test_a_text_may_be_longer_than_what_is_made_of_it(self, made: Make) -> None:
        for number in range(30):
            for sheet in made(f"write-3-{number}").sheets:
                assert len({len(line.entries) for line in sheet.lines}) == 1

    def test_a_row_that_is_too_long_is_told(self, made: Make) -> None:
        exercise = made("write-3-2")
        last = [cell for cell in exercise.cells if cell.key.startswith("cell:5:")][-1]
        [mark] = grade(exercise, exercise.right | {last.key: "1"}).wrong
        assert str(mark.reason) == "The row has ended before; this place stays empty."

    def test_what_an_output_must_say(self, made: Make) -> None:
        for number in range(12):
            exercise = made(f"output-3-{number}")
            [example] = exercise.examples
            for cell in exercise.cells:
                at = int(cell.key.rpartition(":")[2])
                assert cell.right == str(example.compared[at])

    def test_targets_are_counted(self, made: Make) -> None:
        exercise = made("count-3-1")
        [pick] = exercise.cells
        assert pick.right == "2"
        assert "number of positions" in str(pick.reason("11"))

    def test_the_order_of_the_stages(self, made: Make) -> None:
        assert [cell.right for cell in made("stages-1-1").cells] == ["temperature", "top_p"]
        [first, second] = made("stages-1-1").cells
        assert "would leave" in str(first.reason("top_p"))
        assert "already" in str(second.reason("temperature"))

    def test_the_next_token_is_that_of_the_text(self, made: Make) -> None:
        exercise = made("next-1-2")
        assert exercise.words == ("The train to Paris leaves at",)
        assert [cell.right for cell in exercise.cells] == ["19613"]
        assert "·noon" in str(exercise.cells[0].reason("0"))

    def test_every_open_question_has_its_turn(self, made: Make) -> None:
        questions = [made(f"open-1-{number}").question for number in range(1, len(QUESTIONS) + 1)]
        assert len({question.id for question in questions}) == 10
        assert all(exercise.steps and not exercise.cells for exercise in [made("open-1-3")])


@pytest.mark.models
class TestBugs:
    """Each mistake is in the arrays that are shown, and nowhere else."""

    @pytest.mark.parametrize("number", range(40))
    def test_the_arrays_have_the_mistake_that_is_asked_for(self, made: Make, number: int) -> None:
        exercise = made(f"bug-3-{number}")
        [right], [cell] = exercise.examples, exercise.cells
        sheet = exercise.sheets[-2].lines
        shown = [entry.text if entry else "" for entry in sheet[2].entries]
        labelled = [text != "−100" for text in shown]
        real, wanted = right.output.attention_mask == 1, right.labels != IGNORE
        if cell.right == "pad_loss":
            assert all(labelled[t] for t in np.flatnonzero(~real))
        elif cell.right == "no_ignore":
            assert labelled == real.tolist() != wanted.tolist()
        elif cell.right == "eos_masked":
            lost = [t for t in np.flatnonzero(wanted) if not labelled[t]]
            assert [right.label_visible[t] for t in lost] == ["<|endoftext|>"]
        elif cell.right == "shift_twice":
            assert labelled == [*wanted[1:].tolist(), False]
        elif cell.right == "start":
            read = [entry.text for entry in sheet[0].entries]
            assert read[0] != right.output.visible[0]
            assert read[1:] == list(right.output.visible[1:])
        elif cell.right == "leak":
            assert exercise.board is not None
            assert exercise.board.mask[0].all()
            assert not right.masks.decoder[0].all()
        else:
            assert cell.right == "none"
            assert labelled == wanted.tolist()

    def test_every_mistake_is_met(self, made: Make) -> None:
        met = {made(f"bug-3-{number}").cells[0].right for number in range(90)}
        assert met == {"shift_twice", "no_ignore", "pad_loss", "eos_masked", "start", "leak", "none"}


def check_kind(made: Make, kind: str, numbers: range) -> None:
    """Every exercise can be made, asked in both languages, solved in full, and one wrong cell is found and named."""
    rng = np.random.default_rng(0)
    for number in numbers:
        exercise = made(f"{kind}-{LEVELS[number % 3]}-{number}")
        for language in ("en", "ko"):
            assert all(say_in(language)(message).strip() for message in messages(exercise))
        assert grade(exercise, exercise.right).score == 1
        assert not grade(exercise, exercise.right).wrong
        if not exercise.cells:
            continue
        # Else the sheet as it is handed out could not be told from the answer.
        assert exercise.right != exercise.start
        cell = exercise.cells[int(rng.integers(len(exercise.cells)))]
        assert cell.right in exercise.values(cell.key)
        others = [value for value in exercise.values(cell.key) if value != cell.right]
        other = others[int(rng.integers(len(others)))]
        found = grade(exercise, exercise.right | {cell.key: other})
        assert [mark.cell.key for mark in found.wrong] == [cell.key]
        assert str(found.wrong[0].reason)
        assert found.score == pytest.approx(1 - 1 / len(exercise.cells))


@pytest.mark.models
@pytest.mark.parametrize("kind", KINDS)
def test_exercises_of_each_kind(made: Make, kind: str) -> None:
    check_kind(made, kind, range(30))


@pytest.mark.slow
@pytest.mark.models
@pytest.mark.parametrize("kind", KINDS)
def test_500_exercises_of_each_kind(made: Make, kind: str) -> None:
    check_kind(made, kind, range(500))


@pytest.mark.models
@pytest.mark.parametrize("kind", GRADED)
def test_any_wrong_cell_is_found_and_named(made: Make, kind: str) -> None:
    for level in LEVELS:
        exercise = made(f"{kind}-{level}-7")
        for cell in exercise.cells:
            for other in exercise.values(cell.key):
                desk = replace(begin(exercise), answers=exercise.right | {cell.key: other})
                desk, found = check(desk, exercise)
                assert [mark.cell.name for mark in found.wrong] == ([] if other == cell.right else [cell.name])
                touched = sum(desk.answers[each.key] != each.start for each in exercise.cells)
                assert desk.told(cell) is not None or (other == cell.start and touched <= 1)


@pytest.mark.models
class TestDesk:
    def test_choices_go_from_cell_to_cell(self, made: Make) -> None:
        exercise = made("labels-1-1")
        desk = begin(exercise)
        assert desk.at == "cell:0:0"
        for value in asked(exercise):
            desk = press(desk, exercise, f"put:0:{value}")
        assert desk.answers == exercise.right
        assert desk.at == "cell:0:7"
        desk, found = check(press(press(desk, exercise, "cell:0:2"), exercise, "put:0:-100"), exercise)
        assert [mark.cell.key for mark in found.wrong] == ["cell:0:2"]
        assert [desk.mark(cell).right for cell in exercise.cells] == [True, True, False] + [True] * 5
        # A cell that has changed since has no mark.
        desk = press(press(desk, exercise, "cell:0:2"), exercise, "put:0:262")
        assert desk.mark(exercise.cells[2]) is None

    @pytest.mark.parametrize("code", ["write-3-4", "mask-3-4"])
    def test_a_check_after_one_cell_tells_of_this_cell_alone(self, made: Make, code: str) -> None:
        exercise = made(code)
        cell = next(each for each in exercise.cells if each.start != each.right)
        desk, found = check(replace(begin(exercise), answers=exercise.start | {cell.key: cell.right}), exercise)
        assert [each.key for each in exercise.cells if desk.told(each)] == [cell.key]
        assert found.n_right == {"write-3-4": 13, "mask-3-4": 56}[code]
        assert all(replace(desk, whole=True).told(each) for each in exercise.cells)

    def test_cells_that_nobody_touched_are_told_when_one_is_left(self, made: Make) -> None:
        exercise = made("loss-2-2")
        desk, told = begin(exercise), []
        for mark in ("cell:0:11", "cell:0:12"):
            desk, _ = check(press(desk, exercise, mark), exercise)
            told.append([at for at, cell in enumerate(exercise.cells) if desk.told(cell)])
        assert told == [[11], [*range(15)]]
        assert [desk.told(cell).right for cell in exercise.cells] == [True] * 13 + [False, True]

    def test_cells_of_a_mask_are_turned_over(self, made: Make) -> None:
        exercise = made("mask-1-3")
        desk = begin(exercise)
        assert set(desk.answers.values()) == {"0"}
        desk = press(press(press(desk, exercise, "cell:0:0"), exercise, "cell:1:0"), exercise, "cell:0:0")
        assert [key for key, value in desk.answers.items() if value == "1"] == ["cell:1:0"]

    @pytest.mark.parametrize("mark", ["cell:9:9", "put:7:13", "put:0:no such value", "put:0:"])
    def test_a_press_that_fits_nothing_changes_nothing(self, made: Make, mark: str) -> None:
        desk = begin(made("labels-1-1"))
        assert press(desk, made("labels-1-1"), mark) == desk

    def test_the_solution_ends_the_exercise(self, made: Make) -> None:
        exercise = made("loss-1-1")
        desk = solve(begin(exercise), exercise)
        assert grade(exercise, desk.answers).score == 1
        assert press(desk, exercise, "cell:0:0") == desk

    def test_a_sheet_as_it_was_handed_out_is_told(self, made: Make) -> None:
        for code, right in (("write-3-4", 12), ("mask-3-4", 55)):
            exercise = made(code)
            desk = begin(exercise)
            assert grade(exercise, desk.answers).n_right == right
            assert untouched(desk, exercise)
        turned = press(desk, exercise, "cell:0:1")
        assert not untouched(turned, exercise)
        assert untouched(press(turned, exercise, "cell:0:1"), exercise)

    def test_a_sheet_that_is_right_from_the_start_can_be_checked(self) -> None:
        cells = (Cell("cell:0:0", Message("cell"), "0", Message("It stays."), start="0", flips=True),)
        exercise = Exercise(Code("loss", 1, 1), Message("Which?"), sheets=(Sheet((), picks=cells),))
        assert not untouched(begin(exercise), exercise)

    def test_an_exercise_counts_once_and_a_streak_ends_with_a_mistake(self, made: Make) -> None:
        exercise = made("loss-1-1")
        full, none = grade(exercise, exercise.right), grade(exercise, {})
        tally = Tally().add(Code("loss", 1, 1), full).add(Code("loss", 1, 1), full).add(Code("loss", 1, 2), full)
        assert (tally.full, tally.right, tally.cells, tally.streak, tally.best) == (2, 20, 20, 2, 2)
        tally = tally.add(Code("loss", 1, 3), none)
        assert (tally.full, tally.right, tally.cells, tally.streak, tally.best) == (2, 27, 30, 0, 2)
        shown = tally.add(Code("loss", 1, 4), full, shown=True)
        assert (shown.full, shown.right, shown.cells, shown.streak) == (2, 27, 40, 0)


@pytest.mark.models
@pytest.mark.parametrize("kind", ["labels", "loss", "mask", "write", "bug", "output", "count"])
def test_only_families_with_a_tokenizer_are_asked_about(tokenizer, kind: str) -> None:
    def only_gpt_and_bert(name: str) -> Tokenizer:
        if name not in (GPT2, BERT):
            raise InputProblem("There is no {name} here.", {"name": name})
        return tokenizer(name)

    for number in range(30):
        code = Code(kind, LEVELS[number % 3], number)
        exercise = make(code, only_gpt_and_bert)
        assert {example.model for example in exercise.examples} <= {GPT2, BERT}
        # Where every tokenizer is there, the code means what it always does.
        usual = make(code, tokenizer)
        if {example.model for example in usual.examples} <= {GPT2, BERT}:
            assert exercise.right == usual.right


def test_where_there_is_no_tokenizer_at_all_it_is_said() -> None:
    def none(name: str) -> Tokenizer:
        raise InputProblem("There is no {name} here.", {"name": name})

    with pytest.raises(InputProblem, match="There is no"):
        make(Code("labels", 1, 1), none)


def test_an_answer_that_is_missing_counts_as_it_stood() -> None:
    exercise = make(Code("stages", 1, 1), pytest.fail)
    found = grade(exercise, {})
    assert [mark.right for mark in found.marks] == [False, False]
    assert all(str(mark.reason).startswith("It is empty. ") for mark in found.marks)
    assert replace(exercise, sheets=()).cells == ()
