"""The role table: complete, told apart by sign and colour, readable in both themes."""

from __future__ import annotations

from itertools import combinations

import pytest

from explorer.types import Role
from explorer.views.roles import LOOKS, Colours, legend, role_class
from explorer.views.style import stylesheet

THEMES = ("light", "dark")


def luminance(colour: str) -> float:
    """Relative luminance, WCAG 2.2."""
    channels = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    red, green, blue = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(a: str, b: str) -> float:
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_measure():
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_every_role_has_a_look():
    assert set(LOOKS) == set(Role)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("role", Role)
def test_text_on_fill_is_readable(role: Role, theme: str):
    colours: Colours = getattr(LOOKS[role], theme)
    assert contrast(colours.fill, colours.ink) >= 4.5


@pytest.mark.parametrize(("first", "second"), list(combinations(Role, 2)))
def test_no_two_roles_look_the_same(first: Role, second: Role):
    a, b = LOOKS[first], LOOKS[second]
    assert a.sign != b.sign
    assert a.word.id != b.word.id
    assert a.light.fill != b.light.fill
    assert a.dark.fill != b.dark.fill


def test_legend_lists_only_what_is_on_screen():
    html = legend([Role.RESPONSE, Role.PROMPT, Role.PROMPT], str)
    assert html.count("<li>") == 3
    assert html.index("prompt") < html.index("response") < html.index("loss here")
    assert "masked" not in html
    assert "loss here" not in legend([Role.PROMPT], str, loss=False)


def test_legend_escapes_the_words():
    assert "<b>" not in legend([Role.KEPT], lambda message: f"<b>{message}</b>")


def test_stylesheet_has_a_rule_for_every_role():
    for role in Role:
        assert f".xp .{role_class(role)}{{" in stylesheet()
