"""Pages on a machine that has the models of the app and nothing else: no mirror, no packages, no Hub."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from explorer.models import places
from explorer.ui.frame import PAGES
from tests.app.conftest import ROOT, Open, picture, words

OBJECTIVES = {
    "transformer": "explorer/transformer",
    "bert": "explorer/bert",
    "gpt": "explorer/gpt",
    "sft": "explorer/gpt",
    "prefix_lm": "explorer/gpt",
    "bart": "explorer/bart",
    "t5": "explorer/t5",
}


@pytest.mark.parametrize("lang", ["en", "ko"])
@pytest.mark.parametrize(("page", "model"), OBJECTIVES.items())
def test_objectives_begin_with_a_model_of_the_app(only_bundled: Path, open_anywhere: Open, page, model, lang):
    app = open_anywhere(page, lang)
    assert not app.error
    assert not app.exception
    assert app.session_state["model"] == model
    told = [
        each.value
        for each in app.caption
        if {"en": "comes with the app", "ko": "이 앱에 들어 있는"}[lang] in each.value
    ]
    assert f"`{model}`" in told[0]
    losses = re.findall(r'<td class="bar[^>]*>([\d.]+)</td>', picture(app, "rows"))
    assert losses
    assert not [each for each in app.button if each.key in {"use_other", "fetch"}]


@pytest.mark.parametrize("page", [page for page in PAGES if page not in OBJECTIVES])
def test_every_other_page_is_there_too(only_bundled: Path, open_anywhere: Open, page):
    app = open_anywhere(page)
    assert not app.exception
    assert not app.error


def test_a_text_is_written_by_a_model_of_the_app(only_bundled: Path, open_anywhere: Open):
    app = open_anywhere("generate")
    assert app.session_state["model"] == "explorer/gpt"
    app.button(key="step").click().run()
    assert len(app.session_state["writing"].session.generation.ids) == 1
    assert any("comes with the app" in each.value for each in app.caption)


@pytest.mark.parametrize(
    ("model", "prompt"),
    [
        ("explorer/transformer", ">>de<< The house is small."),
        ("explorer/t5", "translate English to German: Tom has a dog."),
        ("explorer/bart", "Once upon a time, there was a <mask> who loved to play."),
    ],
)
def test_ready_prompts_suit_the_model(only_bundled: Path, open_anywhere: Open, model, prompt):
    app = open_anywhere("generate", model=model)
    app.pills(key="example").set_value(0).run()
    assert app.text_area(key="text").value == prompt
    app.button(key="step").click().run()
    assert not app.error
    assert len(app.session_state["writing"].session.generation.ids) == 1


def test_attention_of_a_translation(only_bundled: Path, open_anywhere: Open):
    app = open_anywhere("attention", model="explorer/transformer")
    app.pills(key="example").set_value(0).run()
    assert app.text_area(key="text").value == ">>de<< The house is small."
    assert not app.error
    assert not app.exception


def test_chips_follow_the_model(only_bundled: Path, open_anywhere: Open):
    app = open_anywhere("transformer")
    assert app.text_area(key="text").value == ">>de<< I am tired."
    app.selectbox(key="model").set_value("explorer/t5").run()
    assert app.text_area(key="text").value == "translate English to German: I am tired."
    app.pills(key="example").set_value(1).run()
    assert app.text_area(key="text").value == "translate English to French: The house is small."
    app.text_area(key="text").set_value("my own sentence").run()
    app.selectbox(key="model").set_value("explorer/transformer").run()
    assert app.text_area(key="text").value == "my own sentence"


def test_prompts_follow_the_model(only_bundled: Path, open_anywhere: Open):
    app = open_anywhere("generate")
    assert app.text_area(key="text").value == "Once upon a time there was a"
    app.selectbox(key="model").set_value("explorer/transformer").run()
    assert app.text_area(key="text").value == ">>de<< The house is small."
    app.selectbox(key="model").set_value("explorer/gpt").run()
    assert app.text_area(key="text").value == "Once upon a time there was a"
    app.text_area(key="text").set_value("my own sentence").run()
    app.selectbox(key="model").set_value("explorer/t5").run()
    assert app.text_area(key="text").value == "my own sentence"


@pytest.mark.parametrize(
    ("page", "model", "text"),
    [
        ("transformer", "explorer/t5", "translate English to German: I am tired."),
        ("generate", "explorer/transformer", ">>de<< The house is small."),
    ],
)
def test_a_link_with_a_model_begins_with_its_text(only_bundled: Path, open_anywhere: Open, page, model, text):
    app = open_anywhere(page, model=model)
    assert app.text_area(key="text").value == text


def test_bert_judges_the_next_sentence(only_bundled: Path, open_anywhere: Open):
    app = open_anywhere("bert")
    assert not any("next-sentence head" in each.value for each in app.markdown)
    app.pills(key="example").set_value(3).run()
    [told] = [each.value for each in app.markdown if "next-sentence head" in each.value]
    follows, random = (float(share) for share in re.findall(r"([\d.]+)%", told))
    assert follows + random == pytest.approx(100, abs=0.11)
    assert "next sentence loss" in words(app)


@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_damaged_file_is_named_and_other_pages_work(
    only_bundled: Path, open_anywhere: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
):
    shutil.copytree(only_bundled, tmp_path / "copy")
    (tmp_path / "copy" / "bert" / "model.safetensors").write_bytes(b"\xff" * 64)
    (tmp_path / "copy" / "t5" / "model.safetensors").unlink()
    monkeypatch.setattr(places, "bundled", lambda: tmp_path / "copy")
    for page, file in (("bert", "bert/model.safetensors"), ("t5", "bundled/t5/model.safetensors")):
        app = open_anywhere(page, lang, model=f"explorer/{page}")
        assert not app.exception
        assert any(file in each.value for each in app.markdown)
        assert any({"en": "cannot be read", "ko": "읽을 수 없습니다"}[lang] in each.value for each in app.caption)
        assert picture(app, "rows")
    assert open_anywhere("bart").session_state["model"] == "explorer/bart"


@pytest.mark.parametrize("page", ["bert", "gpt", "attention", "generate", "tokens"])
def test_where_there_is_no_model_at_all_the_page_says_so(
    empty: Path, open_anywhere: Open, monkeypatch: pytest.MonkeyPatch, page
):
    monkeypatch.setattr("explorer.models.sources.WHEELS", {})
    app = open_anywhere(page)
    assert not app.exception
    assert [*app.error, *app.info]


@pytest.mark.parametrize(("page", "model"), [("bart", "facebook/bart-base"), ("t5", "google-t5/t5-small")])
def test_a_page_does_not_begin_with_a_model_that_lacks_its_tokens(
    only_bundled: Path, open_anywhere: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str, model: str
):
    # The real one: the tokenizers of the small random models have every special token.
    shutil.copytree(ROOT / "explorer" / "bundled" / "transformer", tmp_path / "alone" / "transformer")
    monkeypatch.setattr(places, "bundled", lambda: tmp_path / "alone")
    app = open_anywhere(page)
    assert app.selectbox(key="model").value == model
    assert model in app.error[0].value
