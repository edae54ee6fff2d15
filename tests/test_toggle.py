"""A click on a token of masked_lm: chosen or not, all else as it was."""

import numpy as np

from explorer.objectives import Texts
from explorer.objectives.masked_lm import Settings, build, toggle
from tests.fakes import LetterTokenizer

TOKENIZER = LetterTokenizer(template=True)
TEXTS = Texts("a b dog c")
"""[CLS] a b d ##o ##g c [SEP]"""


def clicked(settings: Settings, position: int) -> Settings:
    example = build(TEXTS, TOKENIZER, settings, np.random.default_rng(0))
    return toggle(TEXTS, TOKENIZER, settings, example, position)


def test_a_click_chooses_and_a_second_click_lets_go():
    chosen = clicked(Settings(select="2"), 6)
    assert (chosen.select, chosen.replace) == ("2,6", "")
    assert clicked(chosen, 2).select == "6"


def test_what_happens_to_the_others_stays():
    chosen = clicked(Settings(select="1,6", replace="random,keep"), 2)
    assert (chosen.select, chosen.replace) == ("1,2,6", "random,mask,keep")
    assert clicked(chosen, 1).replace == "mask,keep"


def test_a_special_token_is_never_chosen():
    settings = Settings(select="2")
    assert clicked(settings, 0) == settings
    assert clicked(Settings(select="2", pad_to=12), 11).select == "2"


def test_whole_words_move_together():
    chosen = clicked(Settings(select="1", whole_word=True), 4)
    assert chosen.select == "1,3,4,5"
    assert clicked(chosen, 5).select == "1"


def test_what_chance_chose_becomes_chosen_by_hand():
    settings = Settings(rate=1.0, p_mask=1.0, p_random=0.0)
    assert clicked(settings, 2).select == "1,3,4,5,6"
