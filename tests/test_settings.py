"""Settings from strings: types, ranges, choices, and the words of each refusal."""

from dataclasses import dataclass

import pytest

from explorer.settings import checked, knob, knobs, parse_settings
from explorer.types import InputProblem, Message


@dataclass(frozen=True)
class Settings:
    rate: float = knob(0.15, Message("rate"), low=0.0, high=1.0)
    prefix: int = knob(0, Message("prefix"), low=0)
    whole_word: bool = knob(False, Message("whole words"))
    mode: str = knob("all", Message("mode"), choices={"all": Message("all"), "last": Message("last")})


def test_each_type_is_parsed_as_its_default() -> None:
    given = {"rate": "0.3", "prefix": "4", "whole_word": "true", "mode": "last"}
    assert parse_settings(Settings, given) == Settings(0.3, 4, True, "last")


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"rate": "2"}, "rate is 2.0, but must lie between 0.0 and 1.0."),
        ({"rate": "nan"}, "rate is nan, but must lie between 0.0 and 1.0."),
        ({"rate": "x"}, "rate is x, but must be a number."),
        ({"prefix": "-1"}, "prefix is -1, but must be at least 0."),
        ({"prefix": "1.5"}, "prefix is 1.5, but must be a whole number."),
        ({"whole_word": "maybe"}, "whole_word is maybe, but must be true or false."),
        ({"mode": "none"}, "mode is none, but must be one of: all, last."),
        ({"speed": "1"}, "There is no setting speed; the settings are: rate, prefix, whole_word, mode."),
    ],
)
def test_a_bad_value_is_named_with_its_range(given: dict[str, str], words: str) -> None:
    with pytest.raises(InputProblem) as problem:
        parse_settings(Settings, given)
    assert str(problem.value) == words


def test_checked_returns_the_same_settings() -> None:
    assert checked(Settings()) == Settings()
    assert knobs(Settings)["rate"].high == 1.0
