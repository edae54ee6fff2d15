"""Notebooks and reports that a reader takes home."""

from __future__ import annotations

import json
import re

import nbformat
import pytest
import torch
import transformers

from explorer.objectives import Texts
from explorer.records import plain, record
from explorer.views.rows import token_rows
from explorer.views.takeaway import notebook, report
from tests.examples import make


def test_a_notebook_holds_the_code_and_what_it_needs() -> None:
    book = nbformat.reads(notebook("BERT", ["about it"], "import torch\nprint(1)\n"), as_version=4)
    nbformat.validate(book)
    assert [cell.cell_type for cell in book.cells] == ["markdown", "code", "code"]
    assert book.cells[1].source == "%pip install torch==2.13.0"
    assert book.cells[2].source == "import torch\nprint(1)"


def test_the_same_page_gives_the_same_notebook() -> None:
    assert notebook("a", ["b"], "c") == notebook("a", ["b"], "c")


@pytest.mark.models
def test_the_cells_run_and_give_the_loss_of_the_example(tokenizer, monkeypatch, capsys) -> None:
    made = make("causal_lm", tokenizer("openai-community/gpt2"), Texts("the cat sat on the mat"))
    torch.manual_seed(0)
    model = transformers.GPT2LMHeadModel(transformers.GPT2Config(n_layer=1, n_head=2, n_embd=8)).eval()
    monkeypatch.setattr(transformers.AutoModelForCausalLM, "from_pretrained", lambda *_, **__: model)
    book = nbformat.reads(notebook("GPT", [], made.code()), as_version=4)
    exec(compile(book.cells[2].source, "cell", "exec"), {"__name__": "__main__"})
    printed = float(re.search(r"tensor\(([\d.]+)", capsys.readouterr().out)[1])
    inputs = {name: torch.from_numpy(array.copy()) for name, array in made.model_inputs().items()}
    with torch.no_grad():
        assert printed == pytest.approx(float(model(**inputs).loss), abs=1e-4)


@pytest.mark.models
def test_a_report_stands_alone_and_holds_nothing_to_click(tokenizer) -> None:
    made = make("masked_lm", tokenizer("google-bert/bert-base-uncased"), Texts("<b>a</b> cat"), {"select": "2"})
    html = report("<x>", "ko", [("Rows & more", token_rows(made, str, clickable=True))], "http://here/?text=<b>")
    assert html.startswith('<!doctype html>\n<html lang="ko">')
    assert "<title>&lt;x&gt;</title>" in html
    assert "Rows &amp; more" in html
    assert "?text=&lt;b&gt;" in html
    assert "data-click" not in html.partition("<body>")[2]
    assert "<script" not in html
    assert not re.search(r'(src|href)="http', html)


@pytest.mark.models
def test_the_record_of_an_example_is_json_with_every_number(tokenizer) -> None:
    made = make("masked_lm", tokenizer("google-bert/bert-base-uncased"), Texts("the cat sat"), {"select": "2"})
    from explorer.objectives import objective

    found = json.loads(json.dumps(plain(record(made, objective("masked_lm").Settings(), 3)), allow_nan=False))
    assert found["encoder"]["ids"] == [101, 1996, 103, 2938, 102]
    assert found["labels"] == [-100, -100, 4937, -100, -100]
    assert (found["seed"], found["n_targets"]) == (3, 1)
