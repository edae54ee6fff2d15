"""What a reader takes home from pages that need no weights: the code runs by itself and gives the page's numbers."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from explorer.models import places
from tests.app.baskets import NASTY, Basket, close, rows, run, run_notebook, snippet, stands_alone, taken
from tests.app.conftest import Open


@pytest.mark.models
class TestTokens:
    @pytest.mark.parametrize("text", NASTY)
    def test_the_code_reads_the_text_as_the_page_does(self, open_page: Open, basket: Basket, text: str) -> None:
        code = taken(open_page, "tokens", text=text)
        numbers = basket.numbers()
        assert numbers["text"] == text
        for left in (run(code), run_notebook(basket.text(".ipynb"))):
            assert left["found"].keys() == numbers["tokenizers"].keys()
            for name, found in left["found"].items():
                page = numbers["tokenizers"][name]
                assert {**found, "spans": [list(span) for span in found["spans"]]} == {key: page[key] for key in found}

    def test_the_files_hold_every_token(self, open_page: Open, basket: Basket) -> None:
        taken(open_page, "tokens", lang="ko", text=NASTY[4])
        ids = [str(id) for page in basket.numbers()["tokenizers"].values() for id in page["ids"]]
        assert [row["id"] for row in rows(basket.text(".csv"))] == ids
        page = stands_alone(basket.text(".html"))
        assert NASTY[4] in page.said
        assert set(ids) <= set(re.findall(r"\d+", page.said))
        assert "토크나이저" in page.said

    def test_what_is_unknown_is_told_apart_from_its_name(self, open_page: Open, basket: Basket) -> None:
        code = taken(open_page, "tokens", text="[UNK] \N{SLICE OF PIZZA}", tokenizers="google-bert/bert-base-uncased")
        assert run(code)["found"]["google-bert/bert-base-uncased"]["unknown"] == 1


MASKS = (
    {"kind": "full", "length": "3", "pad": "1"},
    {"kind": "causal", "length": "5", "case": "none"},
    {"kind": "causal", "length": "4", "pad": "2", "pad_left": "true", "case": "row"},
    {"kind": "prefix", "length": "6", "prefix": "2", "case": "padding"},
    {"kind": "cross", "length": "2", "keys": "5", "pad": "1"},
    {"kind": "block", "documents": "2,3,1"},
    {"kind": "padding", "length": "4", "pad": "2"},
)


class TestMasks:
    @pytest.mark.parametrize("fields", MASKS)
    def test_the_code_gives_the_mask_and_the_attention(
        self, open_anywhere: Open, basket: Basket, fields: dict[str, str]
    ) -> None:
        code = taken(open_anywhere, "masks", **fields)
        numbers = basket.numbers()
        for left in (run(code), run_notebook(basket.text(".ipynb"))):
            assert left["mask"].astype(int).tolist() == numbers["mask"]
            assert (left["hidden"] == ~left["mask"]).all()
            for name in ("scores", "masked", "weights"):
                ours = np.array(numbers["by_hand"][name], dtype=float)
                theirs = left[name].numpy()
                np.testing.assert_allclose(np.where(np.isfinite(theirs), theirs, np.nan), ours, atol=1e-5)

    def test_a_mask_written_out(self, open_anywhere: Open, basket: Basket) -> None:
        code = taken(open_anywhere, "masks", kind="prefix", length="3", prefix="2")
        assert run(code)["mask"].astype(int).tolist() == [[1, 1, 0], [1, 1, 0], [1, 1, 1]]

    def test_the_picture_has_every_cell_and_its_reason(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "masks", lang="ko", kind="causal", length="3")
        drawn = ElementTree.fromstring(basket.text("mask.svg"))
        cells = [each for each in drawn.iter("{http://www.w3.org/2000/svg}rect") if len(each)]
        closed = [each.get("fill") == "url(#closed)" for each in cells]
        assert closed == [False, True, True, False, False, True, False, False, False]
        assert "닫" in cells[1][0].text
        assert basket.make("mask.png")[:4] == b"\x89PNG"

    def test_the_report_shows_the_mask(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "masks", kind="causal", length="3")
        page = stands_alone(basket.text(".html"))
        kinds = [attributes.get("class") for tag, attributes in page.tags if tag == "td"]
        assert (kinds.count("open"), kinds.count("closed")) == (6, 3 + 6)
        assert [row["open"] for row in rows(basket.text(".csv"))].count("True") == 6


@pytest.mark.usefixtures("tiny_models")
@pytest.mark.parametrize(
    ("lang", "reason"),
    [
        ("en", "Nothing is written yet, so the table is empty. The code writes the first token."),
        ("ko", "아직 쓴 것이 없어 표가 비어 있습니다. 코드는 첫 토큰을 씁니다."),
    ],
)
def test_a_table_without_rows_is_not_offered_and_it_is_said_why(open_anywhere: Open, lang: str, reason: str) -> None:
    app = open_anywhere("generate", lang, {"take_home": True}, model="tiny/gpt2", text="abc")

    def offered() -> list[tuple[str, bool]]:
        buttons = [each.proto for each in app.get("download_button")]
        return [(each.help, each.disabled) for each in buttons if "CSV" in each.label]

    assert offered() == [(reason, True)]
    assert reason in [caption.value for caption in app.caption]
    app.button(key="step").click().run()
    assert offered() == [("", False)]
    assert reason not in [caption.value for caption in app.caption]


LOSSES = (
    {"part": "positions", "smoothing": "0.1", "label": "1"},
    {"part": "positions", "label": "-100", "rows": "2 1 0.1\n0 0 -inf\n1 1 1", "labels": "0 1 -100"},
    {"part": "positions", "rows": "1 2\n3 4", "labels": "-100 -100", "count": "5"},
    {"part": "batches", "losses": "4 | 1 1 - 1 | -"},
    {"part": "batches", "losses": "- | -"},
    {"part": "joint", "class_p": "0.25", "lm_loss": "3", "lm_weight": "0.7"},
)


class TestLoss:
    @pytest.mark.parametrize("fields", LOSSES)
    def test_the_code_gives_the_numbers(self, open_anywhere: Open, basket: Basket, fields: dict[str, str]) -> None:
        code = taken(open_anywhere, "loss", **fields)
        numbers = basket.numbers()
        for left in (run(code), run_notebook(basket.text(".ipynb"))):
            for name in ("lowered", "powers", "probabilities", "target", "terms"):
                close(numbers[name], left[name])
            close(numbers["mean"], left["loss"])
            further = numbers[fields["part"]]
            if fields["part"] == "positions":
                ours = [0 if loss is None else loss for loss in further["per_position"]]
                close(ours, left["losses"])
                close(further["mean"], left["mean"])
            elif fields["part"] == "batches":
                close([further["mean"], further["mean_of_means"]], [left["mean"], left["mean_of_means"]])
            else:
                close([further["task"], further["joint"]], [float(left["task"]), float(left["joint"])])

    def test_a_loss_written_out(self, open_anywhere: Open, basket: Basket) -> None:
        assert float(run(taken(open_anywhere, "loss"))["loss"]) == pytest.approx(0.417030, abs=1e-6)

    @pytest.mark.parametrize("text", [NASTY[1], NASTY[3], "a"])
    def test_one_text_across_tokenizers(
        self,
        tiny_models: Path,
        tmp_path: Path,
        monkeypatch: pytest.MonkeyPatch,
        open_anywhere: Open,
        basket: Basket,
        text: str,
    ) -> None:
        monkeypatch.setattr("explorer.models.sources.WHEELS", {})
        # Where the folders look the same, a page need not look again for packages, which never go while it runs.
        monkeypatch.setattr(places, "bundled", lambda: tmp_path)
        code = taken(open_anywhere, "loss", part="tokenizers", text=text, bits="1.5")
        readings = basket.numbers()["tokenizers"]["readings"]
        found = run(code)["readings"]
        assert found.keys() == readings.keys()
        assert len(found) > 2
        measured = 0
        for name, reading in found.items():
            assert (reading["targets"], reading["bytes"]) == (readings[name]["targets"], readings[name]["bytes"])
            close([readings[name][key] for key in reading], [reading[key] for key in reading])
            measured += "mean" in reading
        assert measured == sum(reading["mean"] is not None for reading in readings.values())

    def test_the_files_hold_the_position(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "loss", lang="ko")
        assert [round(float(row["확률"]), 3) for row in rows(basket.text(".csv"))] == [0.659, 0.242, 0.099]
        assert "0.4170" in stands_alone(basket.text(".html")).said


@pytest.mark.models
class TestCompare:
    @pytest.mark.parametrize("text", [NASTY[0], NASTY[1], NASTY[3]])
    def test_the_code_has_every_family(self, open_page: Open, basket: Basket, text: str) -> None:
        code = taken(open_page, "compare", text=text, target="Die Katze saß.")
        numbers = basket.numbers()
        assert len(numbers) == 7
        for left in (run(code), run_notebook(basket.text(".ipynb"))):
            assert left["found"].keys() == numbers.keys()
            for name, found in left["found"].items():
                same_example(found, numbers[name])

    def test_two_settings_and_what_differs(self, open_page: Open, basket: Basket) -> None:
        code = taken(open_page, "compare", view="pair", text=NASTY[1], objective="denoising", seed_b="3")
        left, numbers = run(code), basket.numbers()
        assert left["differences"] == numbers["differences"]
        assert any(map(len, numbers["differences"]["output"])) or any(map(len, numbers["differences"]["source"]))
        for name in "AB":
            same_example(left["found"][name], numbers[name])

    def test_an_answer_has_a_start_and_an_end(self, open_page: Open, basket: Basket) -> None:
        code = taken(open_page, "compare", view="pair", objective="question_answering")
        same_example(run(code)["found"]["A"], basket.numbers()["A"])

    def test_the_files_hold_every_family(self, open_page: Open, basket: Basket) -> None:
        taken(open_page, "compare", lang="ko", text=NASTY[0], target="Die Katze saß.")
        assert len(rows(basket.text(".csv"))) == 7
        page = stands_alone(basket.text(".html"))
        assert NASTY[0] in page.said
        outputs = [(each["decoder"] or each["encoder"])["ids"] for each in basket.numbers().values()]
        assert {str(id) for ids in outputs for id in ids} <= set(re.findall(r"\d+", page.said))


def same_example(found: dict, page: dict) -> None:
    """What the code made is the Example of the page."""
    inputs = {name: tensor[0].tolist() for name, tensor in found["inputs"].items()}
    first, second = page["encoder"], page["decoder"]
    assert inputs["input_ids"] == (first or second)["ids"]
    if first and second:
        assert inputs["decoder_input_ids"] == second["ids"]
    assert {kind: mask.tolist() for kind, mask in found["masks"].items()} == {
        kind: mask for kind, mask in page["masks"].items() if mask is not None
    }
    assert found["outputs"] == [target["position"] for target in page["targets"]]
    assert found["share"] * len((second or first)["ids"]) == pytest.approx(page["n_targets"])


class TestExercises:
    @pytest.mark.models
    @pytest.mark.parametrize("code", ["labels-2-7", "mask-1-3", "bug-2-5", "write-3-11"])
    def test_the_solution_comes_with_the_code_of_its_examples(self, open_page: Open, basket: Basket, code: str) -> None:
        app = open_page("exercises", state={"take_home": True}, code=code)
        assert not basket.makers
        app.button(key="solution").click().run()
        assert not app.exception
        numbers = basket.numbers()
        assert numbers["code"] == code
        assert numbers["answers"]
        if basket.has(".ipynb"):
            left = run_notebook(basket.text(".ipynb"))
            assert left["found"].keys() == run(snippet(app))["found"].keys()
        page = stands_alone(basket.text(".html"))
        assert "Worked solution" in page.said
        assert all(step in page.said for step in numbers["solution"])
        assert len(rows(basket.text(".csv"))) == len(numbers["answers"])

    def test_an_exercise_without_examples_has_no_code(self, open_anywhere: Open, basket: Basket) -> None:
        app = open_anywhere("exercises", lang="ko", state={"take_home": True}, code="stages-1-1")
        app.button(key="solution").click().run()
        assert not basket.has(".ipynb")
        assert "가" in stands_alone(basket.text(".html")).said
