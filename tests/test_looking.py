"""What is read for attention, and the figures of one head, with numbers worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.looking import example_for, head_figures, most_seen
from explorer.objectives import Texts
from explorer.types import InputProblem
from tests.fakes import LetterTokenizer

BERT = LetterTokenizer(template=True)
PLAIN = LetterTokenizer()


def test_an_encoder_reads_the_text_as_it_is():
    made = example_for("encoder", Texts("a b c"), BERT)
    assert made.encoder.visible == ("[CLS]", "a", "b", "c", "[SEP]")
    assert made.decoder is None
    assert made.masks.encoder.all()
    assert (made.warnings, made.notes) == ((), ())


def test_an_encoder_reads_a_pair_and_nothing_is_said_about_the_next_sentence():
    made = example_for("encoder", Texts("a b", text_b="c"), BERT)
    assert made.encoder.visible == ("[CLS]", "a", "b", "[SEP]", "c", "[SEP]")
    assert made.encoder.token_types.tolist() == [0, 0, 0, 0, 1, 1]
    assert made.notes == ()


def test_a_blank_second_text_is_none():
    assert len(example_for("encoder", Texts("a b", text_b=" \n"), BERT).encoder) == 4


def test_a_decoder_reads_one_token_and_nothing_is_said_about_targets():
    made = example_for("decoder", Texts("a"), PLAIN)
    assert made.decoder.visible == ("a",)
    assert made.masks.decoder.tolist() == [[True]]
    assert (made.warnings, made.notes) == ((), ())


def test_an_encoder_decoder_reads_the_source_and_the_target_moved_right():
    made = example_for("encoder-decoder", Texts("a b", target="c d e"), PLAIN)
    assert made.encoder.visible == ("a", "b")
    assert made.decoder.visible == ("[PAD]", "c", "d")
    assert made.masks.cross.shape == (3, 2)


@pytest.mark.parametrize(
    ("stack", "texts"),
    [
        ("encoder", Texts(" ")),
        ("decoder", Texts("")),
        ("encoder-decoder", Texts("a")),
        ("encoder-decoder", Texts("a", target="\n")),
    ],
)
def test_nothing_to_read_is_said(stack: str, texts: Texts):
    with pytest.raises(InputProblem, match="There is no t"):
        example_for(stack, texts, PLAIN)


def test_what_was_cut_is_a_warning():
    made = example_for("encoder", Texts("a b c d e f"), LetterTokenizer(template=True, max_length=5))
    assert made.encoder.visible == ("[CLS]", "a", "b", "c", "[SEP]")
    assert "8 tokens" in str(made.warnings[0])


WEIGHTS = np.array([[1.0, 0.0, 0.0], [0.25, 0.75, 0.0], [0.5, 0.25, 0.25]], dtype=np.float32)
CAUSAL = np.tril(np.ones((3, 3), dtype=bool))


def test_figures_of_a_head_by_hand():
    found = head_figures(WEIGHTS, CAUSAL)
    assert (found.least, found.most) == (1.0, 1.0)
    assert (found.query, found.key, found.largest) == (0, 0, 1.0)
    second = 0.25 * np.log(4) + 0.75 * np.log(4 / 3)
    assert found.entropy == pytest.approx((0 + second + 1.5 * np.log(2)) / 3)
    assert found.even == pytest.approx((np.log(2) + np.log(3)) / 3)


def test_sums_are_measured_and_not_supposed():
    found = head_figures(WEIGHTS * np.array([[1.0], [1.1], [0.5]], dtype=np.float32))
    assert found.least == pytest.approx(0.5)
    assert found.most == pytest.approx(1.1)
    assert found.even == pytest.approx(np.log(3))


def test_a_row_that_may_look_at_nothing_does_not_count():
    weights = np.array([[np.nan, np.nan], [0.0, 1.0]])
    found = head_figures(weights, np.array([[False, False], [False, True]]))
    assert (found.least, found.most, found.entropy, found.even) == (1.0, 1.0, 0.0, 0.0)
    assert (found.query, found.key) == (1, 1)


def test_most_seen_takes_the_first_of_equal_weights():
    assert most_seen(np.array([0.25, 0.25, 0.5])) == (2, 0, 1)
    assert most_seen(np.array([0.25, 0.25, 0.5]), 1) == (2,)


def test_rows_that_do_not_add_up_to_1_are_divided_before_their_entropy_is_taken() -> None:
    found = head_figures(np.array([[0.2, 0.2], [1.0, 1.0], [0.0, 0.0]]))
    assert (found.least, found.most) == (0.0, 2.0)
    assert found.entropy == pytest.approx(2 / 3 * np.log(2))
