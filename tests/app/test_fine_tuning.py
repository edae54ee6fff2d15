"""The fine-tuning page: labels by hand, the head drawn and trained here, raw data to a batch."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from explorer.ui.tag_part import edited
from tests.app.conftest import Open, picture, words

pytestmark = pytest.mark.models
MINILM = "sentence-transformers/all-MiniLM-L6-v2"


def opened(app: AppTest) -> AppTest:
    """The page with its raw data open."""
    app.session_state["raw_data"] = True
    return app.run()


def test_the_head_is_drawn_with_its_shapes(open_page: Open):
    told = words(open_page("fine_tuning", objective="sequence_classification", model="google-bert/bert-base-uncased"))
    assert "768 × 768" in told
    assert "590,592 numbers · tanh" in told
    assert "768 × 2" in told


def test_an_answer_is_marked_in_the_text(open_page: Open):
    app = open_page("fine_tuning")
    marking = picture(app, "marking")
    assert marking.count('aria-pressed="true"') == 1
    assert "Characters 12 to 18 of the context" in words(app)


def test_bart_is_read_by_both_stacks_at_its_last_output(open_page: Open):
    app = open_page("fine_tuning", objective="sequence_classification")
    app.selectbox(key="model").set_value("facebook/bart-base").run()
    assert (app.session_state["way"], app.session_state["wrong_end"]) == ("both", False)
    assert "classification_head.out_proj" in words(app)
    app.pills(key="example").set_value(1).run()
    assert "at the wrong end" in app.warning[0].value


def test_edits_of_the_grid_become_words_and_tags():
    rows = [("Ann", "O"), ("sings", "O"), ("here", "O")]
    edits = {
        "edited_rows": {0: {"tag": "B-PER"}, 1: {"word": "sang"}},
        "deleted_rows": [2],
        "added_rows": [{"word": "Bo"}],
    }
    assert edited(rows, edits) == [("Ann", "B-PER"), ("sang", "O"), ("Bo", "O")]
    assert edited(rows, {}) == rows


@pytest.mark.wheels
@pytest.mark.parametrize(
    ("objective", "told"),
    [("sequence_classification", "Logit, class, probability"), ("token_classification", "merged into names")],
)
def test_a_head_is_trained_here(open_page: Open, objective: str, told: str):
    app = opened(open_page("fine_tuning", objective=objective, model=MINILM, own_head="true"))
    assert not app.error
    assert told in words(app)
    assert "held out: " in words(app)


@pytest.mark.wheels
def test_a_sentence_without_tokens_stops_no_head(open_page: Open):
    rows = ["\u200b O", *(f"Ann B-X\nsees O\n{each} O" for each in ("it", "us", "me", "you"))]
    state = {"data_token_classification": "\n\n".join(rows), "raw_data": True}
    app = open_page("fine_tuning", objective="token_classification", model=MINILM, own_head="true", state=state)
    assert not app.exception
    assert "held out: 1." in words(app)


def test_a_refused_file_leaves_the_field_as_it_was(open_page: Open):
    app = opened(open_page("gpt"))
    app.file_uploader(key="file_causal_lm").set_value(("a.txt", b"\x00\x01", "text/plain")).run()
    assert "is no text" in app.error[0].value
    assert not app.text_area(key="data_causal_lm").disabled
    app.file_uploader(key="file_causal_lm").set_value(("a.txt", b"a cat\na dog", "text/plain")).run()
    assert app.text_area(key="data_causal_lm").disabled
    assert "rows 2" in words(app)


@pytest.mark.parametrize("page", ["bert", "gpt", "sft", "prefix_lm", "bart", "t5", "fine_tuning"])
def test_raw_data_become_a_batch_on_every_page(open_page: Open, page: str):
    app = opened(open_page(page))
    assert not app.error
    assert not app.exception
    assert "positions are padding" in words(app)
    assert "the loss divides by these" in words(app)


def test_a_sentence_of_conll_is_taken_into_the_boxes(open_page: Open):
    app = opened(open_page("fine_tuning", objective="token_classification"))
    app.text_area(key="data_token_classification").set_value("Ann B-PER\nsings O\n\nBo B-PER\n").run()
    app.button(key="take_4").click().run()
    assert (app.text_area(key="text").value, app.text_area(key="target").value) == ("Bo", "B-PER")
    assert not app.error


def test_bad_lines_are_named_and_the_rest_goes_on(open_page: Open):
    app = opened(open_page("gpt"))
    app.text_area(key="data_causal_lm").set_value('{"text": "a cat"}\n{"txt": "b"}\n{"text": "a dog sleeps"}').run()
    assert "Line 2" in app.warning[0].value
    assert "rows 2" in words(app)
    app.text_area(key="data_causal_lm").set_value('{"txt": "b"}').run()
    assert not app.exception


def test_classes_stay_while_the_text_is_typed(open_page: Open):
    app = open_page("fine_tuning", objective="sequence_classification")
    app.pills(key="example").set_value(2).run()
    app.text_area(key="text").set_value("It will rain tomorrow.").run()
    app.text_area(key="target").set_value("weather").run()
    assert app.session_state["classes"] == "politics,sport,weather"
    assert not app.error
    app.pills(key="example").set_value(3).run()
    app.text_area(key="target").set_value("2.5").run()
    assert not app.error
    assert "the loss is the squared error" in words(app)


def test_the_place_of_an_answer_is_forgotten_with_its_context(open_page: Open):
    app = open_page("fine_tuning")
    assert app.session_state["answer_start"] == 12
    app.text_area(key="text").set_value("Which country has Paris?").run()
    assert app.session_state["answer_start"] == 12
    app.text_area(key="text_b").set_value("France has a tower.").run()
    assert app.session_state["answer_start"] == -1
    assert "Characters 0 to 6 of the context" in words(app)
    app.text_area(key="target").set_value("London").run()
    assert "does not stand in the context" in app.error[0].value
    app.pills(key="example").set_value(1).run()
    assert app.session_state["window"] == 1
    app.text_area(key="text_b").set_value("Sue has the ball.").run()
    assert app.session_state["window"] == 0
    assert not app.error


def test_where_a_head_can_be_trained_nobody_is_told_that_there_is_no_model(open_page: Open):
    told = words(open_page("fine_tuning", model="distilbert/distilbert-base-cased-distilled-squad"))
    assert "The weights of" in told
    assert "A head can be trained here on" in told
    assert "No model on this machine" not in told
