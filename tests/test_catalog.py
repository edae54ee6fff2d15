"""Which models there are, which parts of them this machine has, and which is nearest; all without torch."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.models import places
from explorer.models.catalog import CARDS, best, canonical, card, catalogue, having, parts, state
from explorer.types import InputProblem

BODY = {"encoder"}
WITH_HEAD = {"encoder", "language model"}
PARTS = {
    "gpt2": WITH_HEAD,
    "llama": WITH_HEAD,
    "bert": WITH_HEAD | {"next sentence"},
    "bert-masked-lm": WITH_HEAD,
    "bert-body": BODY,
    "bert-tagger": BODY | {"token_classification"},
    "bert-classifier": BODY | {"sequence_classification"},
    "bert-finder": BODY | {"question_answering"},
    "distilbert": WITH_HEAD,
    "bart": WITH_HEAD,
    "bart-body": WITH_HEAD,
    "t5": WITH_HEAD,
    "marian": WITH_HEAD,
}


def test_nothing_here_imports_torch_or_transformers() -> None:
    code = (
        "import sys; from explorer.models.catalog import catalogue, state, parts, best;"
        "[(state(card.name), parts(card.name)) for card in catalogue()]; best('decoder', 'language model');"
        "print([name for name in ('torch', 'transformers', 'huggingface_hub') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_known_models_have_distinct_names_and_every_stack() -> None:
    assert len({each.name for each in CARDS}) == len(CARDS) == 11
    assert {each.stack for each in CARDS} == {"encoder", "decoder", "encoder-decoder"}
    assert all(str(each.about).endswith(".") for each in CARDS)


@pytest.mark.parametrize("family", PARTS)
def test_parts_are_those_that_the_file_holds(family: str, tiny_models: Path) -> None:
    assert state(f"tiny/{family}") == "weights"
    assert parts(f"tiny/{family}") == PARTS[family]


def test_models_of_the_mirror_join_the_catalogue(tiny_models: Path) -> None:
    found = {each.name: each for each in catalogue()}
    assert (found["tiny/bart"].family, found["tiny/bart"].stack) == ("BART", "encoder-decoder")
    assert (found["tiny/t5"].family, found["tiny/gpt2"].stack) == ("T5", "decoder")
    assert found["tiny/bert-body"].stack == "encoder"


def test_tokenizer_only(models_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXPLORER_MODELS", str(models_folder))
    monkeypatch.setenv("EXPLORER_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    assert state("openai-community/gpt2") == state("gpt2") == "tokenizer only"
    assert parts("openai-community/gpt2") == frozenset()
    assert best("openai-community/gpt2") == "openai-community/gpt2"


def test_absent(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    monkeypatch.setenv("EXPLORER_HOME", str(tmp_path))
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    monkeypatch.setattr(places, "bundled", lambda: tmp_path)
    assert state("google-t5/t5-small") == "absent"
    assert best("google-t5/t5-small") is None


def test_the_nearest_model_is_of_the_same_family_then_of_the_same_stack(tiny_models: Path) -> None:
    assert best("tiny/bert", "language model") == "tiny/bert"
    assert best("tiny/bert-body", "language model") == "tiny/bert"
    assert best("google-bert/bert-base-uncased", "token_classification") == "tiny/bert-tagger"
    assert best("facebook/bart-large", "language model") == "tiny/bart"
    assert best("encoder-decoder", "language model") in {"tiny/bart", "tiny/bart-body", "tiny/marian", "tiny/t5"}
    assert best("GPT", "next sentence") is None
    assert {each.name for each in having("next sentence")} == {"tiny/bert"}
    assert "tiny/gpt2" in {each.name for each in having("language model", "decoder")}


def test_short_names_and_names_that_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert canonical("bert-base-uncased") == card("bert-base-uncased").name == "google-bert/bert-base-uncased"
    for name in ("../../etc", "a/b/c", "", "a b", "/etc/passwd", "x/..", "a\\b", "models--x"):
        with pytest.raises(InputProblem, match="no model id"):
            card(name)
    with pytest.raises(InputProblem, match="nobody/nothing is not on this machine"):
        card("nobody/nothing")


def test_a_host_can_forbid_other_ids(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPLORER_ANY_MODEL", "0")
    assert card("tiny/gpt2").stack == "decoder"
    with pytest.raises(InputProblem, match="nobody/nothing here; the models are: openai-community/gpt2"):
        card("nobody/nothing")


def test_a_broken_folder_leaves_the_list_whole(
    tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(tiny_models / "tiny" / "gpt2", tmp_path / "tiny" / "gpt2")
    shutil.copytree(tiny_models / "tiny" / "llama", tmp_path / "tiny" / "llama")
    (tmp_path / "tiny" / "gpt2" / "config.json").write_text("{", encoding="utf-8")
    with (tmp_path / "tiny" / "llama" / "model.safetensors").open("r+b") as file:
        file.truncate(500)
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    assert {"tiny/gpt2", "tiny/llama"} <= {each.name for each in catalogue()}
    assert parts("tiny/llama") == parts("tiny/gpt2") == frozenset()


def test_an_untied_head_that_was_left_out_is_absent(
    tiny_models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from safetensors.numpy import load_file, save_file

    folder = tmp_path / "tiny" / "headless"
    shutil.copytree(tiny_models / "tiny" / "llama", folder)
    weights = load_file(folder / "model.safetensors")
    del weights["lm_head.weight"]
    save_file(weights, folder / "model.safetensors", metadata={"format": "pt"})
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    monkeypatch.setenv("EXPLORER_MODELS", str(tmp_path))
    assert config["tie_word_embeddings"] is False
    assert parts("tiny/headless") == BODY
