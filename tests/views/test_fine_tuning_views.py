"""Pictures of the fine-tuning page: the head, start and end scores, names in a text, batches."""

from __future__ import annotations

import numpy as np

from explorer.collation import by_length, in_order
from explorer.decoding import ENDS
from explorer.entities import merged
from explorer.models.heads import Layer
from explorer.objectives import Texts
from explorer.types import HeadOutput, Message, ModelId, Scores
from explorer.views.answers import Span, score_bars, words_to_mark
from explorer.views.batches import piece_table, plans, tensor_table
from explorer.views.entities import marked_text, word_table
from explorer.views.figures import figures_line
from explorer.views.head_drawing import head_drawing
from explorer.views.rows import token_rows
from explorer.views.tables import top_table
from tests.examples import make
from tests.fakes import LetterTokenizer

LETTERS = LetterTokenizer(template=True)
HOSTILE = "<img src=x onerror=alert(1)>"


def say(message: Message) -> str:
    return str(message)


def test_a_head_of_a_text_reads_one_output() -> None:
    example = make("sequence_classification", LETTERS, Texts("a", target="x"), {"classes": "x,y"})
    html = head_drawing(example, [Layer("pooler.dense", 768, 768, then="tanh"), Layer("classifier", 768, 2)], say)
    assert [part in html for part in ("(768,)", "768 × 768", "590,592 numbers · tanh", "768 × 2", "(2,)", "x, y")] == [
        True
    ] * 6
    assert "output 0, [CLS]" in html


def test_a_head_of_tokens_reads_all_outputs() -> None:
    example = make("token_classification", LETTERS, Texts("a b", target="B-X O"), {"tags": "O,B-X,I-X,B-Y,I-Y"})
    html = head_drawing(example, [Layer("classifier", 32, 5)], say)
    assert "(4, 32)" in html
    assert "(4, 5)" in html
    assert "O, B-X, … I-Y" in html


def test_bars_of_start_and_end_mark_the_best_and_the_right_span() -> None:
    logits = np.array([[0, 0], [4, 0], [0, 4]], dtype=np.float32)
    said = HeadOutput("m", logits, ENDS)
    inside = np.array([False, True, True])
    html = score_bars(["[CLS]", HOSTILE, "b"], said, inside, say, best=Span(1, 2), wanted=Span(2, 2))
    assert html.count('style="--v:1.000"') == 2
    assert 'class="quiet"' in html
    assert 'class="found"' in html
    assert 'class="found right"' in html
    assert "<img" not in html
    assert "0.9647" in html


def test_words_to_mark_say_which_are_in_the_answer() -> None:
    html = words_to_mark(["a", HOSTILE], [False, True], "Mark")
    assert html.count('aria-pressed="true"') == 1
    assert 'data-click="word:1"' in html
    assert "<img" not in html


def test_names_stand_in_their_text() -> None:
    words = ["Ann", HOSTILE, "in", "Rome"]
    html = marked_text(Message("said"), words, merged(["B-PER", "I-PER", "O", "I-LOC"]), say)
    assert html.count("<mark") == 2
    assert "<mark>Ann &lt;img" in html
    assert "<mark class=odd" in html
    assert "begins with I- in place of B-" in html


def test_wrong_tags_have_a_sign_and_a_word_without_a_token_a_dash() -> None:
    html = word_table(["a", "b", "c"], ["O", "B-X", "O"], [("O", 0.9), ("O", 0.6), None], say)
    assert (html.count("✓"), html.count("✗"), html.count("<td>–</td>")) == (1, 1, 1)


def test_plans_show_how_much_is_wasted() -> None:
    sizes = [(2,), (8,), (3,), (7,)]
    html = plans([(Message("given"), in_order(sizes, 2)), (Message("sorted"), by_length(sizes, 2))], say)
    assert html.count("<i ") == 8
    assert "33.3% of 30 positions are padding" in html
    assert "9.1% of 22 positions are padding" in html


def test_tensors_tell_pads_from_ignored_labels() -> None:
    array = np.array([[5, -100], [7, 0]])
    html = tensor_table(
        array, ["line 1", "line 2"], [["a", "b"], [HOSTILE]], np.array([[1, 1], [1, 0]], dtype=bool), "labels"
    )
    assert '<td class="none" title="b">−100</td>' in html
    assert '<td class="pad">0</td>' in html
    assert "<img" not in html
    assert (
        tensor_table(np.array([1, 0]), ["1", "2"], [["a"], ["b"]], np.ones((2, 1), dtype=bool), "x").count("<td") == 2
    )


def test_pieces_carry_their_loss_and_rows_are_filled() -> None:
    html = piece_table(["1", "2"], [["a", "b"], [HOSTILE]], [np.array([True, False]), np.array([False])], "pieces")
    assert html.count('class="loss"') == 1
    assert html.count('class="pad"') == 1
    assert "<img" not in html


def test_a_squared_error_has_no_probability() -> None:
    example = make("sequence_classification", LETTERS, Texts("a", target="5"), {"classes": "similarity"})
    scores = Scores(ModelId("m"), np.array([1.44]), np.zeros((1, 1)), np.ones((1, 1)), (("3.8",),), squared=True)
    assert "Squared error 1.4400: the head said 3.8, not 5." in token_rows(example, say, scores=scores)
    assert np.isnan(top_table(example, scores, say)["probability"][0])
    assert "<b>–</b> perplexity" in figures_line(example, say, scores=scores)
