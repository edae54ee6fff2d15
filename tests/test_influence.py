"""What a change may reach, with values worked by hand."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.influence import Influence, outside, reach, reachable, replacements, with_mask, with_token
from explorer.looking import example_for
from explorer.masks import causal, cross, full, padding, prefix
from explorer.objectives import Texts
from explorer.types import InputProblem, Masks
from tests.fakes import LetterTokenizer

TOKENIZER = LetterTokenizer()


def test_each_token_makes_room_for_another_one_of_the_text():
    assert replacements(np.array([4, 9, 9, 4])).tolist() == [9, 4, 4, 9]
    assert replacements(np.array([1, 2])).tolist() == [2, 1]


@pytest.mark.parametrize("ids", [[3], [3, 3, 3]])
def test_one_kind_of_token_cannot_be_replaced(ids):
    with pytest.raises(InputProblem, match="only one kind of token"):
        replacements(np.array(ids))


def test_causal_prefix_and_full_reach_what_they_show():
    for mask in (causal(5), prefix(5, 3), full(5)):
        assert (reach(mask) == mask).all()


def test_a_window_of_one_layer_grows_through_the_layers():
    band = causal(4) & ~np.tri(4, k=-2, dtype=bool)
    assert not band[3, 0]
    assert reach(band)[3, 0]


def test_a_pad_touches_only_its_own_output():
    assert reach(padding([1, 1, 0])).astype(int).tolist() == [[1, 1, 0], [1, 1, 0], [1, 1, 1]]


def test_every_target_position_feels_every_source_token():
    masks = Masks(encoder=full(4), decoder=causal(3), cross=cross(3, 4))
    assert reachable(masks, "cross").all()
    assert (reachable(masks, "decoder") == causal(3)).all()


def test_what_shows_outside_of_the_mask():
    change = np.array([[1.0, 0.0, 0.5], [1.0, 1.0, 0.0], [0.0, 1.0, 1.0]], dtype=np.float32)
    assert outside(Influence(change, "decoder"), Masks(decoder=causal(3))) == (3, 0.5, 5)


def made():
    return example_for("decoder", Texts("a b c d"), TOKENIZER)


def test_one_example_under_three_masks():
    example = made()
    assert (with_mask(example, "causal", 2).masks.decoder == causal(4)).all()
    assert (with_mask(example, "prefix", 2).masks.decoder == prefix(4, 2)).all()
    assert with_mask(example, "full", 2).masks.decoder.all()
    assert with_mask(example, "causal", 2).model_inputs()["attention_mask"].shape == (1, 4)
    assert with_mask(example, "prefix", 2).model_inputs()["attention_mask"].shape == (1, 1, 4, 4)
    assert with_mask(example, "full", 2).labels.tolist() == example.labels.tolist()


def test_another_token_in_one_place():
    example = with_token(made(), "decoder", 1, 36, TOKENIZER)
    assert example.decoder.ids.tolist() == [11, 36, 13, 14]
    assert example.decoder.visible == ("a", "z", "c", "d")
    assert example.decoder.pieces[1] == "z"
    assert example.labels.tolist() == made().labels.tolist()
