"""The generate page where a text cannot be written: limits, addresses, weights that are not there; the precision."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from explorer.models import device, sources
from tests.app.conftest import Open, words
from tests.app.test_generate import GPT2, ids, press, tiny, writing


@tiny
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_text_beyond_the_limit_is_told_and_kept(open_anywhere: Open, lang: str):
    app = open_anywhere("generate", lang, model=GPT2)
    app.text_area(key="text").set_value("a" * 600).run()
    assert len(app.error) == 1
    assert "600" in app.error[0].value
    assert "512" in app.error[0].value
    assert app.text_area(key="text").value == "a" * 600
    app.text_area(key="text").set_value("abc").run()
    assert not app.error
    assert ids(app) == []


@tiny
def test_the_limit_is_told_when_steps_reach_it(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2)
    app.text_area(key="text").set_value("a" * 510).run()
    press(app, "step_10")
    assert len(ids(app)) == 2
    assert any("512" in each.value and "used up" in each.value for each in app.markdown)
    assert app.button(key="step").disabled


@tiny
def test_a_very_long_text_is_counted_and_kept(open_anywhere: Open):
    app = open_anywhere("generate", model=GPT2)
    app.text_area(key="text").set_value("a" * 100_000).run()
    assert any("100000" in each.value and "20000" in each.value for each in app.warning)
    assert len(app.error) == 1
    assert len(app.text_area(key="text").value) == 100_000


@tiny
def test_half_a_character_is_told(open_anywhere: Open):
    app = open_anywhere("generate", state={"text": "bad \ud83d x"}, model=GPT2)
    assert not app.exception
    assert app.text_area(key="text").value == "bad \ufffd x"


@tiny
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_settings_of_the_url_that_cannot_be_used_are_told(open_anywhere: Open, lang: str):
    app = open_anywhere("generate", lang, model=GPT2, top_p="9", min_p="abc", seed="-4", temperature="1.25")
    assert all(value in each.value for value, each in zip(("9", "abc", "-4"), app.warning, strict=True))
    assert (app.session_state["top_p"], app.session_state["seed"]) == (0.9, 0)
    assert app.session_state["temperature"] == 1.25
    app.run()
    assert len(app.warning) == 3


@tiny
@pytest.mark.parametrize("model", ["tiny/bert-masked-lm", "nobody/nothing", "../etc"])
def test_a_model_that_cannot_write_is_told_and_all_is_kept(open_anywhere: Open, model: str):
    app = open_anywhere("generate", model=model, text="my own text")
    assert not app.exception
    assert len(app.error) == 1
    assert model in app.error[0].value
    assert app.text_area(key="text").value == "my own text"
    assert app.session_state["model"] == model


@pytest.fixture
def few(tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of models with the tokenizer of tiny/bart alone; nothing comes from packages."""
    shutil.copytree(tiny_models / "tiny/bart", tmp_path / "tiny/bart", ignore=shutil.ignore_patterns("*.safetensors"))
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    monkeypatch.setattr(sources, "WHEELS", {})
    return tmp_path


def test_a_model_without_weights_offers_one_that_has_them(open_anywhere: Open, few: Path, tiny_models: Path):
    shutil.copytree(tiny_models / GPT2, few / GPT2)
    app = open_anywhere("generate", model="tiny/bart", text="abc")
    assert any("The weights of `tiny/bart` are not on this machine" in each.value for each in app.markdown)
    assert app.button(key="step").disabled
    press(app, "use_other")
    assert writing(app).asked.model == GPT2
    assert app.text_area(key="text").value == "abc"
    assert not app.button(key="step").disabled


@pytest.mark.parametrize(("lang", "sentence"), [("en", "Install the models of `requirements-models.txt`"), ("ko", "")])
def test_where_no_model_has_weights_the_page_says_how_to_get_one(
    open_anywhere: Open, few: Path, lang: str, sentence: str
):
    app = open_anywhere("generate", lang, model="tiny/bart", text="abc")
    assert not app.exception
    assert not app.error
    assert any(sentence in each.value and "EXPLORER_MODELS" in each.value for each in app.markdown)
    assert app.button(key="step").disabled


@tiny
def test_the_precision_is_a_choice_and_is_told(open_anywhere: Open):
    app = open_anywhere("generate", state={"take_home": True}, model=GPT2, text="abc", precision="bfloat16")
    assert writing(app).session.generation.model.dtype == "bfloat16"
    assert "CPU, bfloat16" in words(app)
    assert ".to(torch.bfloat16)" in words(press(app, "step"))
    app.session_state["precision"] = "float32"
    app.run()
    assert (ids(app), writing(app).session.generation.model.dtype) == ([], "float32")


@tiny
@pytest.mark.parametrize("lang", ["en", "ko"])
def test_a_precision_that_is_none_or_that_the_device_lacks_is_told(
    open_anywhere: Open, lang: str, monkeypatch: pytest.MonkeyPatch
):
    app = open_anywhere("generate", lang, model=GPT2, text="abc", precision="float3")
    assert "float3" in app.warning[0].value
    monkeypatch.setattr(device, "able", lambda _device, dtype: dtype == "float32")
    app = open_anywhere("generate", lang, model=GPT2, text="abc", precision="float16")
    assert all(part in app.error[0].value for part in ("cpu", "float16"))
